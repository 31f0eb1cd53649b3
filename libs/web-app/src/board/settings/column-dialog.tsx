import { useState } from 'react';
import { ApiProblem } from '../../api/problem';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Dialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { useSubmit } from '../../components/use-submit';
import { useBoardSpace, useHold } from '../data/board-space';
import { labelProblem, slugPreview } from '../model/slug';
import type { Colour, Column, ColumnsAnswer } from '../types';

const COLOURS: readonly Colour[] = [
  'slate',
  'red',
  'orange',
  'amber',
  'lime',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'pink',
];

export interface ColumnDialogProps {
  /** Null makes a new one. */
  readonly column: Column | null;
  readonly columns: readonly Column[];
  readonly lastTerminal: boolean;
  readonly onClose: () => void;
  readonly onSaved: (answer: ColumnsAnswer, label: string) => void;
  /** Somebody else changed the columns; the dialog stays with what was typed. */
  readonly onStale: (answer: ColumnsAnswer) => void;
}

/** Makes or changes one column. */
export function ColumnDialog({
  column,
  columns,
  lastTerminal,
  onClose,
  onSaved,
  onStale,
}: ColumnDialogProps) {
  const { api } = useBoardSpace();
  useHold(true);
  const [label, setLabel] = useState(column?.label ?? '');
  const [terminal, setTerminal] = useState(column?.terminal ?? false);
  const [colour, setColour] = useState<Colour | undefined>(column?.colour ?? freeColour(columns));
  // After a refusal the newest revision goes along, so that saving again is a decision of the person.
  const [revision, setRevision] = useState(column?.revision ?? 0);
  const others = columns.filter((each) => each.columnId !== column?.columnId);
  const own = labelProblem(label, others);
  const { run, busy, fields, problem, error } = useSubmit(
    async (id) => {
      try {
        if (!column) {
          const answer = await api.addColumn(label, colour, id);
          const made = answer.columns.find(
            (each) => !columns.some((known) => known.columnId === each.columnId),
          );
          return made && terminal
            ? await api.changeColumn(made.columnId, { terminal, revision: made.revision })
            : answer;
        }
        return await api.changeColumn(column.columnId, {
          ...(label !== column.label && { label }),
          ...(terminal !== column.terminal && { terminal }),
          ...(colour !== column.colour && { colour }),
          revision,
        });
      } catch (refusal) {
        const current =
          refusal instanceof ApiProblem && refusal.code === 'columns_changed'
            ? refusal.current<ColumnsAnswer>()
            : null;
        const fresh = current?.columns.find((each) => each.columnId === column?.columnId);
        if (current && fresh) {
          setRevision(fresh.revision);
          onStale(current);
        }
        throw refusal;
      }
    },
    (answer) => onSaved(answer, label.trim()),
  );
  const stale = error instanceof ApiProblem && error.code === 'columns_changed';
  return (
    <Dialog
      open
      onClose={onClose}
      title={column ? `Change column ${column.label}` : 'Add a column'}
      onSubmit={() => {
        if (!own && label.trim() !== '') void run();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            disabledReason={own ?? (label.trim() === '' ? 'Type a name first' : null)}
          >
            {column ? 'Save column' : 'Add column'}
          </Button>
        </>
      }
    >
      {problem && (
        <Banner tone="bad" alert>
          {stale ? 'Somebody else changed the columns meanwhile. Look at them, then save again.' : problem}
        </Banner>
      )}
      <Field
        label="Name"
        error={own ?? fields.label}
        hint={
          slugPreview(label) === ''
            ? 'Agents use a short name made from it.'
            : `Agents call it ${slugPreview(label)}`
        }
      >
        {(control) => (
          <input
            {...control}
            className="input"
            type="text"
            dir="auto"
            maxLength={120}
            autoComplete="off"
            autoFocus
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        )}
      </Field>
      <label className="row">
        <input
          className="check"
          type="checkbox"
          checked={terminal}
          aria-disabled={lastTerminal || undefined}
          onChange={(event) => {
            if (!lastTerminal) setTerminal(event.target.checked);
          }}
        />{' '}
        A finishing point for completed work
      </label>
      {lastTerminal && <p className="hint">This is the only column for finished work, so it stays one.</p>}
      {fields.terminal && <p className="error">{fields.terminal}</p>}
      <fieldset className="card-form__set">
        <legend className="label">Colour</legend>
        <div className="colour-choices">
          {COLOURS.map((each) => (
            <label key={each} className="colour-choice">
              <input
                type="radio"
                name="colour"
                className="visually-hidden"
                checked={colour === each}
                onChange={() => setColour(each)}
              />
              <span className="dot" data-colour={each} />
              <span>{each}</span>
            </label>
          ))}
        </div>
      </fieldset>
    </Dialog>
  );
}

function freeColour(columns: readonly Column[]): Colour | undefined {
  return COLOURS.find((colour) => !columns.some((column) => column.colour === colour));
}
