import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { usePage } from '../../app/page-frame';
import { Glyph } from '../../components/icon';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { overviewQuery } from './admin-data';
import { CheckRow } from './check-row';

export default function OverviewPage() {
  usePage('Overview', [{ label: 'Administration' }]);
  const { data, error, refetch } = useQuery(overviewQuery);
  return (
    <>
      <PageHead title="Administration" sub={data && `Loupe ${data.version}`} />
      <div className="page-body">
        {!data && (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton />)}
        {data && (
          <>
            <section aria-labelledby="counts">
              <h2 id="counts" className="visually-hidden">
                Counts
              </h2>
              <dl className="figures stats">
                <Figure what="People" n={data.people} />
                <Figure what="Projects" n={data.projects} />
                <Figure what="Connections" n={data.connections} />
                <Figure what="Jobs waiting" n={data.queueDepth} />
                <Figure
                  what="Failed jobs"
                  n={data.failedJobs}
                  note={
                    data.failedJobs ? (
                      <Link to="/admin/jobs">Look at them</Link>
                    ) : data.failedJobs === 0 ? (
                      'nothing to do'
                    ) : undefined
                  }
                />
              </dl>
            </section>
            <section aria-labelledby="failing">
              <div className="section-head">
                <h2 id="failing">Needs attention</h2>
                <Link className="small" to="/admin/status">
                  All checks
                </Link>
              </div>
              {data.failing.length === 0 ? (
                <p className="row">
                  <Glyph name="done" tone="good" />
                  Every check holds.
                </p>
              ) : (
                <div className="panel">
                  <ul className="rows">
                    {data.failing.map((check) => (
                      <CheckRow key={check.name} check={check} />
                    ))}
                  </ul>
                </div>
              )}
            </section>
          </>
        )}
      </div>
    </>
  );
}

interface FigureProps {
  readonly what: string;
  /** Null is unknown, and said so. */
  readonly n: number | null;
  readonly note?: React.ReactNode;
}

function Figure({ what, n, note }: FigureProps) {
  return (
    <div className="stat">
      <dt>{what}</dt>
      <dd className="stat__value">
        {n === null ? <span className="faint">unknown</span> : n.toLocaleString('en-GB')}
      </dd>
      {note && <dd className="stat__note">{note}</dd>}
    </div>
  );
}
