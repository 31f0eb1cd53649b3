import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import type { Account } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { Banner, ProblemBanner } from '../../components/banner';
import { Button, ButtonLink } from '../../components/button';
import { Field, Select } from '../../components/field';
import { LeaveGuard } from '../../components/leave-guard';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { SubmitForm } from '../../components/submit-form';
import { toast } from '../../components/toast';
import { useSubmit } from '../../components/use-submit';
import { accountQuery } from './account-data';
import { AccountTabs } from './account-tabs';
import { useConfirmedPassword } from './confirm-password';

export default function AccountPage() {
  usePage('Account');
  const queries = useQueryClient();
  // The link to a new address is opened elsewhere.
  useLive(['me'], () => void queries.invalidateQueries({ queryKey: accountQuery.queryKey, exact: true }));
  const { data: account, error, refetch } = useQuery(accountQuery);
  return (
    <>
      <PageHead title="Account" />
      <AccountTabs />
      <div className="page-body page-body--tabbed" data-width="form">
        {!account && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
        {account && <Profile account={account} />}
        {account && <Email account={account} />}
        {account && <Shortcuts account={account} />}
        {account && <Leave />}
      </div>
    </>
  );
}

const ZONES: readonly string[] =
  typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : ['UTC'];

function useSaveAccount() {
  const queries = useQueryClient();
  return (account: Account) => {
    queries.setQueryData(accountQuery.queryKey, account);
    void queries.invalidateQueries({ queryKey: ['session'] });
  };
}

function Profile({ account }: { readonly account: Account }) {
  const save = useSaveAccount();
  const saved = { displayName: account.displayName, timezone: account.timezone };
  const [draft, setDraft] = useState(saved);
  const clean = draft.displayName === saved.displayName && draft.timezone === saved.timezone;
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([draft.timezone, 'UTC', ...ZONES])].sort();
  const submit = useSubmit(
    (id) => api.patch<Account>('/account', draft, { requestId: id }),
    (next) => {
      save(next);
      setDraft({ displayName: next.displayName, timezone: next.timezone });
      toast({ title: 'Your profile is saved.' });
    },
  );
  return (
    <section aria-labelledby="profile">
      <h2 id="profile">Profile</h2>
      <SubmitForm submit={submit} className="stack" data-fill="" data-gap="wide">
        <ProblemBanner problem={submit.problem} />
        <Field
          label="Display name"
          hint="Others see it beside what you write."
          error={submit.fields.displayName}
        >
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              dir="auto"
              autoComplete="name"
              value={draft.displayName}
              onChange={(event) => setDraft({ ...draft, displayName: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Time zone"
          hint={
            here && here !== draft.timezone ? (
              <>
                This browser is in {here}.{' '}
                <button
                  type="button"
                  className="link-btn"
                  onClick={() => setDraft({ ...draft, timezone: here })}
                >
                  Use it
                </button>
              </>
            ) : (
              'Times and days are shown in it.'
            )
          }
          error={submit.fields.timezone}
        >
          {(control) => (
            <Select
              {...control}
              value={draft.timezone}
              onChange={(event) => setDraft({ ...draft, timezone: event.target.value })}
            >
              {zones.map((zone) => (
                <option key={zone} value={zone}>
                  {zone.replaceAll('_', ' ')}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <div className="row">
          <Button
            type="submit"
            variant="primary"
            busy={submit.busy}
            disabledReason={clean ? 'Nothing is changed.' : null}
          >
            Save profile
          </Button>
          <span className="small faint push">
            Here since <RelativeTime at={account.createdAt} />
          </span>
        </div>
      </SubmitForm>
      <LeaveGuard dirty={!clean && !submit.busy} />
    </section>
  );
}

function Email({ account }: { readonly account: Account }) {
  const queries = useQueryClient();
  const { confirmed, dialog } = useConfirmedPassword();
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const submit = useSubmit(
    () => confirmed(() => api.post('/account/email', { email })),
    () => {
      setOpen(false);
      setEmail('');
      void queries.invalidateQueries({ queryKey: accountQuery.queryKey });
      toast({ title: 'A mail is on its way.', text: 'Open the link in it to make the new address yours.' });
    },
  );
  return (
    <section aria-labelledby="email">
      <h2 id="email">E-mail</h2>
      <p>
        <b>{account.email}</b>
      </p>
      {account.pendingEmail && (
        <Banner tone="accent">
          <b>{account.pendingEmail}</b> waits to be confirmed. Open the link in the mail that went there.
        </Banner>
      )}
      {open ? (
        <SubmitForm submit={submit} className="stack" data-fill="">
          <ProblemBanner problem={submit.problem} />
          <Field
            label="New e-mail"
            hint="A link goes there. Until it is opened, the old address stays."
            error={submit.fields.email}
          >
            {(control) => (
              <input
                {...control}
                className="input"
                type="email"
                autoComplete="email"
                // biome-ignore lint/a11y/noAutofocus: the field was asked for
                autoFocus
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <div className="row">
            <Button type="submit" busy={submit.busy}>
              Send the link
            </Button>
            <Button
              variant="ghost"
              onClick={() => {
                submit.clear();
                setOpen(false);
              }}
            >
              Cancel
            </Button>
          </div>
        </SubmitForm>
      ) : (
        <div className="row">
          <Button onClick={() => setOpen(true)}>Change e-mail</Button>
        </div>
      )}
      {dialog}
    </section>
  );
}

function Shortcuts({ account }: { readonly account: Account }) {
  const save = useSaveAccount();
  const { shortcuts } = useSession().person;
  const [wanted, setWanted] = useState<boolean | null>(null);
  const on = wanted ?? shortcuts;
  const change = async (next: boolean) => {
    setWanted(next);
    try {
      save(
        await api.patch<Account>('/account', { preferences: { ...account.preferences, shortcuts: next } }),
      );
    } catch {
      setWanted(null);
      toast({ tone: 'bad', title: 'The choice was not saved.', text: 'It is as before. Try again.' });
    }
  };
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <label className="row" data-nowrap="">
        <input
          className="switch"
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself tells whether it is checked
          role="switch"
          checked={on}
          onChange={(event) => void change(event.target.checked)}
        />
        <span>
          Single keys act, such as <kbd>?</kbd> for help. They rest while you type.
        </span>
      </label>
    </section>
  );
}

function Leave() {
  return (
    <section aria-labelledby="leave">
      <h2 id="leave">Leave</h2>
      <p className="muted">
        Delete your account with the projects that you own. You see first what goes with it.
      </p>
      <div className="row">
        <ButtonLink to="/account/delete">Delete account</ButtonLink>
      </div>
    </section>
  );
}
