import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { RevokeConnections } from './revoke-connections.js';

/** A group of Connected apps, or all of them. A label or project that is left out selects any, null those without. */
export type RevokeOwnConnectionsInput =
  | { readonly all: true }
  | { readonly clientId: string; readonly label?: string | null; readonly projectId?: string | null };

/** A person ends connections of their own. */
@Injectable()
export class RevokeOwnConnections {
  constructor(private readonly revoke: RevokeConnections) {}

  /** @returns how many ended. */
  execute(actor: PersonActor, input: RevokeOwnConnectionsInput): Promise<number> {
    const own = { personId: actor.personId };
    if ('all' in input) return this.revoke.execute(actor, { selection: own, reason: 'person' });
    const problems = new Problems();
    if (typeof input.clientId !== 'string' || input.clientId === '') {
      problems.add('clientId', 'must name the app to revoke, unless all is true');
    }
    if (input.label !== undefined && input.label !== null && typeof input.label !== 'string') {
      problems.add('label', 'must be text or null');
    }
    if (input.projectId !== undefined && input.projectId !== null && !isUuid(input.projectId)) {
      problems.add('projectId', 'must be a UUID or null');
    }
    problems.throwIfAny();
    const { clientId, label, projectId } = input;
    return this.revoke.execute(actor, {
      selection: { ...own, clientId, label, projectId },
      reason: 'person',
    });
  }
}
