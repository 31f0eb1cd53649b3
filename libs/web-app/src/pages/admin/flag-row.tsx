import { CircleX } from 'lucide-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { Flag, FlagValue } from '../../api/types';
import { announce } from '../../components/announcer';
import { Chip } from '../../components/chip';
import { Select } from '../../components/field';
import { Icon } from '../../components/icon';
import { RelativeTime } from '../../components/relative-time';
import { flagText, readFlag } from './flag-values';

export interface FlagRowProps {
  readonly flag: Flag;
  /** True when it was saved; a refusal has been told already. */
  readonly onSave: (flag: Flag, value: FlagValue) => Promise<boolean>;
  readonly onReset: (flag: Flag) => Promise<void>;
}

/** One flag with the control of its type. Fields save on Enter and when they are left; Escape takes the text back. */
export function FlagRow({ flag, onSave, onReset }: FlagRowProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <tr>
      <th scope="row">
        <span className="flag">
          <code id={id}>{breakable(flag.name)}</code>
          <span className="muted">{flag.description}</span>
          {flag.outOfRange && (
            <span>
              <Chip tone="warn" glyph="stuck">
                Out of range
              </Chip>{' '}
              <span className="small muted">
                The stored value is not allowed; it is read as the one shown.
              </span>
            </span>
          )}
          {problem && (
            <span className="error" id={`${id}-error`}>
              <Icon icon={CircleX} size="sm" />
              {problem}
            </span>
          )}
        </span>
      </th>
      <td className="flag__value">
        <FlagControl flag={flag} labelId={id} problem={problem} onProblem={setProblem} onSave={onSave} />
      </td>
      <td className="muted small" data-priority="2" data-label="Default">
        <span className="flag__default" title={flagText(flag.default)}>
          {flagText(flag.default) || 'empty'}
        </span>
      </td>
      <td className="small" data-none={flag.isDefault ? '' : undefined}>
        {!flag.isDefault && (
          <>
            <span className="muted">
              {flag.updatedBy ?? 'unknown'}
              {flag.updatedAt && (
                <>
                  , <RelativeTime at={flag.updatedAt} />
                </>
              )}
            </span>{' '}
            <button
              type="button"
              className="link-btn"
              onClick={() => {
                setProblem(null);
                void onReset(flag);
              }}
            >
              Reset<span className="visually-hidden"> {flag.name} to default</span>
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

interface FlagControlProps {
  readonly flag: Flag;
  readonly labelId: string;
  readonly problem: string | null;
  readonly onProblem: (problem: string | null) => void;
  readonly onSave: FlagRowProps['onSave'];
}

function FlagControl({ flag, labelId, problem, onProblem, onSave }: FlagControlProps) {
  if (flag.type === 'bool') {
    const on = flag.value === true;
    return (
      <span className="row" data-nowrap="">
        <input
          className="switch"
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself tells whether it is checked
          role="switch"
          aria-labelledby={labelId}
          checked={on}
          onChange={async (event) => {
            const next = event.target.checked;
            if (await onSave(flag, next)) announce(`${flag.name} is ${next ? 'on' : 'off'}.`);
          }}
        />
        <span className="small muted" aria-hidden="true">
          {on ? 'On' : 'Off'}
        </span>
      </span>
    );
  }
  if (flag.type === 'enum') {
    return (
      <Select
        aria-labelledby={labelId}
        value={String(flag.value)}
        onChange={(event) => void onSave(flag, event.target.value)}
      >
        {(flag.values ?? [String(flag.value)]).map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </Select>
    );
  }
  return <FlagField flag={flag} labelId={labelId} problem={problem} onProblem={onProblem} onSave={onSave} />;
}

function FlagField({ flag, labelId, problem, onProblem, onSave }: FlagControlProps) {
  const stored = flagText(flag.value);
  const [text, setText] = useState(stored);
  useEffect(() => setText(stored), [stored]);

  const save = async () => {
    if (text.trim() === stored) {
      setText(stored);
      onProblem(null);
      return;
    }
    const read = readFlag(flag, text);
    if ('problem' in read) {
      onProblem(read.problem);
      return;
    }
    onProblem(null);
    if (await onSave(flag, read.value)) announce(`${flag.name} is saved.`);
  };

  return (
    <input
      className={flag.type === 'int' ? 'input num' : 'input'}
      data-long={flag.type === 'int' ? undefined : ''}
      type="text"
      inputMode={flag.type === 'int' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      aria-labelledby={labelId}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem ? `${labelId}-error` : undefined}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') void save();
        if (event.key === 'Escape') {
          setText(stored);
          onProblem(null);
        }
      }}
    />
  );
}

/** A long name may break after each dot and underscore. */
function breakable(name: string) {
  return name.split(/(?<=[._])/u).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move
    <Fragment key={`${index}-${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
