import { ChevronDown, CircleX, Search } from 'lucide-react';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import { Icon } from './icon';

/** What a control inside a field must carry. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null;
  /** Beside the label, at the end of the line, such as a counter. */
  readonly aside?: ReactNode;
  readonly children: (control: ControlProps) => ReactNode;
}

/** Label, control, hint and error, tied together for assistive technology. */
export function Field({ label, hint, error, aside, children }: FieldProps) {
  const id = useId();
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ');
  const name = (
    <label className="label" htmlFor={id}>
      {label}
    </label>
  );
  return (
    <div className="field">
      {aside ? (
        <div className="row">
          {name}
          <span className="push small faint num">{aside}</span>
        </div>
      ) : (
        name
      )}
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {error && (
        <span className="error" id={`${id}-error`}>
          <Icon icon={CircleX} size="sm" />
          {error}
        </span>
      )}
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

export interface SelectProps extends Omit<ComponentPropsWithRef<'select'>, 'size'> {
  readonly size?: 'sm';
}

/** The select of the browser in our clothes: it is right on every phone. */
export function Select({ size, children, ...rest }: SelectProps) {
  return (
    <span className="select" data-size={size}>
      <select {...rest}>{children}</select>
      <Icon icon={ChevronDown} />
    </span>
  );
}

export type SearchInputProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'className'>;

/** A field that filters what stands below it. */
export function SearchInput(props: SearchInputProps) {
  return (
    <span className="input-icon">
      <Icon icon={Search} />
      <input {...props} className="input" type="search" autoComplete="off" spellCheck={false} />
    </span>
  );
}
