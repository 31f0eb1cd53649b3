import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { RevokeConnections } from './revoke-connections.js';

/** A person ends one connection of their own. */
@Injectable()
export class RevokeOwnConnection {
  constructor(private readonly revoke: RevokeConnections) {}

  /** @throws DomainError `not-found` for connections of others and for those that have ended. */
  async execute(actor: PersonActor, { connectionId }: { readonly connectionId: string }): Promise<void> {
    const ended = isUuid(connectionId)
      ? await this.revoke.execute(actor, {
          selection: { id: connectionId, personId: actor.personId },
          reason: 'person',
        })
      : 0;
    if (ended === 0) throw notFound('Connection');
  }
}
