import { CircleX } from 'lucide-react';
import { useId } from 'react';
import { Field, Select } from '../components/field';
import { Icon } from '../components/icon';
import type { AutomationValue, SettingValue } from './api';
import { valueText, valueWords } from './words';

export interface ValueFieldProps {
  readonly definition: AutomationValue;
  readonly value: SettingValue;
  readonly error: string | undefined;
  readonly onChange: (value: SettingValue) => void;
}

/** The control of one value of the template. */
export function ValueField({ definition, value, error, onChange }: ValueFieldProps) {
  const { key, type, options, min, max } = definition;
  const { label, hint } = valueWords(key);
  if (definition.editable === 'agent') return <ReadOnly definition={definition} />;
  if (type === 'bool') {
    return (
      <SwitchRow
        label={label}
        hint={switchHint(definition, hint)}
        on={value === true}
        error={error}
        onChange={onChange}
      />
    );
  }
  if (type === 'set') {
    const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
    return (
      <fieldset className="field">
        <legend className="label">{label}</legend>
        <div className="row">
          {options.map((option) => (
            <label key={option} className="row" data-gap="tight" data-nowrap="">
              <input
                className="check"
                type="checkbox"
                aria-invalid={error ? true : undefined}
                checked={chosen.includes(option)}
                onChange={(event) =>
                  onChange(
                    options.filter((each) =>
                      each === option ? event.target.checked : chosen.includes(each),
                    ),
                  )
                }
              />
              {option}
            </label>
          ))}
        </div>
        {error && <Problem text={error} />}
        <span className="hint">{hint}</span>
      </fieldset>
    );
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) =>
        type === 'choice' ? (
          <Select {...control} value={String(value)} onChange={(event) => onChange(event.target.value)}>
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </Select>
        ) : (
          <input
            {...control}
            className="input mono"
            type={type === 'int' ? 'number' : 'text'}
            min={min ?? undefined}
            max={max ?? undefined}
            autoComplete="off"
            spellCheck={false}
            value={String(value)}
            onChange={(event) => onChange(type === 'int' ? numberOf(event.target.value) : event.target.value)}
          />
        )
      }
    </Field>
  );
}

export interface SwitchRowProps {
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  readonly error?: string;
  readonly onChange: (on: boolean) => void;
}

/** A switch with its name beside it and what it does below. */
export function SwitchRow({ label, hint, on, error, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="switch-row">
      <input
        id={id}
        className="switch"
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself tells whether it is checked
        role="switch"
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? `${id}-more` : undefined}
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {(hint || error) && (
        <div id={`${id}-more`} className="switch-row__more">
          {error && <Problem text={error} />}
          {hint && <span className="hint">{hint}</span>}
        </div>
      )}
    </div>
  );
}

function ReadOnly({ definition }: { readonly definition: AutomationValue }) {
  const { label, hint } = valueWords(definition.key);
  return (
    <div className="field">
      <span className="label">{label}</span>
      <span>
        {valueText(definition.value)} <span className="muted">· An agent changes this</span>
      </span>
      <span className="hint">{hint}</span>
    </div>
  );
}

function Problem({ text }: { readonly text: string }) {
  return (
    <span className="error">
      <Icon icon={CircleX} size="sm" />
      {text}
    </span>
  );
}

function switchHint({ permission }: AutomationValue, hint: string): string {
  return [hint, permission ? `Needs the permission ${permission}.` : ''].filter(Boolean).join(' ');
}

/** An unreadable number goes to the server as it is typed, which says what fits. */
function numberOf(text: string): SettingValue {
  return text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);
}
