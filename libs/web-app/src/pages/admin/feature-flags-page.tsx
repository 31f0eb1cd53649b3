import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../api/client';
import { sentenceOf } from '../../api/problem';
import type { Flag, FlagList, FlagValue } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { SearchInput } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { Table } from '../../components/table';
import { toast } from '../../components/toast';
import { titleOf } from './check-row';
import { FlagRow } from './flag-row';
import { type FlagView, flagText, groupFlags } from './flag-values';

const flagsKey = ['admin', 'flags'];

export default function FeatureFlagsPage() {
  usePage('Feature flags', [{ label: 'Administration', to: '/admin' }]);
  const queries = useQueryClient();
  const [search, setSearch] = useSearchParams();
  // The address follows what is typed a moment later; a field that followed the address would lose letters.
  const [words, setWords] = useState(search.get('q') ?? '');
  const view = viewOf(search.get('show'));
  const { data, error, refetch } = useQuery({
    queryKey: flagsKey,
    queryFn: ({ signal }) => api.get<FlagList>('/admin/flags', { signal }),
  });

  const set = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    if (value === '' || value === 'all') next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  };

  const replace = (flag: Flag) => {
    queries.setQueryData<FlagList>(
      flagsKey,
      (now) => now && { ...now, flags: now.flags.map((each) => (each.name === flag.name ? flag : each)) },
    );
    // Sections may come or go with a flag.
    void queries.invalidateQueries({ queryKey: ['session'] });
  };

  const save = async (flag: Flag, value: FlagValue): Promise<boolean> => {
    replace({ ...flag, value });
    try {
      replace(await api.put<Flag>(`/admin/flags/${flag.name}`, { value }));
      return true;
    } catch (refusal) {
      replace(flag);
      toast({ tone: 'bad', title: `${flag.name} was not saved.`, text: sentenceOf(refusal) });
      return false;
    }
  };

  const reset = async (flag: Flag) => {
    try {
      replace(await api.delete<Flag>(`/admin/flags/${flag.name}`));
      toast({
        title: `${flag.name} has its default again.`,
        text: `It is ${flagText(flag.default) || 'empty'}.`,
        action: { label: 'Undo', run: () => void save(flag, flag.value) },
      });
    } catch (refusal) {
      toast({ tone: 'bad', title: `${flag.name} was not reset.`, text: sentenceOf(refusal) });
    }
  };

  const groups = data ? groupFlags(data.flags, words, view) : [];
  const unused =
    data && view !== 'changed' ? data.unused.filter((each) => each.name.includes(words.trim())) : [];
  const shown = groups.reduce((sum, group) => sum + group.flags.length, 0) + unused.length;

  return (
    <>
      <PageHead
        title="Feature flags"
        sub="A change holds for the whole instance within two seconds. Each one is in the audit log."
      />
      <search className="filters">
        <SearchInput
          aria-label="Filter flags"
          placeholder="Filter by name or words"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            set('q', event.target.value);
          }}
        />
        {data && (
          // biome-ignore lint/a11y/useSemanticElements: a group of toggle buttons, not a set of fields
          <div className="segmented" role="group" aria-label="Which flags">
            {(
              [
                ['all', 'All', data.flags.length + data.unused.length],
                ['changed', 'Changed', data.flags.filter((each) => !each.isDefault).length],
                ['unused', 'Unused', data.unused.length],
              ] as const
            ).map(([value, word, n]) => (
              <button
                key={value}
                type="button"
                aria-pressed={view === value}
                onClick={() => set('show', value)}
              >
                {word} <span className="num">{n}</span>
              </button>
            ))}
          </div>
        )}
        <span className="visually-hidden" role="status">
          {data && `${shown} shown`}
        </span>
      </search>
      {!data && (
        <div className="page-body">
          {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={10} />}
        </div>
      )}
      {data && shown === 0 && (
        <div className="empty">
          <h2>
            {view === 'unused'
              ? 'No unused flag'
              : view === 'changed'
                ? 'No changed flag'
                : 'No flag matches'}
          </h2>
          <p>
            {words
              ? 'No flag has these words in its name or description.'
              : view === 'unused'
                ? 'Values that no part of this version reads would show here.'
                : 'Every flag has its default.'}
          </p>
          <div className="row">
            <Button
              onClick={() => {
                setWords('');
                setSearch({}, { replace: true });
              }}
            >
              Show all flags
            </Button>
          </div>
        </div>
      )}
      {data && shown > 0 && (
        <Table
          className="flags"
          caption="Feature flags"
          columns={['Flag', 'Value', { label: 'Default', priority: '2' }, 'Changed by']}
          page
          groups
        >
          {groups.map((group) => (
            <tbody key={group.context}>
              <tr className="group">
                <th scope="rowgroup" colSpan={4}>
                  {titleOf(group.context)}
                </th>
              </tr>
              {group.flags.map((flag) => (
                <FlagRow key={flag.name} flag={flag} onSave={save} onReset={reset} />
              ))}
            </tbody>
          ))}
          {unused.length > 0 && (
            <tbody>
              <tr className="group">
                <th scope="rowgroup" colSpan={4}>
                  Unused
                </th>
              </tr>
              {unused.map((row) => (
                <UnusedRow key={row.name} row={row} onDeleted={() => void refetch()} />
              ))}
            </tbody>
          )}
        </Table>
      )}
    </>
  );
}

function viewOf(text: string | null): FlagView {
  return text === 'changed' || text === 'unused' ? text : 'all';
}

interface UnusedRowProps {
  readonly row: FlagList['unused'][number];
  readonly onDeleted: () => void;
}

function UnusedRow({ row, onDeleted }: UnusedRowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <tr>
      <th scope="row">
        <span className="flag">
          <code>{row.name}</code>
          <span className="muted">No part of this version reads it. It was set by an older one.</span>
        </span>
      </th>
      <td className="flag__value">
        <code>{row.value}</code>
      </td>
      <td data-priority="2" data-none="" />
      <td className="small">
        {row.updatedAt && <RelativeTime at={row.updatedAt} className="muted" />}{' '}
        <button type="button" className="link-btn" onClick={() => setAsking(true)}>
          Delete<span className="visually-hidden"> {row.name}</span>
        </button>
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title={`Delete ${row.name}?`}
          action="Delete value"
          onConfirm={async () => {
            await api.delete(`/admin/flags/${row.name}`);
            toast({ title: `${row.name} is deleted.` });
            onDeleted();
          }}
        >
          <p>This version does not read it. If you go back to an older one, it begins with its default.</p>
        </ConfirmDialog>
      </td>
    </tr>
  );
}
