import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { sentenceOf } from '../../api/problem';
import type { FailedJob } from '../../api/types';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/dialog';
import { EmptyState } from '../../components/empty-state';
import { LoadProblem } from '../../components/page';
import { Pager } from '../../components/pager';
import { Skeleton } from '../../components/progress';
import { RelativeTime } from '../../components/relative-time';
import { ACTIONS, Table } from '../../components/table';
import { toast } from '../../components/toast';
import type { JobsProps } from './queued-jobs';

interface Answer {
  readonly failed: readonly FailedJob[];
  readonly page: number;
  readonly hasMore: boolean;
}

/** Jobs that failed for good. Each can run again or be put away. */
export function FailedJobs({ page, onPage }: JobsProps) {
  const queries = useQueryClient();
  const [discarding, setDiscarding] = useState<FailedJob | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['admin', 'jobs', 'failed', page],
    queryFn: ({ signal }) => api.get<Answer>('/admin/jobs', { signal, query: { page } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  const refresh = () => queries.invalidateQueries({ queryKey: ['admin'] });
  const queues = [...new Set(data?.failed.map((job) => job.queue))];

  const act = async (call: () => Promise<unknown>, done: string, not: string) => {
    try {
      await call();
      toast({ title: done });
    } catch (refusal) {
      toast({ tone: 'bad', title: not, text: sentenceOf(refusal) });
    }
    await refresh();
  };

  if (!data) {
    return (
      <div className="page-body">
        {error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={6} />}
      </div>
    );
  }
  if (data.failed.length === 0) {
    return (
      <EmptyState icon={RefreshCw} title="No failed job">
        A job that fails four times shows here with its error, and can be run again.
      </EmptyState>
    );
  }
  return (
    <>
      <div className="filters">
        {queues.map((queue) => (
          <Button
            key={queue}
            size="sm"
            icon={RefreshCw}
            onClick={() =>
              void act(
                () => api.post('/admin/jobs/retry', { queue }),
                `The failed jobs of ${queue} run again.`,
                `The jobs of ${queue} were not sent again.`,
              )
            }
          >
            Retry all of {queue}
          </Button>
        ))}
      </div>
      <Table
        caption="Failed jobs, newest first"
        columns={['Job', 'Error', { label: 'Tries', end: true }, 'Failed', ACTIONS]}
        page
      >
        {data.failed.map((job) => (
          <Row
            key={job.id}
            job={job}
            onRetry={() =>
              act(
                () => api.post(`/admin/jobs/${job.id}/retry`),
                `${job.name} runs again.`,
                `${job.name} was not sent again.`,
              )
            }
            onDiscard={() => setDiscarding(job)}
          />
        ))}
      </Table>
      <Pager page={page} hasMore={data.hasMore} onPage={onPage} />
      <ConfirmDialog
        open={discarding !== null}
        onClose={() => setDiscarding(null)}
        title={`Discard ${discarding?.name}?`}
        action="Discard job"
        onConfirm={async () => {
          if (!discarding) return;
          await api.post(`/admin/jobs/${discarding.id}/discard`);
          toast({ title: `${discarding.name} is discarded.` });
          await refresh();
        }}
      >
        <p>The work is not done and cannot be run again from here.</p>
      </ConfirmDialog>
    </>
  );
}

interface RowProps {
  readonly job: FailedJob;
  readonly onRetry: () => Promise<void>;
  readonly onDiscard: () => void;
}

function Row({ job, onRetry, onDiscard }: RowProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" className="row-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
            {job.name}
          </button>
          <div className="small faint">{job.queue}</div>
        </th>
        <td data-span="">
          <span className="job-error">{job.error.split('\n')[0]}</span>
        </td>
        <td className="end num" data-label="Tries">
          {job.attempts}
        </td>
        <td className="muted nowrap" data-label="Failed">
          <RelativeTime at={job.failedAt} />
        </td>
        <td className="end">
          <span className="row" data-nowrap="" data-gap="tight">
            <Button
              size="sm"
              busy={busy}
              aria-label={`Retry ${job.name}`}
              onClick={async () => {
                setBusy(true);
                await onRetry();
                setBusy(false);
              }}
            >
              Retry
            </Button>
            <Button size="sm" variant="ghost" aria-label={`Discard ${job.name}`} onClick={onDiscard}>
              Discard
            </Button>
          </span>
        </td>
      </tr>
      {open && (
        <tr className="sub-row">
          <td colSpan={5} data-span="">
            <dl className="facts">
              <dt>Job id</dt>
              <dd>
                <code>{job.jobId}</code>
              </dd>
              <dt>Data</dt>
              <dd>
                <code>{JSON.stringify(job.data)}</code>
              </dd>
            </dl>
            <div className="codeblock" data-tall="">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
              <pre tabIndex={0}>
                <code>{job.stack ?? job.error}</code>
              </pre>
            </div>
          </td>
        </tr>
      )}
    </>
  );
}
