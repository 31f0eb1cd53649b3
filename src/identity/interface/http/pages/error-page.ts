import { type Html, html } from './html.js';
import type { GatePage } from './page-sender.js';

export interface ErrorPageContent {
  readonly status: number;
  /** Default: a heading for the status. */
  readonly heading?: string;
  /** What happened and what to do next. */
  readonly sentence: string;
  /** Trace id, for faults that the person may report. */
  readonly reference?: string;
  /** A link that leads on; default: the start page. */
  readonly action?: { readonly href: string; readonly label: string } | null;
}

const HEADINGS: Readonly<Record<number, string>> = {
  400: 'This request is not complete',
  403: 'This is not open to you',
  404: 'Not found',
  409: 'This was changed meanwhile',
  429: 'Too many tries',
  503: 'Loupe cannot answer right now',
};

/** A page for what went wrong, in the frame of the sign-in pages. */
export function errorPage(content: ErrorPageContent): GatePage {
  const { status, sentence, reference, action = { href: '/', label: 'Go to the start page' } } = content;
  const heading = content.heading ?? HEADINGS[status] ?? 'Something went wrong';
  const body: Html = html`<h1>${heading}</h1>
<p>${sentence}</p>
${reference && html`<p class="hint">Reference: <code>${reference}</code></p>`}
${action && html`<p><a class="btn" data-size="lg" href="${action.href}">${action.label}</a></p>`}`;
  return { status, title: heading, body };
}
