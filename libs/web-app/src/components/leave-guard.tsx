import { useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';
import { Button } from './button';
import { Dialog } from './dialog';

export interface LeaveGuardProps {
  readonly dirty: boolean;
  /** Whether going there leaves the text behind; another page does, unless it is said here. */
  readonly leaves?: (from: Location, to: Location) => boolean;
}

/** Asks before typed text is left behind, by a link of the app or by closing the tab. */
export function LeaveGuard({ dirty, leaves = isOtherPage }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && leaves(currentLocation, nextLocation),
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

function isOtherPage(from: Location, to: Location): boolean {
  return from.pathname !== to.pathname;
}
