import type { Machine } from '../../api/types';

type Arrival = 'done' | 'now' | 'later';

export interface ArrivalStep {
  readonly key: 'signed-in' | 'first-call';
  readonly state: Arrival;
  readonly at: string | null;
  readonly label: string | null;
}

/** The way of the newest machine into this project: signed in, then its first call. The first step not done is the one at work. */
export function arrivalOf(machines: readonly Machine[]): readonly ArrivalStep[] {
  const caller = newest(machines, (each) => each.usedThisProjectAt);
  const signedIn = newest(machines, (each) => each.signedInAt);
  const machine = caller ?? signedIn;
  return [
    {
      key: 'signed-in',
      state: machine ? 'done' : 'now',
      at: machine?.signedInAt ?? null,
      label: machine ? (machine.label ?? machine.clientName) : null,
    },
    {
      key: 'first-call',
      state: caller ? 'done' : machine ? 'now' : 'later',
      at: caller?.usedThisProjectAt ?? null,
      label: caller ? (caller.label ?? caller.clientName) : null,
    },
  ];
}

function newest(machines: readonly Machine[], timeOf: (machine: Machine) => string | null): Machine | null {
  let found: Machine | null = null;
  for (const machine of machines) {
    const time = timeOf(machine);
    if (time !== null && (found === null || time > (timeOf(found) ?? ''))) found = machine;
  }
  return found;
}
