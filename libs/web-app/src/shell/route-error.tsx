import { RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { ApiProblem } from '../api/problem';
import { serverState } from '../api/server-state';
import { isMissingCode } from '../app/new-release';
import { usePage } from '../app/page-frame';
import { Button, ButtonLink } from '../components/button';
import { GatePage } from './gate-page';

/** Stands for a page that failed in a way nobody foresaw. */
export function RouteError() {
  const error = useRouteError();
  usePage('Something went wrong');
  useEffect(() => {
    console.error(error);
  }, [error]);
  const missing = isMissingCode(error);
  useEffect(() => {
    if (!missing) return undefined;
    // Nothing is lost here, so the page comes by itself as soon as the server answers again.
    return serverState.subscribe(() => {
      if (serverState.get() === 'here') window.location.reload();
    });
  }, [missing]);
  const reference = error instanceof ApiProblem ? error.traceId : null;
  return (
    <GatePage
      title={missing ? 'This page did not arrive' : 'Something went wrong on this page'}
      actions={
        <>
          <Button variant="primary" icon={RefreshCw} onClick={() => window.location.reload()}>
            Reload the page
          </Button>
          <ButtonLink to="/projects">Go to projects</ButtonLink>
        </>
      }
    >
      {missing && 'Check your connection to Loupe, then reload. '}
      {error instanceof ApiProblem ? error.message : 'What you had saved is safe on the server.'}
      {reference && (
        <>
          {' '}
          Reference: <code>{reference}</code>
        </>
      )}
    </GatePage>
  );
}
