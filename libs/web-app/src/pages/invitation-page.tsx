import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../api/client';
import { ApiProblem, sentenceOf } from '../api/problem';
import { usePage } from '../app/page-frame';
import { Banner } from '../components/banner';
import { Button, ButtonLink } from '../components/button';
import { LoadProblem } from '../components/page';
import { Skeleton } from '../components/progress';
import { toast } from '../components/toast';
import { GatePage } from '../shell/gate-page';
import { type MemberRole, ROLES } from './project/members-data';

interface Offer {
  readonly projectName: string;
  readonly role: MemberRole;
  readonly invitedBy: string;
  readonly email: string | null;
}

/** What a link into a project offers: yes or no. */
export default function InvitationPage() {
  const { token = '' } = useParams();
  const go = useNavigate();
  const queries = useQueryClient();
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  usePage('Invitation');
  const path = `/invitations/${encodeURIComponent(token)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.get<Offer>(path, { signal }),
    retry: false,
  });
  if (error instanceof ApiProblem && error.isNotFound) {
    return (
      <GatePage
        title="This invitation no longer works"
        actions={
          <ButtonLink to="/projects" variant="primary">
            Go to projects
          </ButtonLink>
        }
      >
        It was used, taken back, or it is more than 7 days old. Ask for a new one.
      </GatePage>
    );
  }
  if (!data) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={3} />}
      </div>
    );
  }
  const answer = async (call: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await call();
    } catch (refusal) {
      setProblem(refusal);
    } finally {
      setBusy(false);
    }
  };
  const role = ROLES.find((each) => each.role === data.role);
  return (
    <GatePage
      title={`Join ${data.projectName}?`}
      actions={
        <>
          <Button
            variant="primary"
            busy={busy}
            onClick={() =>
              void answer(async () => {
                const { projectId, alreadyMember } = await api.post<{
                  projectId: string;
                  alreadyMember: boolean;
                }>(`${path}/accept`);
                await queries.invalidateQueries({ queryKey: ['projects'] });
                toast({
                  title: alreadyMember
                    ? `You work in ${data.projectName} already; your role stays.`
                    : `Welcome to ${data.projectName}.`,
                });
                await go(`/projects/${projectId}`, { replace: true });
              })
            }
          >
            Accept
          </Button>
          <Button
            onClick={() =>
              void answer(async () => {
                await api.post(`${path}/decline`);
                toast({ title: 'The invitation is declined.' });
                await go('/projects', { replace: true });
              })
            }
          >
            Decline
          </Button>
        </>
      }
    >
      <bdi>{data.invitedBy}</bdi> invites you as {role?.word.toLowerCase()}: {role?.may}.
      {data.email && ` The invitation is for ${data.email}.`}
      {problem !== null && (
        <Banner tone="bad" alert>
          {sentenceOf(problem)}
        </Banner>
      )}
    </GatePage>
  );
}
