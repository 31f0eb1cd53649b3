import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { Button } from './button';
import { Dialog } from './dialog';

/** Asks before typed text is left behind, by a link of the app or by closing the tab. */
export function LeaveGuard({ dirty }: { readonly dirty: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);
  const stay = () => blocker.reset?.();
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      title="Leave without saving?"
      footer={
        <>
          <Button onClick={stay}>Stay here</Button>
          <Button variant="danger-solid" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </>
      }
    >
      <p>What you typed on this page is not saved yet.</p>
    </Dialog>
  );
}
