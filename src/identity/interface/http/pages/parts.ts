import { type Html, type HtmlValue, html } from './html.js';
import { type IconName, icon } from './icon.js';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'neutral';

const TONE_ICON: Record<Tone, IconName> = {
  good: 'ok',
  warn: 'alert',
  bad: 'failed',
  accent: 'info',
  neutral: 'info',
};

/** One sentence that stands out, such as a caution. For errors of a form use `errorSummary`. */
export function banner(tone: Tone, text: HtmlValue): Html {
  return html`<div class="banner" data-tone="${tone}" role="note">${icon(TONE_ICON[tone])}<span class="banner__text">${text}</span></div>`;
}

export interface FieldError {
  /** Name of the field, or null when no single field is to blame. */
  readonly field: string | null;
  readonly sentence: string;
}

/** What went wrong, above the form and with focus; each entry leads to its field. Nothing when there is no error. */
export function errorSummary(errors: readonly FieldError[]): Html {
  if (errors.length === 0) return html``;
  const entry = ({ field, sentence }: FieldError) =>
    field === null ? html`${sentence}` : html`<a href="#${field}">${sentence}</a>`;
  const content =
    errors.length === 1
      ? html`<b>${entry(errors[0]!)}</b>`
      : html`<b>Some fields need another look. Nothing was saved.</b><ul>${errors.map((error) => html`<li>${entry(error)}</li>`)}</ul>`;
  return html`<div class="banner" data-tone="bad" role="alert" tabindex="-1" autofocus>${icon('failed')}<div class="banner__text">${content}</div></div>`;
}

export interface TextField {
  /** Also the id of the input. */
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly hint?: string;
  readonly autocomplete: string;
  readonly errors?: readonly FieldError[];
  readonly maxLength?: number;
  readonly autofocus?: boolean;
}

/** A labelled input with its hint, and its error beside it. Typed text stays; passwords are never sent back. */
export function textField(field: TextField): Html {
  const { name, label, type = 'text', hint, autocomplete, errors = [], maxLength } = field;
  const error = errors.find((candidate) => candidate.field === name);
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
<input class="input" data-size="lg" id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" required dir="auto"${
    type !== 'password' && html` value="${field.value ?? ''}"`
  }${maxLength !== undefined && html` maxlength="${maxLength}"`}${error && html` aria-invalid="true"`}${
    described !== '' && html` aria-describedby="${described}"`
  }${field.autofocus && html` autofocus`} />
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error && html`<span class="error" id="${name}-error">${icon('failed', { size: 'sm' })}${error.sentence}</span>`}
</div>`;
}

/** Hidden inputs, such as the form token. */
export function hidden(values: Readonly<Record<string, string | null | undefined>>): Html {
  return html`${Object.entries(values).map(([name, value]) =>
    value === null || value === undefined
      ? null
      : html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;
}
