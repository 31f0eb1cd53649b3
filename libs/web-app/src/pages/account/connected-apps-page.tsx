import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Plug } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import type { ConnectionGroup, ConnectionRow } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { Banner } from '../../components/banner';
import { Button, ButtonLink } from '../../components/button';
import { Chip } from '../../components/chip';
import { ConfirmDialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { useSidebarProject } from '../../shell/sidebar-project';
import { accessWords, clientInfo, groupName } from './access-words';
import { connectionsQuery } from './account-data';
import { AccountTabs } from './account-tabs';

type Asked =
  | { readonly kind: 'group'; readonly group: ConnectionGroup }
  | { readonly kind: 'one'; readonly group: ConnectionGroup; readonly connection: ConnectionRow }
  | { readonly kind: 'all'; readonly count: number };

/** The apps that act for this person, by app and project. The list is live. */
export default function ConnectedAppsPage() {
  usePage('Connected apps', [{ label: 'Account', to: '/account' }]);
  const queries = useQueryClient();
  const project = useSidebarProject();
  const { data: groups, error, refetch } = useQuery(connectionsQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: connectionsQuery.queryKey });
  useLive(['me'], () => void refresh());
  const [search] = useSearchParams();
  const reset = search.get('after') === 'reset';
  const all = groups?.reduce((sum, group) => sum + group.count, 0) ?? 0;

  const revoke = async () => {
    if (!asked) return;
    if (asked.kind === 'one') {
      await api.delete(`/account/connections/${asked.connection.id}`);
      toast({ title: 'The connection is revoked.' });
    } else {
      const body =
        asked.kind === 'all'
          ? { all: true }
          : {
              clientId: asked.group.clientId,
              label: asked.group.label ?? undefined,
              projectId: asked.group.project?.id,
            };
      const { revoked } = await api.post<{ revoked: number }>('/account/connections/revoke', body);
      toast({ title: revoked === 1 ? '1 connection is revoked.' : `${revoked} connections are revoked.` });
    }
    await refresh();
  };

  return (
    <>
      <PageHead
        title="Account"
        actions={
          groups &&
          groups.length > (reset ? 0 : 1) && (
            <Button variant="danger" onClick={() => setAsked({ kind: 'all', count: all })}>
              Revoke all
            </Button>
          )
        }
      />
      <AccountTabs />
      <div className="page-body page-body--tabbed" data-width="full">
        {!groups && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
        {reset && groups && (
          <Banner tone="accent">
            Your new password holds, and your other sessions are ended.
            {groups.length > 0 && ' Apps stay connected: revoke what you do not know.'}
          </Banner>
        )}
        {groups?.length === 0 && (
          <EmptyState
            icon={Plug}
            title="No app is connected"
            actions={
              <ButtonLink to={project ? `/projects/${project.id}/connect` : '/projects'} variant="primary">
                Connect an agent
              </ButtonLink>
            }
          >
            Agents and command lines that you allow to act for you show here. You can take the access away at
            any time.
          </EmptyState>
        )}
        {groups && groups.length > 0 && (
          <section aria-labelledby="apps">
            <h2 id="apps">Connected apps</h2>
            <p className="muted">What you revoke stops at once. Signing in again needs your approval.</p>
            <Table
              caption="Connected apps"
              columns={['App', 'May', 'Project', 'Connected', 'Last used', ACTIONS]}
            >
              {groups.map((group) => (
                <Group key={keyOf(group)} group={group} onAsk={setAsked} />
              ))}
            </Table>
          </section>
        )}
      </div>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={titleOf(asked)}
        action={
          asked?.kind === 'one' ? 'Revoke connection' : asked?.kind === 'all' ? 'Revoke all' : 'Revoke app'
        }
        onConfirm={revoke}
      >
        <p>{textOf(asked)}</p>
      </ConfirmDialog>
    </>
  );
}

function keyOf(group: ConnectionGroup): string {
  return [group.clientId, group.label ?? '', group.project?.id ?? ''].join('|');
}

function titleOf(asked: Asked | null): string {
  if (!asked) return '';
  if (asked.kind === 'all') return 'Revoke all apps?';
  return asked.kind === 'one' ? 'Revoke this connection?' : `Revoke ${groupName(asked.group)}?`;
}

function textOf(asked: Asked | null): string {
  if (!asked) return '';
  if (asked.kind === 'all')
    return `${asked.count} connections stop at once. Every app has to be approved again.`;
  if (asked.kind === 'one') return 'Its next request is refused. The other connections of the app stay.';
  const n = asked.group.count;
  return `${n === 1 ? 'Its connection stops' : `Its ${n} connections stop`} at once. The app has to be approved again.`;
}

interface GroupProps {
  readonly group: ConnectionGroup;
  readonly onAsk: (asked: Asked) => void;
}

function Group({ group, onAsk }: GroupProps) {
  const [open, setOpen] = useState(false);
  const name = groupName(group);
  return (
    <>
      <tr>
        <th scope="row">
          <span className="app-name">
            <b dir="auto">{name}</b>
            {group.clientHost && (
              <span className="small muted">
                calls itself “<span dir="auto">{group.clientName}</span>”
                {!group.verified && (
                  <>
                    {' '}
                    <Chip variant="outline">not verified</Chip>
                  </>
                )}
              </span>
            )}
            {!group.clientHost && group.label && <span className="small muted">{group.clientName}</span>}
          </span>
        </th>
        <td className="muted" data-label="May" data-span="">
          {accessWords(group.scopes).join(', ')}
        </td>
        <td data-label="Project">
          {group.project ? (
            <Link to={`/projects/${group.project.id}`} dir="auto">
              {group.project.name}
            </Link>
          ) : (
            <span className="muted">All your projects</span>
          )}
        </td>
        <td className="muted nowrap" data-label="Connected">
          <RelativeTime at={group.createdAt} />
        </td>
        <td className="muted nowrap" data-label="Last used">
          {group.lastUsedAt ? <RelativeTime at={group.lastUsedAt} /> : 'never'}
        </td>
        <td className="end">
          <span className="row" data-nowrap="" data-gap="tight">
            <Button
              size="sm"
              variant="ghost"
              data-fold=""
              aria-expanded={open}
              onClick={() => setOpen(!open)}
            >
              <Icon icon={ChevronDown} />
              {group.count}
              <span className="visually-hidden">
                {' '}
                {group.count === 1 ? 'connection' : 'connections'} of {name}
              </span>
            </Button>
            <Button
              size="sm"
              variant="danger"
              aria-label={`Revoke ${name}`}
              onClick={() => onAsk({ kind: 'group', group })}
            >
              Revoke
            </Button>
          </span>
        </td>
      </tr>
      {open && (
        <tr className="sub-row">
          <td colSpan={6} data-span="">
            <ul className="rows" aria-label={`Connections of ${name}`}>
              {group.connections.map((connection) => (
                <li key={connection.id} className="rows__item">
                  <span className="rows__text">
                    <span>
                      {clientInfo(connection.lastClientInfo) ?? connection.origin ?? group.clientName}
                      {connection.lastIp && <span className="muted num"> from {connection.lastIp}</span>}
                    </span>
                    <span className="small faint">
                      Connected <RelativeTime at={connection.createdAt} />
                      {', '}
                      {connection.lastUsedAt ? (
                        <>
                          last used <RelativeTime at={connection.lastUsedAt} />
                        </>
                      ) : (
                        'never used'
                      )}
                    </span>
                  </span>
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`Revoke connection of ${name}${connection.lastIp ? ` from ${connection.lastIp}` : ''}`}
                    onClick={() => onAsk({ kind: 'one', group, connection })}
                  >
                    Revoke
                  </Button>
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}
