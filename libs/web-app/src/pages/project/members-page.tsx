import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, LogOut, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import { ApiProblem, sentenceOf } from '../../api/problem';
import { useCurrentProject } from '../../app/current-project';
import { usePage } from '../../app/page-frame';
import { mayAdminister } from '../../app/session';
import { ActingSelect } from '../../components/acting-select';
import { announce } from '../../components/announcer';
import { Avatar } from '../../components/avatar';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import { InviteForm, type ShownLink } from './invite-form';
import {
  type IssuedInvitation,
  invitationsQuery,
  type Member,
  type MemberRole,
  membersQuery,
  type OpenInvitation,
  ROLES,
  roleWord,
} from './members-data';
import { SettingsTabs } from './settings-tabs';

/** Who works in the project, and who is asked to. Everybody who works in it sees the names. */
export default function MembersPage() {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const may = mayAdminister(project.role);
  usePage('Members', [{ label: project.name, to: `/projects/${project.id}` }]);
  const { data, error, refetch } = useQuery(membersQuery(project.id));
  useLive([`project:${project.id}`], () => {
    void queries.invalidateQueries({ queryKey: membersQuery(project.id).queryKey });
    void queries.invalidateQueries({ queryKey: invitationsQuery(project.id).queryKey });
  });
  return (
    <>
      <PageHead title={may ? 'Project settings' : 'Members'} />
      {may && <SettingsTabs projectId={project.id} />}
      <div className="page-body page-body--tabbed stack" data-fill="" data-gap="wide">
        {!data ? (
          error ? (
            <LoadProblem error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton lines={5} />
          )
        ) : (
          <>
            <section aria-labelledby="people">
              <h2 id="people">People</h2>
              {data.members.length === 0 && (
                <p className="muted">
                  Only {data.owner.you ? 'you are' : 'the owner is'} here.{' '}
                  {may && 'Invite people by mail or with a link.'}
                </p>
              )}
              <Table
                caption="People of the project, the owner first"
                columns={['Name', 'Role', 'Joined', ACTIONS]}
              >
                <tr>
                  <th scope="row">
                    <Name {...data.owner} />
                  </th>
                  <td data-label="Role">Owner</td>
                  <td />
                  <td />
                </tr>
                {data.members.map((member) => (
                  <MemberRow key={member.personId} member={member} may={may} />
                ))}
              </Table>
            </section>
            {may && <Invitations projectId={project.id} />}
          </>
        )}
      </div>
    </>
  );
}

function Name({ displayName, email, you }: Pick<Member, 'displayName' | 'email' | 'you'>) {
  return (
    <span className="row" data-nowrap="">
      <Avatar name={displayName} size="sm" />
      <span>
        <span dir="auto">{displayName}</span>
        {you && <span className="muted"> (you)</span>}
        {email && <span className="small muted block">{email}</span>}
      </span>
    </span>
  );
}

function MemberRow({ member, may }: { readonly member: Member; readonly may: boolean }) {
  const project = useCurrentProject();
  const queries = useQueryClient();
  const go = useNavigate();
  const [removing, setRemoving] = useState(false);
  const refresh = () => queries.invalidateQueries({ queryKey: ['project', project.id] });

  const change = async (role: MemberRole) => {
    try {
      await api.patch(`/projects/${project.id}/members/${member.personId}`, {
        role,
        version: member.version,
      });
      announce(`${member.displayName} is ${roleWord(role)} now.`);
    } catch (error) {
      const stale = error instanceof ApiProblem && error.isStale;
      toast({
        tone: 'bad',
        title: `The role of ${member.displayName} was not changed.`,
        text: stale ? 'Somebody changed it meanwhile; the list shows how it is now.' : sentenceOf(error),
      });
    }
    await refresh();
  };
  return (
    <tr>
      <th scope="row">
        <Name {...member} />
      </th>
      <td data-label="Role">
        {may ? (
          <ActingSelect
            size="sm"
            aria-label={`Role of ${member.displayName}`}
            value={member.role}
            onChoose={(role) => change(role as MemberRole)}
          >
            {ROLES.map(({ role, word }) => (
              <option key={role} value={role}>
                {word}
              </option>
            ))}
          </ActingSelect>
        ) : (
          roleWord(member.role)
        )}
      </td>
      <td data-label="Joined">
        <RelativeTime at={member.joinedAt} />
      </td>
      <td className="end">
        {(may || member.you) && (
          <Button
            size="sm"
            variant="ghost"
            icon={member.you ? LogOut : UserMinus}
            onClick={() => setRemoving(true)}
          >
            {member.you ? 'Leave' : 'Remove'}
          </Button>
        )}
        <ConfirmDialog
          open={removing}
          onClose={() => setRemoving(false)}
          title={member.you ? `Leave ${project.name}?` : `Remove ${member.displayName}?`}
          action={member.you ? 'Leave project' : 'Remove member'}
          onConfirm={async () => {
            await api.delete(`/projects/${project.id}/members/${member.personId}`);
            if (member.you) {
              toast({ title: `You left ${project.name}.` });
              await go('/projects');
              queries.removeQueries({ queryKey: ['project', project.id] });
              await queries.invalidateQueries({ queryKey: ['projects'] });
            } else {
              announce(`${member.displayName} is removed.`);
              await refresh();
            }
          }}
        >
          <p>
            {member.you ? 'You no longer see it' : 'They no longer see the project'}, and{' '}
            {member.you ? 'your' : 'their'} agents and machines stop working in it at once. What{' '}
            {member.you ? 'you' : 'they'} wrote stays.
          </p>
        </ConfirmDialog>
      </td>
    </tr>
  );
}

function Invitations({ projectId }: { readonly projectId: string }) {
  const queries = useQueryClient();
  const [link, setLink] = useState<ShownLink | null>(null);
  const [revoking, setRevoking] = useState<OpenInvitation | null>(null);
  const { data, error, refetch } = useQuery(invitationsQuery(projectId));
  const refresh = () => queries.invalidateQueries({ queryKey: invitationsQuery(projectId).queryKey });

  const act = async (call: () => Promise<unknown>, not: string) => {
    try {
      await call();
    } catch (problem) {
      toast({ tone: 'bad', title: not, text: sentenceOf(problem) });
    }
    await refresh();
  };
  return (
    <section className="stack" data-fill="" aria-labelledby="invite">
      <h2 id="invite">Invite</h2>
      {error && !data ? (
        <LoadProblem error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={3} />
      ) : (
        <>
          <InviteForm
            projectId={projectId}
            mailIsOn={data.mailIsOn}
            link={link}
            onLink={(issued) => {
              setLink(issued);
              void refresh();
            }}
          />
          {data.invitations.length > 0 && (
            <Table caption="Open invitations, newest first" columns={['For', 'Role', 'Ends', ACTIONS]}>
              {data.invitations.map((invitation) => (
                <tr key={invitation.id}>
                  <th scope="row">
                    {invitation.email ?? 'Whoever opens the link first'}
                    <span className="small muted block">by {invitation.invitedBy}</span>
                  </th>
                  <td data-label="Role">{roleWord(invitation.role)}</td>
                  <td data-label="Ends">
                    <RelativeTime at={invitation.expiresAt} />
                  </td>
                  <td className="end">
                    <span className="row" data-gap="tight">
                      <Button
                        size="sm"
                        variant="ghost"
                        icon={Link2}
                        onClick={() =>
                          void act(async () => {
                            setLink(
                              await api.post<IssuedInvitation>(
                                `/projects/${projectId}/invitations/${invitation.id}/resend`,
                              ),
                            );
                          }, 'The invitation was not sent again.')
                        }
                      >
                        {invitation.email && data.mailIsOn ? 'Resend' : 'New link'}
                      </Button>
                      <Button size="sm" variant="ghost" onClick={() => setRevoking(invitation)}>
                        Revoke
                      </Button>
                    </span>
                  </td>
                </tr>
              ))}
            </Table>
          )}
          <ConfirmDialog
            open={revoking !== null}
            onClose={() => setRevoking(null)}
            title={`Revoke the invitation ${revoking?.email ? `of ${revoking.email}` : 'link'}?`}
            action="Revoke invitation"
            onConfirm={async () => {
              await api.delete(`/projects/${projectId}/invitations/${revoking!.id}`);
              announce('The invitation is revoked.');
              if (link?.id === revoking!.id) setLink(null);
              await refresh();
            }}
          >
            <p>Its link stops working at once. You can invite the same person again.</p>
          </ConfirmDialog>
        </>
      )}
    </section>
  );
}
