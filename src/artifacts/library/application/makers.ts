import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import type { Maker } from '../domain/artifact-types.js';

/** How an artifact or a version is signed. */
export function makerOf(actor: Actor): Maker {
  return { kind: actor.kind === 'person' ? 'person' : 'agent', personId: personIdOf(actor) };
}
