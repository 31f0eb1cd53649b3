import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import type { SessionRow } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { ProblemBanner } from '../../components/banner';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { ConfirmDialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { Icon } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { SubmitForm } from '../../components/submit-form';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { sessionsQuery } from './account-data';
import { AccountTabs } from './account-tabs';
import { useConfirmedPassword } from './confirm-password';

export default function SecurityPage() {
  usePage('Security', [{ label: 'Account', to: '/account' }]);
  return (
    <>
      <PageHead title="Account" />
      <AccountTabs />
      <div className="page-body page-body--tabbed">
        <Password />
        <Sessions />
      </div>
    </>
  );
}

function Password() {
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedPassword();
  const [password, setPassword] = useState('');
  const submit = useSubmit(
    () => confirmed(() => api.put('/account/password', { password })),
    () => {
      setPassword('');
      void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast({ title: 'The new password holds.', text: 'Your other sessions are ended.' });
    },
  );
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      <SubmitForm submit={submit} className="stack narrow-form" data-fill="">
        <ProblemBanner problem={submit.problem} />
        <Field
          label="New password"
          hint="At least 12 characters. Your other sessions end when it changes."
          error={submit.fields.password}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button
            type="submit"
            busy={submit.busy}
            disabledReason={password === '' ? 'Type a new password first.' : null}
          >
            Change password
          </Button>
        </div>
      </SubmitForm>
      {dialog}
    </section>
  );
}

function Sessions() {
  const queries = useQueryClient();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const [ending, setEnding] = useState<SessionRow | 'others' | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  useLive(['me'], () => void refresh());
  const others = sessions?.filter((each) => !each.current) ?? [];
  return (
    <section aria-labelledby="sessions">
      <div className="section-head">
        <h2 id="sessions">Sessions</h2>
        {others.length > 0 && (
          <Button size="sm" variant="danger" onClick={() => setEnding('others')}>
            End all others
          </Button>
        )}
      </div>
      {!sessions && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
      {sessions && (
        <Table
          caption="Where you are signed in"
          columns={['Browser', 'Address', 'Signed in', 'Last seen', ACTIONS]}
        >
          {sessions.map((each) => (
            <tr key={each.id}>
              <th scope="row">
                <span className="row" data-nowrap="">
                  <Icon icon={Laptop} />
                  {each.browser}
                  {each.current && <Chip tone="accent">This one</Chip>}
                </span>
              </th>
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
                {!each.current && (
                  <Button
                    size="sm"
                    variant="ghost"
                    aria-label={`End session ${each.browser}, ${each.ip}`}
                    onClick={() => setEnding(each)}
                  >
                    End
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={ending === 'others' ? 'End all other sessions?' : 'End this session?'}
        action={ending === 'others' ? 'End sessions' : 'End session'}
        onConfirm={async () => {
          if (ending === 'others') await api.post('/account/sessions/end-others');
          else if (ending) await api.delete(`/account/sessions/${ending.id}`);
          await refresh();
          toast({ title: ending === 'others' ? 'The other sessions are ended.' : 'The session is ended.' });
        }}
      >
        <p>
          {ending === 'others'
            ? `${others.length === 1 ? '1 browser is' : `${others.length} browsers are`} signed out at once. This one stays.`
            : 'That browser is signed out at once. What was typed there and not saved is lost.'}
        </p>
      </ConfirmDialog>
    </section>
  );
}
