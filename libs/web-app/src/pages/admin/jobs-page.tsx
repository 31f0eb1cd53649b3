import { Link, useSearchParams } from 'react-router';
import { usePage } from '../../app/page-frame';
import { PageHead } from '../../components/page';
import { TabBar } from '../../components/tab-bar';
import { FailedJobs } from './failed-jobs';
import { QueuedJobs, Schedules } from './queued-jobs';

const TABS = [
  ['failed', 'Failed'],
  ['waiting', 'Waiting'],
  ['delayed', 'Delayed'],
  ['active', 'Active'],
  ['schedules', 'Schedules'],
] as const;

/** Work in the background: what failed for good, what the queues hold, and what comes by itself. */
export default function JobsPage() {
  usePage('Jobs', [{ label: 'Administration', to: '/admin' }]);
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const tab = TABS.find(([name]) => name === asked)?.[0] ?? 'failed';
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  const at = { page, onPage: (to: number) => setSearch({ tab, page: String(to) }) };
  return (
    <>
      <PageHead title="Jobs" sub="Work in the background, of every process of this instance." />
      <TabBar label="Jobs">
        {TABS.map(([name, word]) => (
          <Link
            key={name}
            to={name === 'failed' ? '?' : `?tab=${name}`}
            aria-current={name === tab ? 'page' : undefined}
          >
            {word}
          </Link>
        ))}
      </TabBar>
      {tab === 'failed' ? (
        <FailedJobs {...at} />
      ) : tab === 'schedules' ? (
        <Schedules />
      ) : (
        <QueuedJobs key={tab} state={tab} {...at} />
      )}
    </>
  );
}
