import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client';
import type { ListedApp } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { ConfirmDialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';

const appsQuery = queryOptions({
  queryKey: ['admin', 'apps'],
  queryFn: async ({ signal }) => (await api.get<{ apps: ListedApp[] }>('/admin/apps', { signal })).apps,
});

interface Asked {
  readonly act: 'block' | 'revoke';
  readonly app: ListedApp;
}

/** The apps that act for people here. An app can be shut out, or lose all its connections. */
export default function AppsPage() {
  usePage('Apps', [{ label: 'Administration', to: '/admin' }]);
  const queries = useQueryClient();
  const { data: apps, error, refetch } = useQuery(appsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: appsQuery.queryKey });

  const unblock = async (app: ListedApp) => {
    try {
      await api.post('/admin/apps/unblock', { clientId: app.clientId });
      toast({ title: `${nameOf(app)} may connect again.` });
      await refresh();
    } catch (problem) {
      toast({ tone: 'bad', title: 'Nothing was changed.', text: (problem as Error).message });
    }
  };
  const confirmed = async () => {
    if (!asked) return;
    const { act, app } = asked;
    const { revoked } = await api.post<{ revoked?: number }>(`/admin/apps/${act}`, {
      clientId: app.clientId,
    });
    toast({
      title:
        act === 'block'
          ? `${nameOf(app)} is blocked.`
          : `${revoked === 1 ? '1 connection is' : `${revoked} connections are`} revoked.`,
    });
    await refresh();
  };

  return (
    <>
      <PageHead title="Apps" sub="Agents and command lines that people here have allowed to act for them." />
      {!apps && (
        <div className="page-body">
          {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={6} />}
        </div>
      )}
      {apps?.length === 0 && (
        <EmptyState icon={Plug} title="No app is connected">
          An app shows here once somebody has allowed it to act for them, with the number of its connections.
        </EmptyState>
      )}
      {apps && apps.length > 0 && (
        <Table
          caption="Apps, most connections first"
          columns={[
            'App',
            { label: 'Connections', end: true },
            { label: 'People', end: true },
            'Last used',
            ACTIONS,
          ]}
          page
        >
          {apps.map((app) => (
            <Row key={app.clientId} app={app} onAsk={setAsked} onUnblock={() => void unblock(app)} />
          ))}
        </Table>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={asked ? `${asked.act === 'block' ? 'Block' : 'Revoke all of'} ${nameOf(asked.app)}?` : ''}
        action={asked?.act === 'block' ? 'Block app' : 'Revoke all'}
        onConfirm={confirmed}
      >
        <p>
          {asked?.act === 'block'
            ? 'It can start no sign-in, and its connections refuse until you unblock it. None is lost by that.'
            : 'Its connections end for good. Everybody who uses it has to approve it again.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

/** The host of the client stands for it, not the name that it gave itself. */
function nameOf(app: ListedApp): string {
  return app.clientHost ?? app.clientName ?? app.clientId;
}

interface RowProps {
  readonly app: ListedApp;
  readonly onAsk: (asked: Asked) => void;
  readonly onUnblock: () => void;
}

function Row({ app, onAsk, onUnblock }: RowProps) {
  const name = nameOf(app);
  return (
    <tr>
      <th scope="row">
        <span className="app-name">
          <span className="row" data-gap="tight">
            <b dir="auto">{name}</b>
            {app.blockedAt && (
              <Chip tone="bad" variant="plain" glyph="blocked">
                Blocked
              </Chip>
            )}
          </span>
          {app.clientHost && app.clientName && (
            <span className="small muted">
              calls itself “<span dir="auto">{app.clientName}</span>”
              {!app.verified && (
                <>
                  {' '}
                  <Chip variant="outline">not verified</Chip>
                </>
              )}
            </span>
          )}
          <code className="small">{app.clientId}</code>
        </span>
      </th>
      <td className="end num" data-label="Connections">
        {app.connections}
      </td>
      <td className="end num" data-label="People">
        {app.people}
      </td>
      <td className="muted nowrap" data-label="Last used">
        {app.lastUsedAt ? <RelativeTime at={app.lastUsedAt} /> : 'never'}
      </td>
      <td className="end">
        <span className="row" data-nowrap="" data-gap="tight">
          {app.blockedAt ? (
            <Button size="sm" aria-label={`Unblock ${name}`} onClick={onUnblock}>
              Unblock
            </Button>
          ) : (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Block ${name}`}
              onClick={() => onAsk({ act: 'block', app })}
            >
              Block
            </Button>
          )}
          <Button
            size="sm"
            variant="danger"
            aria-label={`Revoke all of ${name}`}
            disabledReason={app.connections === 0 ? 'It has no connection.' : null}
            onClick={() => onAsk({ act: 'revoke', app })}
          >
            Revoke all
          </Button>
        </span>
      </td>
    </tr>
  );
}
