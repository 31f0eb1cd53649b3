import { Fragment } from 'react';
import { useKeyGroups } from '../app/keys';
import { Dialog } from '../components/dialog';

export interface KeysHelpProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly shortcuts: boolean;
}

/** What `?` shows: the keys of the shell and of the page in view. */
export function KeysHelp({ open, onClose, shortcuts }: KeysHelpProps) {
  const groups = useKeyGroups();
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      {!shortcuts && (
        <p className="muted">
          Single keys are switched off in your account settings. Those with Ctrl or Cmd work.
        </p>
      )}
      <section className="keys" aria-label="Always">
        <h3>Always</h3>
        <dl>
          <dt>
            <kbd>Ctrl</kbd> or <kbd>⌘</kbd> <kbd>K</kbd>
          </dt>
          <dd>Search and go anywhere</dd>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>Close what is open</dd>
        </dl>
      </section>
      {groups.map((group) => (
        <section className="keys" key={group.name} aria-label={group.name}>
          <h3>{group.name}</h3>
          <dl>
            {group.keys.map((key) => (
              <Fragment key={key.keys}>
                <dt>
                  {key.keys.split(' ').map((each, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a pair never move
                    <Fragment key={`${index}-${each}`}>
                      {index > 0 && ' then '}
                      <kbd>{each}</kbd>
                    </Fragment>
                  ))}
                </dt>
                <dd>{key.label}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
