import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { api } from '../../api/client';
import type { CheckState, StatusCheck } from '../../api/types';
import { usePage } from '../../app/page-frame';
import { Button } from '../../components/button';
import { LoadProblem, PageHead } from '../../components/page';
import { Skeleton } from '../../components/progress';
import { CheckRow } from './check-row';

const ORDER: readonly CheckState[] = ['failed', 'warning', 'unknown', 'ok'];

export default function StatusPage() {
  usePage('Status', [{ label: 'Administration', to: '/admin' }]);
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['admin', 'status'],
    queryFn: async ({ signal }) =>
      (await api.get<{ checks: StatusCheck[] }>('/admin/status', { signal })).checks,
    refetchInterval: 30_000,
  });
  const bad = data?.filter((each) => each.state === 'failed').length ?? 0;
  const warnings = data?.filter((each) => each.state === 'warning').length ?? 0;
  return (
    <>
      <PageHead
        title="Status"
        sub={
          data && (
            <span role="status">
              {bad + warnings === 0
                ? `${data.length} checks, nothing to mend.`
                : `${data.length} checks: ${bad} failed, ${warnings} with a warning.`}
            </span>
          )
        }
        actions={
          <Button icon={RefreshCw} busy={isFetching} onClick={() => void refetch()}>
            Check again
          </Button>
        }
      />
      <div className="page-body">
        {!data &&
          (error ? <LoadProblem error={error} onRetry={() => void refetch()} /> : <Skeleton lines={8} />)}
        {data && (
          <div className="panel">
            <ul className="rows" aria-label="Checks">
              {[...data]
                .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
                .map((check) => (
                  <CheckRow key={check.name} check={check} />
                ))}
            </ul>
          </div>
        )}
      </div>
    </>
  );
}
