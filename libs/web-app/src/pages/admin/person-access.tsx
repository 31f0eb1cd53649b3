import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { PersonDetails } from '../../api/types';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { accessWords, groupName } from '../account/access-words';
import { personQuery } from './people-data';

type Asked =
  | { readonly kind: 'session'; readonly id: string; readonly what: string }
  | { readonly kind: 'connection'; readonly id: string; readonly what: string };

/** Where a person is signed in, and what acts for them; each can be ended. */
export function PersonAccess({ person }: { readonly person: PersonDetails }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const session = asked?.kind === 'session';
  return (
    <>
      <section aria-labelledby="sessions">
        <h2 id="sessions">Sessions</h2>
        {person.sessions.length === 0 ? (
          <p className="muted">Signed in nowhere.</p>
        ) : (
          <Table
            caption="Where the person is signed in"
            columns={['Browser', 'Address', 'Signed in', 'Last seen', ACTIONS]}
          >
            {person.sessions.map((each) => (
              <tr key={each.id}>
                <th scope="row">{each.browser}</th>
                <td className="muted num" data-label="Address">
                  {each.ip}
                </td>
                <td className="muted nowrap" data-label="Signed in">
                  <RelativeTime at={each.createdAt} />
                </td>
                <td className="muted nowrap" data-label="Last seen">
                  <RelativeTime at={each.lastSeenAt} />
                </td>
                <td className="end">
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`End session ${each.browser}, ${each.ip}`}
                    onClick={() => setAsked({ kind: 'session', id: each.id, what: each.browser })}
                  >
                    End
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <section aria-labelledby="connections">
        <h2 id="connections">Connected apps</h2>
        {person.connections.length === 0 ? (
          <p className="muted">No app is connected.</p>
        ) : (
          <Table
            caption="Apps that act for the person"
            columns={['App', 'May', 'Connected', 'Last used', ACTIONS]}
          >
            {person.connections.map((each) => (
              <tr key={each.id}>
                <th scope="row">
                  <span className="app-name">
                    <b dir="auto">{nameOf(each)}</b>
                    <span className="small muted">
                      {hostOf(each) === null ? (
                        each.clientName
                      ) : (
                        <>
                          calls itself “<span dir="auto">{each.clientName}</span>”
                        </>
                      )}
                    </span>
                    <code className="small">{each.clientId}</code>
                  </span>
                </th>
                <td className="muted" data-label="May">
                  {accessWords(each.scopes).join(', ')}
                </td>
                <td className="muted nowrap" data-label="Connected">
                  <RelativeTime at={each.createdAt} />
                </td>
                <td className="muted nowrap" data-label="Last used">
                  {each.lastUsedAt ? <RelativeTime at={each.lastUsedAt} /> : 'never'}
                </td>
                <td className="end">
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`Revoke ${nameOf(each)}`}
                    onClick={() => setAsked({ kind: 'connection', id: each.id, what: nameOf(each) })}
                  >
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={session ? `End the session in ${asked?.what}?` : `Revoke ${asked?.what}?`}
        action={session ? 'End session' : 'Revoke app'}
        onConfirm={async () => {
          if (!asked) return;
          await api.delete(`/admin/${asked.kind === 'session' ? 'sessions' : 'connections'}/${asked.id}`);
          toast({ title: asked.kind === 'session' ? 'The session is ended.' : 'The app is revoked.' });
          await queries.invalidateQueries({ queryKey: personQuery(person.id).queryKey });
        }}
      >
        <p>
          {session
            ? 'That browser is signed out at once.'
            : 'Its next request is refused. The person has to approve it again.'}
        </p>
      </ConfirmDialog>
    </>
  );
}

type Connection = PersonDetails['connections'][number];

/** Host of an app that identifies itself by an address; null for built-in ones. */
function hostOf({ clientId }: Connection): string | null {
  return clientId.startsWith('https://') ? new URL(clientId).host : null;
}

function nameOf(connection: Connection): string {
  return groupName({ ...connection, clientHost: hostOf(connection) });
}
