import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { serverState } from '../api/server-state';
import { queryClient } from '../app/query-client';
import { sessionQuery } from '../app/session';
import { useStore } from '../app/store';
import { Banner } from '../components/banner';
import { Button } from '../components/button';

/** Says that the server is away, for as long as it is. */
export function ServerBanner() {
  // A page that has nothing to fetch would not notice that the network went or came back.
  useEffect(() => {
    const ask = () => void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
    window.addEventListener('offline', ask);
    window.addEventListener('online', ask);
    return () => {
      window.removeEventListener('offline', ask);
      window.removeEventListener('online', ask);
    };
  }, []);
  return useStore(serverState) === 'here' ? null : <Away />;
}

function Away() {
  // The page may have nothing to fetch of its own; the first answer takes the banner away.
  useQuery({ ...sessionQuery, refetchInterval: 4_000 });
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
