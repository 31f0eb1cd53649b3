import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog';
import { Field, Select } from '../../components/field';
import { plural } from '../../components/plural';
import { useBoardSpace, useHold } from '../data/board-space';
import type { Column, ColumnsAnswer } from '../types';

export interface DeleteColumnDialogProps {
  readonly column: Column;
  readonly columns: readonly Column[];
  readonly onClose: () => void;
  readonly onDeleted: (answer: ColumnsAnswer) => void;
}

/** Deletes a column; its cards go to the one that is chosen. */
export function DeleteColumnDialog({ column, columns, onClose, onDeleted }: DeleteColumnDialogProps) {
  const { api } = useBoardSpace();
  useHold(true);
  const [target, setTarget] = useState('');
  const others = columns.filter((each) => each.columnId !== column.columnId);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete column ${column.label}?`}
      action="Delete column"
      disabledReason={column.cards > 0 && target === '' ? 'Choose the column that takes the cards' : null}
      onConfirm={async () => onDeleted(await api.deleteColumn(column.columnId, target || undefined))}
    >
      {column.cards === 0 ? (
        <p>The column holds no cards.</p>
      ) : (
        <>
          <p>
            The column holds {plural(column.cards, 'card')}. They keep their order and go to the end of
            another column.
          </p>
          <Field label="Move its cards to">
            {(control) => (
              <Select {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
                <option value="">Choose a column</option>
                {others.map((each) => (
                  <option key={each.columnId} value={each.columnId}>
                    {each.label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </>
      )}
    </ConfirmDialog>
  );
}
