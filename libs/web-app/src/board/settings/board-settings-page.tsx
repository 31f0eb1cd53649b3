import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, GripVertical, Plus, Settings2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { announce } from '../../components/announcer';
import { ProblemBanner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { Field } from '../../components/field';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { NotFoundPage } from '../../pages/not-found-page';
import { SettingsTabs } from '../../pages/project/settings-tabs';
import { boardKeys } from '../api';
import { useBoardSpace } from '../data/board-space';
import { useBoardFacts } from '../data/use-card';
import { reordered } from '../model/slug';
import type { Column, ColumnsAnswer } from '../types';
import { ColumnDialog } from './column-dialog';
import { DeleteColumnDialog } from './delete-column-dialog';
import { useColumnDrag } from './use-column-drag';

/** The columns of the board and how long finished cards stay on it. */
export function BoardSettingsPage() {
  const project = useCurrentProject();
  const { mayAdmin } = useBoardSpace();
  usePage('Board settings', [
    { label: project.name, to: `/projects/${project.id}` },
    { label: 'Project settings', to: `/projects/${project.id}/settings` },
  ]);
  if (!mayAdmin) return <NotFoundPage />;
  return (
    <>
      <PageHead title="Project settings" />
      <SettingsTabs projectId={project.id} />
      <div className="page-body" data-width="form">
        <Columns />
        <Window />
      </div>
    </>
  );
}

function Columns() {
  const { api, projectId } = useBoardSpace();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: boardKeys.columns(projectId),
    queryFn: ({ signal }) => api.columns(signal),
  });
  const [order, setOrder] = useState<readonly Column[] | null>(null);
  const [dialog, setDialog] = useState<{ kind: 'new' } | { kind: 'edit' | 'delete'; column: Column } | null>(
    null,
  );
  const [list, setList] = useState<HTMLOListElement | null>(null);

  const take = (answer: ColumnsAnswer) => {
    queries.setQueryData(boardKeys.columns(projectId), answer);
    void queries.invalidateQueries({ queryKey: boardKeys.views(projectId) });
  };
  const columns = order ?? data?.columns.filter((column) => !column.backlog) ?? [];
  const place = async (from: number, to: number, focus?: string) => {
    if (!data || from === to || to < 0 || to >= columns.length) return;
    const next = reordered(columns, from, to);
    setOrder(next);
    const column = columns[from];
    announce(`${column?.label} is now column ${to + 1} of ${columns.length}`);
    if (focus) {
      requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-focus="${focus}"]`)?.focus());
    }
    try {
      take(
        await api.orderColumns(
          next.map((each) => each.columnId),
          data.columnsRevision,
        ),
      );
    } catch (problem) {
      const current = problem instanceof ApiProblem ? problem.current<ColumnsAnswer>() : null;
      if (current?.columns) take(current);
      else void refetch();
      toast({ tone: 'bad', title: 'The order was not saved.', text: sentenceOf(problem) });
    } finally {
      setOrder(null);
    }
  };
  const drag = useColumnDrag(list, place);

  if (error && !data) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={6} />;
  const terminals = data.columns.filter((column) => column.terminal).length;
  return (
    <section aria-labelledby="columns-title">
      <div className="section-head">
        <h2 id="columns-title">Columns</h2>
        <Button size="sm" icon={Plus} onClick={() => setDialog({ kind: 'new' })}>
          Add a column
        </Button>
      </div>
      <p className="muted">
        Cards go from left to right. The Backlog comes before all of them and has a page of its own.
      </p>
      <ol className="panel column-list" ref={setList}>
        {columns.map((column, index) => (
          <li
            key={column.columnId}
            className="column-row"
            data-column-row={index}
            data-over={drag.over === index || undefined}
            data-dragged={drag.dragged === index || undefined}
          >
            <span className="column-row__grip" aria-hidden="true" title="Drag to another place">
              <Icon icon={GripVertical} size="sm" />
            </span>
            <span className="dot" data-colour={column.colour} />
            <span className="column-row__name">
              <b className="truncate" dir="auto">
                {column.label}
              </b>
              <small className="faint">
                {column.terminal && 'Finished work, '}
                {column.slug}, {plural(column.cards, 'card')}
              </small>
            </span>
            <span className="row" data-gap="none">
              <IconButton
                label={`Move ${column.label} up`}
                icon={ArrowUp}
                size="sm"
                aria-disabled={index === 0 || undefined}
                data-focus={`up-${column.columnId}`}
                onClick={() => void place(index, index - 1, `up-${column.columnId}`)}
              />
              <IconButton
                label={`Move ${column.label} down`}
                icon={ArrowDown}
                size="sm"
                aria-disabled={index === columns.length - 1 || undefined}
                data-focus={`down-${column.columnId}`}
                onClick={() => void place(index, index + 1, `down-${column.columnId}`)}
              />
              <IconButton
                label={`Change ${column.label}`}
                icon={Settings2}
                size="sm"
                onClick={() => setDialog({ kind: 'edit', column })}
              />
              {column.terminal && terminals === 1 ? (
                <span className="btn-place" />
              ) : (
                <IconButton
                  label={`Delete ${column.label}`}
                  icon={Trash2}
                  size="sm"
                  onClick={() => setDialog({ kind: 'delete', column })}
                />
              )}
            </span>
          </li>
        ))}
      </ol>
      {(dialog?.kind === 'new' || dialog?.kind === 'edit') && (
        <ColumnDialog
          column={dialog.kind === 'edit' ? dialog.column : null}
          columns={data.columns}
          lastTerminal={dialog.kind === 'edit' && dialog.column.terminal && terminals === 1}
          onClose={() => setDialog(null)}
          onSaved={(answer, label) => {
            take(answer);
            setDialog(null);
            toast({ title: `Column ${label} is saved` });
          }}
          onStale={take}
        />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteColumnDialog
          column={dialog.column}
          columns={data.columns}
          onClose={() => setDialog(null)}
          onDeleted={(answer) => {
            take(answer);
            setDialog(null);
            toast({ title: `Column ${dialog.column.label} is deleted` });
          }}
        />
      )}
    </section>
  );
}

function Window() {
  const { api, projectId } = useBoardSpace();
  const queries = useQueryClient();
  const facts = useBoardFacts();
  const [days, setDays] = useState<string | null>(null);
  const saved = facts?.finishedWindowDays;
  const value = days ?? String(saved ?? '');
  const { form, run, busy, fields, problem } = useSubmit(
    () => api.settings(Number(value)),
    () => {
      void queries.invalidateQueries({ queryKey: boardKeys.views(projectId) });
      setDays(null);
      toast({ title: 'Saved' });
    },
  );
  const number = Number(value);
  const own = /^\d+$/u.test(value) && number >= 1 && number <= 30 ? null : 'Use a number from 1 to 30.';
  if (saved === undefined) return null;
  return (
    <section aria-labelledby="window-title">
      <div className="section-head">
        <h2 id="window-title">Finished work on the board</h2>
      </div>
      <form
        ref={form}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!own) void run();
        }}
      >
        <ProblemBanner problem={problem} />
        <Field
          label="Days that finished cards stay on the board"
          hint="From 1 to 30. Older ones are under “All finished cards”."
          error={days === null ? null : (own ?? fields.finishedWindowDays)}
        >
          {(control) => (
            <input
              {...control}
              className="input num short-number"
              type="text"
              inputMode="numeric"
              value={value}
              onChange={(event) => setDays(event.target.value.trim())}
            />
          )}
        </Field>
        <div className="row">
          <Button
            type="submit"
            busy={busy}
            disabledReason={days === null || number === saved ? 'Nothing changed' : own}
          >
            Save
          </Button>
        </div>
      </form>
    </section>
  );
}
