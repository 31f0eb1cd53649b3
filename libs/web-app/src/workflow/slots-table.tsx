import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import { sentenceOf } from '../api/problem';
import { ActingSelect } from '../components/acting-select';
import { Chip } from '../components/chip';
import { toast } from '../components/toast';
import { type Slot, type Workflow, workflowQuery } from './api';

export interface SlotsTableProps {
  readonly projectId: string;
  readonly workflow: Workflow;
  readonly mayAdmin: boolean;
}

/** Places of the template with their columns; an empty one can be linked to a column that is free. */
export function SlotsTable({ projectId, workflow, mayAdmin }: SlotsTableProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const free = workflow.columns.filter(
    ({ slot, backlog, terminal }) => slot === null && !backlog && !terminal,
  );

  const link = async (slot: Slot, columnId: string) => {
    setBusy(slot.key);
    try {
      await api.put(`/projects/${projectId}/workflow/slots/${slot.key}`, { columnId });
      toast({ title: `${slot.label} has a column again.` });
    } catch (problem) {
      toast({ tone: 'bad', title: 'The column was not linked.', text: sentenceOf(problem) });
    } finally {
      setBusy(null);
      void queries.invalidateQueries({ queryKey: workflowQuery(projectId).queryKey });
    }
  };

  return (
    <section className="stack" data-fill="" aria-labelledby="slots">
      <h2 id="slots">Places</h2>
      <div className="panel table-host">
        <table className="table" data-inset="" data-density="compact">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Column</th>
            </tr>
          </thead>
          <tbody>
            {workflow.slots.map((slot) => (
              <tr key={slot.key}>
                <th scope="row">{slot.label}</th>
                <td>
                  {slot.column ? (
                    <span className="row" data-gap="tight" data-nowrap="">
                      <span className="dot" data-colour={slot.column.colour} aria-hidden="true" />
                      {slot.column.label}
                    </span>
                  ) : (
                    <span className="row">
                      <Chip tone="warn" glyph="stuck">
                        Empty
                      </Chip>
                      {mayAdmin && free.length > 0 && (
                        <ActingSelect
                          size="sm"
                          aria-label={`Link a column to ${slot.label}`}
                          disabled={busy !== null}
                          value=""
                          onChoose={(columnId) => link(slot, columnId)}
                        >
                          <option value="" disabled>
                            Link a column
                          </option>
                          {free.map(({ columnId, label }) => (
                            <option key={columnId} value={columnId}>
                              {label}
                            </option>
                          ))}
                        </ActingSelect>
                      )}
                      {mayAdmin && free.length === 0 && (
                        <span className="muted">Add a column in the board settings, then link it here.</span>
                      )}
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
