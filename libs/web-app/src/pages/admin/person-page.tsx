import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import type { OneTimeLink, PersonDetails } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { useSession } from '../../app/session';
import { Banner } from '../../components/banner';
import { Button } from '../../components/button';
import { Chip } from '../../components/chip';
import { ConfirmDialog } from '../../components/dialog';
import { Field } from '../../components/field';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import { useConfirmedPassword } from '../account/confirm-password';
import { NotFoundPage } from '../not-found-page';
import { LinkDialog } from './link-dialog';
import { personQuery, STATE_CHIPS } from './people-data';
import { PersonAccess } from './person-access';

type Act = 'suspend' | 'promote' | 'demote' | 'delete';

/** One account: facts, what can be done, where it is signed in. Nothing of its projects but their number. */
export default function PersonPage() {
  const { personId = '' } = useParams();
  const { data: person, error, refetch } = useQuery(personQuery(personId));
  usePage(person?.displayName ?? 'Person', [
    { label: 'Administration', to: '/admin' },
    { label: 'People', to: '/admin/people' },
  ]);
  if (error instanceof ApiProblem && error.status === 404) return <NotFoundPage />;
  if (!person) {
    return (
      <>
        <PageHead title="Person" />
        <div className="page-body">
          {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />}
        </div>
      </>
    );
  }
  return <Person person={person} />;
}

function Person({ person }: { readonly person: PersonDetails }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const self = useSession().person.id === person.id;
  const { confirmed, dialog } = useConfirmedPassword();
  const [asked, setAsked] = useState<Act | null>(null);
  const [reason, setReason] = useState('');
  const [link, setLink] = useState<OneTimeLink | null>(null);
  const { tone, glyph, word } = STATE_CHIPS[person.state];
  const name = person.displayName;

  const act = async (what: Act | 'reinstate' | 'verify', said: string, body: object = {}) => {
    await confirmed(() => api.post(`/admin/people/${person.id}/${what}`, body));
    toast({ title: said });
    void queries.invalidateQueries({ queryKey: ['admin', 'people'] });
    if (what === 'delete') {
      queries.removeQueries({ queryKey: personQuery(person.id).queryKey });
      await navigate('/admin/people');
    } else {
      await queries.invalidateQueries({ queryKey: personQuery(person.id).queryKey });
    }
  };
  const atOnce = async (what: 'reinstate' | 'verify', said: string) => {
    try {
      await act(what, said);
    } catch (problem) {
      toast({ tone: 'bad', title: 'Nothing was changed.', text: (problem as Error).message });
    }
  };
  const issueLink = async () => {
    try {
      setLink(await confirmed(() => api.post<OneTimeLink>(`/admin/people/${person.id}/reset-link`)));
    } catch (problem) {
      if (problem instanceof ApiProblem && problem.code === 'confirm_first') return;
      toast({ tone: 'bad', title: 'No link was made.', text: (problem as Error).message });
    }
  };

  return (
    <>
      <PageHead
        title={<span dir="auto">{name}</span>}
        sub={person.email}
        aside={
          <Chip tone={tone} glyph={glyph}>
            {word}
          </Chip>
        }
        actions={
          <>
            {person.state === 'unverified' && (
              <Button onClick={() => void atOnce('verify', `The address of ${name} counts as confirmed.`)}>
                Confirm address
              </Button>
            )}
            {person.state === 'suspended' ? (
              <Button
                variant="primary"
                onClick={() => void atOnce('reinstate', `${name} may sign in again.`)}
              >
                Reinstate
              </Button>
            ) : (
              <Button onClick={() => void issueLink()}>Password link</Button>
            )}
          </>
        }
      />
      <div className="page-body">
        {person.state === 'suspended' && (
          <Banner tone="bad">
            Suspended {person.suspendedAt && <RelativeTime at={person.suspendedAt} />}
            {person.suspendedReason ? `: ${person.suspendedReason}` : ', with no reason given.'}
          </Banner>
        )}
        <section aria-labelledby="facts">
          <h2 id="facts" className="visually-hidden">
            Facts
          </h2>
          <dl className="facts">
            <dt>Role</dt>
            <dd>{person.isAdmin ? 'Administrator of this instance' : 'Person'}</dd>
            <dt>Joined</dt>
            <dd>
              <RelativeTime at={person.createdAt} />
            </dd>
            <dt>Last sign-in</dt>
            <dd>{person.lastLoginAt ? <RelativeTime at={person.lastLoginAt} /> : 'never'}</dd>
            <dt>Signs in</dt>
            <dd>{signInWords(person)}</dd>
            <dt>Projects</dt>
            <dd className="num">{person.projects}</dd>
            <dt>Time zone</dt>
            <dd>{person.timezone.replaceAll('_', ' ')}</dd>
            <dt>Records</dt>
            <dd>
              <Link to={`/admin/audit-log?subject=${person.id}`}>What happened to this account</Link>
            </dd>
          </dl>
        </section>
        <PersonAccess person={person} />
        <section aria-labelledby="rights" className="danger-zone">
          <h2 id="rights">Rights</h2>
          <p className="muted">
            Administrators look after people, flags and jobs. They see no content of projects by that.
          </p>
          <div className="row">
            {person.isAdmin ? (
              <Button onClick={() => setAsked('demote')}>Take administration away</Button>
            ) : (
              <Button
                disabledReason={
                  person.state === 'active' ? null : 'Only an active person can be an administrator.'
                }
                onClick={() => setAsked('promote')}
              >
                Make administrator
              </Button>
            )}
            {person.state !== 'suspended' && (
              <Button
                variant="danger"
                disabledReason={self ? 'You cannot suspend yourself.' : null}
                onClick={() => setAsked('suspend')}
              >
                Suspend
              </Button>
            )}
            <Button
              variant="danger"
              disabledReason={self ? 'Delete your own account under Account.' : null}
              onClick={() => setAsked('delete')}
            >
              Delete account
            </Button>
          </div>
        </section>
      </div>
      <ConfirmDialog
        open={asked === 'suspend'}
        onClose={() => setAsked(null)}
        title={`Suspend ${name}?`}
        action="Suspend person"
        onConfirm={() => act('suspend', `${name} is suspended.`, { reason })}
      >
        <p>All sessions end at once and agents are refused. Reinstating lets them in again.</p>
        <Field label="Reason" hint="Only administrators see it.">
          {(control) => (
            <input
              {...control}
              className="input"
              type="text"
              dir="auto"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'promote'}
        onClose={() => setAsked(null)}
        title={`Make ${name} an administrator?`}
        action="Make administrator"
        danger={false}
        onConfirm={() => act('promote', `${name} is an administrator.`)}
      >
        <p>
          Administrators may suspend and delete people, and change every flag. {name} has to sign in again.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'demote'}
        onClose={() => setAsked(null)}
        title={self ? 'Give administration up?' : `Take administration away from ${name}?`}
        action="Take it away"
        onConfirm={() => act('demote', `${name} is no administrator any more.`)}
      >
        <p>{self ? 'You are' : `${name} is`} signed out and may sign in again as a person.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={`Delete the account of ${name}?`}
        action="Delete account"
        onConfirm={() => act('delete', `The account of ${name} is deleted.`)}
      >
        <p>
          Projects that {name} owns are deleted with all content, for their members too. What {name} wrote in
          projects of others shows “Deleted person”. This cannot be taken back.
        </p>
      </ConfirmDialog>
      <LinkDialog
        title="The link is ready"
        text={`By this link ${name} chooses a new password. The old one holds until then.`}
        link={link}
        onClose={() => setLink(null)}
      />
      {dialog}
    </>
  );
}

function signInWords({ hasPassword, companySignIn }: PersonDetails): string {
  if (hasPassword && companySignIn) return 'by password, and through the company';
  if (companySignIn) return 'through the company';
  return hasPassword ? 'by password' : 'not yet: no password is chosen';
}
