import type { PersonActor, SystemActor } from '#libs/kernel/actor.js';

/** Somebody who has not signed in. */
export const VISITOR: SystemActor = { kind: 'system', jobName: 'visitor' };

/** The actor of somebody who has just signed in. */
export function personActor(person: { id: string; isAdmin: boolean }, sessionId: string): PersonActor {
  return { kind: 'person', personId: person.id, sessionId, isAdmin: person.isAdmin };
}
