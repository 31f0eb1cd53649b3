import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, PackageOpen, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { usePage } from '../../app/page-frame';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button, IconButton } from '../../components/button';
import { Chip } from '../../components/chip';
import { ConfirmDialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { size } from '../../components/format-size';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { useSubmit } from '../../components/use-submit';
import { AccountTabs } from './account-tabs';

interface ExportRow {
  readonly id: string;
  readonly state: 'pending' | 'running' | 'ready' | 'failed';
  readonly requestedAt: string;
  readonly expiresAt: string | null;
  readonly bytes: number | null;
  readonly downloadPath: string | null;
}

interface Exports {
  readonly exports: readonly ExportRow[];
  readonly workerSeemsDown: boolean;
}

const LOOK_AGAIN_MS = 3_000;
const STATES = {
  pending: { word: 'Waiting', tone: 'neutral', glyph: 'waiting' },
  running: { word: 'Being made', tone: 'accent', glyph: 'working' },
  ready: { word: 'Ready', tone: 'good', glyph: 'done' },
  failed: { word: 'Failed', tone: 'bad', glyph: 'failed' },
} as const;

const underWay = (data: Exports | undefined): boolean =>
  data?.exports.some(({ state }) => state === 'pending' || state === 'running') ?? false;

const exportsQuery = queryOptions({
  queryKey: ['account', 'exports'],
  queryFn: ({ signal }) => api.get<Exports>('/account/exports', { signal }),
  refetchInterval: ({ state }) => (underWay(state.data) ? LOOK_AGAIN_MS : false),
});

/** Copies of the data of this person, to take away. */
export default function DataPage() {
  usePage('Data', [{ label: 'Account', to: '/account' }]);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(exportsQuery);
  const [doomed, setDoomed] = useState<ExportRow | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: exportsQuery.queryKey });
  const ask = useSubmit(
    (requestId) => api.post('/account/exports', undefined, { requestId }),
    () => void refresh(),
  );
  return (
    <>
      <PageHead title="Account" />
      <AccountTabs />
      <div className="page-body page-body--tabbed" data-width="full">
        {!data && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
        {data && (
          <section aria-labelledby="exports">
            <h2 id="exports">Your data</h2>
            <p className="muted">
              An export is a zip with your account and the projects that you own: documents, comments, cards,
              artifacts. It is made in the background and can be downloaded for 48 hours. It is no backup.
            </p>
            <ProblemBanner problem={ask.problem} />
            {data.workerSeemsDown && underWay(data) && (
              <Banner tone="warn">
                Nothing is working at exports at the moment. Yours is made when the worker of this instance is
                back.
              </Banner>
            )}
            <p>
              <Button
                variant="primary"
                busy={ask.busy}
                disabledReason={underWay(data) ? 'An export is being made.' : null}
                onClick={() => void ask.run()}
              >
                {data.exports[0]?.state === 'failed' ? 'Ask again' : 'Ask for an export'}
              </Button>
            </p>
            {data.exports.length === 0 ? (
              <EmptyState icon={PackageOpen} title="No export yet">
                What you ask for shows here.
              </EmptyState>
            ) : (
              <ExportTable rows={data.exports} onDelete={setDoomed} />
            )}
          </section>
        )}
      </div>
      <ConfirmDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        title="Delete this export?"
        action="Delete export"
        onConfirm={async () => {
          await api.delete(`/account/exports/${doomed?.id}`);
          await refresh();
        }}
      >
        <p>Its zip is deleted at once. Your data in Loupe stays.</p>
      </ConfirmDialog>
    </>
  );
}

interface ExportTableProps {
  readonly rows: readonly ExportRow[];
  readonly onDelete: (row: ExportRow) => void;
}

function ExportTable({ rows, onDelete }: ExportTableProps) {
  return (
    <Table
      caption="Exports"
      columns={['Asked for', 'State', { label: 'Size', end: true }, 'Expires', ACTIONS]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <RelativeTime at={row.requestedAt} />
          </th>
          <td>
            <Chip variant="plain" tone={STATES[row.state].tone} glyph={STATES[row.state].glyph}>
              {STATES[row.state].word}
            </Chip>
          </td>
          <td className="end num" data-label="Size" data-none={row.bytes === null || undefined}>
            {row.bytes !== null && size(row.bytes)}
          </td>
          <td className="muted" data-label="Expires" data-none={row.expiresAt === null || undefined}>
            {row.expiresAt !== null && <RelativeTime at={row.expiresAt} />}
          </td>
          <td className="end">
            {row.downloadPath !== null && (
              <a className="btn" data-size="sm" href={row.downloadPath} download>
                <Icon icon={Download} />
                Download
              </a>
            )}{' '}
            <IconButton icon={Trash2} label="Delete export" onClick={() => onDelete(row)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
