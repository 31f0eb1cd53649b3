import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CalendarClock, Inbox } from 'lucide-react';
import { api } from '../../api/client';
import { EmptyState } from '../../components/empty-state';
import { LoadProblem } from '../../components/page';
import { Pager } from '../../components/pager';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { Table } from '../../components/table';

export interface JobsProps {
  readonly page: number;
  readonly onPage: (page: number) => void;
}

export type QueueState = 'waiting' | 'delayed' | 'active';

interface Answer {
  readonly jobs: readonly {
    readonly queue: string;
    readonly id: string;
    readonly name: string;
    readonly data: unknown;
    /** When it may start; null for what may at once. */
    readonly at: string | null;
  }[];
  readonly schedules: readonly {
    readonly queue: string;
    readonly id: string;
    readonly name: string;
    readonly when: string;
    readonly nextAt: string | null;
  }[];
  readonly page: number;
  readonly hasMore: boolean;
}

/** Queues move fast: what is shown is never older than this. */
const LOOK_AGAIN_MS = 5_000;

function useQueue(tab: QueueState | 'schedules', page: number) {
  return useQuery({
    queryKey: ['admin', 'jobs', tab, page],
    queryFn: ({ signal }) => api.get<Answer>('/admin/jobs', { signal, query: { tab, page } }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

const WORDS: Readonly<Record<QueueState, { title: string; text: string }>> = {
  waiting: {
    title: 'Nothing waits',
    text: 'Work that no process has taken yet shows here. It is empty while the workers keep up.',
  },
  delayed: {
    title: 'Nothing is put off',
    text: 'Work for later and tries that are repeated after a pause show here.',
  },
  active: {
    title: 'Nothing is at work',
    text: 'What a process works at right now shows here.',
  },
};

/** What the queues hold in one state. */
export function QueuedJobs({ state, page, onPage }: JobsProps & { readonly state: QueueState }) {
  const { data, error, refetch } = useQueue(state, page);
  const words = WORDS[state];
  if (!data) return <Loading error={error} onRetry={() => void refetch()} />;
  if (data.jobs.length === 0 && page === 1) {
    return (
      <EmptyState icon={Inbox} title={words.title}>
        {words.text}
      </EmptyState>
    );
  }
  return (
    <>
      <Table
        caption={`Jobs, ${state}`}
        columns={['Job', 'Queue', 'About', ...(state === 'delayed' ? ['Starts'] : [])]}
        page
      >
        {data.jobs.map((job) => (
          <tr key={`${job.queue} ${job.id}`}>
            <th scope="row">{job.name}</th>
            <td data-label="Queue">{job.queue}</td>
            <td className="muted" data-span="">
              <code className="job-error">{JSON.stringify(job.data)}</code>
            </td>
            {state === 'delayed' && (
              <td className="muted nowrap" data-label="Starts">
                {job.at ? <RelativeTime at={job.at} /> : 'unknown'}
              </td>
            )}
          </tr>
        ))}
      </Table>
      <Pager page={page} hasMore={data.hasMore} onPage={onPage} />
    </>
  );
}

/** Work that comes by itself, and when it does. */
export function Schedules() {
  const { data, error, refetch } = useQueue('schedules', 1);
  if (!data) return <Loading error={error} onRetry={() => void refetch()} />;
  if (data.schedules.length === 0) {
    return (
      <EmptyState icon={CalendarClock} title="No schedule">
        Schedules are written when a process starts. Start one with the role “worker”, then look again.
      </EmptyState>
    );
  }
  return (
    <Table caption="Schedules" columns={['Job', 'Queue', 'When', 'Next run']} page>
      {data.schedules.map((each) => (
        <tr key={`${each.queue} ${each.id}`}>
          <th scope="row">{each.name}</th>
          <td data-label="Queue">{each.queue}</td>
          <td data-label="When">
            <code>{each.when}</code>
          </td>
          <td className="muted nowrap" data-label="Next run">
            {each.nextAt ? <RelativeTime at={each.nextAt} /> : 'unknown'}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Loading({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div className="page-body">
      {error ? <LoadProblem error={error} onRetry={onRetry} /> : <Skeleton lines={6} />}
    </div>
  );
}
