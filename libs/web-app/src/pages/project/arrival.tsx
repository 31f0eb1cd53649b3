import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../api/live';
import { useSession } from '../../app/session';
import { exactTime } from '../../components/format-time';
import { Glyph } from '../../components/icon';
import { LoadProblem } from '../../components/page';
import { RelativeTime } from '../../components/relative-time';
import { type ArrivalStep, arrivalOf } from './arrival-steps';
import { machinesQuery } from './connect-data';

/** Keeps the machines of a project fresh while a page shows them. */
export function useMachines(projectId: string) {
  const queries = useQueryClient();
  useLive(['me', `project:${projectId}:connect`], () => {
    void queries.invalidateQueries({ queryKey: ['machines', projectId] });
  });
  return useQuery(machinesQuery(projectId));
}

/** What Loupe sees of a machine that connects, live. */
export function Arrival({ projectId }: { readonly projectId: string }) {
  const { data, error, refetch } = useMachines(projectId);
  if (!data && error) return <LoadProblem error={error} onRetry={() => void refetch()} />;
  return (
    <div className="panel" role="status" aria-label="What Loupe sees">
      <ol className="steps">
        {arrivalOf(data ?? []).map((step) => (
          <Step key={step.key} step={step} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step: { key, state, at, label } }: { readonly step: ArrivalStep }) {
  const { timezone } = useSession().person;
  const words =
    key === 'signed-in'
      ? {
          done: 'Signed in',
          now: 'Waiting for an agent to sign in',
          later: '',
          from: label && ` from “${label}”`,
        }
      : {
          done: 'First call to this project',
          now: 'Waiting for the first call to this project',
          later: 'First call of an agent to this project',
          from: label && ` from “${label}”`,
        };
  return (
    <li data-done={state === 'done' || undefined} data-now={state === 'now' || undefined}>
      <Glyph name={state === 'done' ? 'done' : state === 'now' ? 'working' : 'pending'} />
      {state === 'done' ? (
        <span>
          <b>{words.done}</b>
          {words.from}
        </span>
      ) : state === 'now' ? (
        <span>
          <b>{words.now}</b>
        </span>
      ) : (
        <span className="muted">{words.later}</span>
      )}
      {at ? (
        <span title={exactTime(new Date(at), timezone)}>
          <RelativeTime at={at} />
        </span>
      ) : (
        <span />
      )}
    </li>
  );
}
