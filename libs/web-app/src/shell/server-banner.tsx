import { serverState } from '../api/server-state';
import { queryClient } from '../app/query-client';
import { useStore } from '../app/store';
import { Banner } from '../components/banner';
import { Button } from '../components/button';

/** Says that the server is away; requests go on trying by themselves. */
export function ServerBanner() {
  if (useStore(serverState) === 'here') return null;
  return (
    <div className="shell-banner">
      <Banner
        tone="warn"
        alert
        actions={
          <Button size="sm" onClick={() => void queryClient.refetchQueries({ type: 'active' })}>
            Try now
          </Button>
        }
      >
        <b>Loupe does not answer.</b> It is tried again every few seconds. What you typed stays here.
      </Banner>
    </div>
  );
}
