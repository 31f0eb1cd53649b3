import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../api/client';
import type { Account } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { useProjects } from '../../app/session';
import { ProblemBanner } from '../../components/banner';
import { Button, ButtonLink } from '../../components/button';
import { Field } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { plural } from '../../components/plural';
import { Skeleton } from '../../components/progress';
import { SubmitForm } from '../../components/submit-form';
import { useSubmit } from '../../components/use-submit';
import { membersQuery } from '../project/members-data';
import { accountQuery } from './account-data';
import { AccountTabs } from './account-tabs';
import { useConfirmedPassword } from './confirm-password';

/** Ends the account. What goes with it stands above the button. */
export default function DeletePage() {
  usePage('Delete account', [{ label: 'Account', to: '/account' }]);
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <>
      <PageHead title="Account" />
      <AccountTabs />
      <div className="page-body page-body--tabbed" data-width="form">
        {!account && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
        {account && <Deletion account={account} />}
      </div>
    </>
  );
}

function Deletion({ account }: { readonly account: Account }) {
  const { data: projects } = useProjects();
  const { confirmed, dialog } = useConfirmedPassword();
  const [email, setEmail] = useState('');
  const own = projects?.filter(({ role }) => role === 'owner') ?? [];
  const shared = (projects?.length ?? 0) - own.length;
  const members = useQueries({ queries: own.map(({ id }) => membersQuery(id)) });
  const submit = useSubmit(
    () => confirmed(() => api.post('/account/delete', { email })),
    () => window.location.assign('/login'),
  );
  return (
    <section aria-labelledby="delete">
      <h2 id="delete">Delete your account</h2>
      <p>This happens at once and cannot be taken back:</p>
      <ul className="prose-list">
        <li>You are signed out everywhere, and every connected app stops.</li>
        <li>
          {own.length === 0
            ? 'You own no project, so none is deleted.'
            : own.length === 1
              ? 'The project that you own is deleted with all content, for its members too:'
              : `The ${own.length} projects that you own are deleted with all content, for their members too:`}
          {own.length > 0 && (
            <ul>
              {own.map((project, index) => {
                const others = members[index]?.data?.members.length ?? 0;
                return (
                  <li key={project.id}>
                    <Link to={`/projects/${project.id}`} dir="auto">
                      {project.name}
                    </Link>
                    {others > 0 && (
                      <>
                        , with {plural(others, 'member')}.{' '}
                        <Link to={`/projects/${project.id}/settings#transfer`}>Transfer it first</Link> to
                        keep it for them.
                      </>
                    )}
                  </li>
                );
              })}
            </ul>
          )}
        </li>
        {shared > 0 && (
          <li>
            You leave {shared === 1 ? '1 project' : `${shared} projects`} of others. What you wrote there
            stays and shows “Deleted person”.
          </li>
        )}
      </ul>
      <SubmitForm submit={submit} className="stack" data-fill="">
        <ProblemBanner problem={submit.problem} />
        <Field
          label={
            <>
              Type <b>{account.email}</b> to go on
            </>
          }
          error={submit.fields.email}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="email"
              autoComplete="off"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <div className="row">
          <Button
            type="submit"
            variant="danger-solid"
            busy={submit.busy}
            disabledReason={email.trim() === '' ? 'Type your address first.' : null}
          >
            Delete account
          </Button>
          <ButtonLink to="/account" variant="ghost">
            Keep it
          </ButtonLink>
        </div>
      </SubmitForm>
      {dialog}
    </section>
  );
}
