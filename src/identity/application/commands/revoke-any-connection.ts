import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';
import { RevokeConnections } from './revoke-connections.js';

/** An admin ends one connection of whomever. @throws DomainError `not_found`. */
@Injectable()
export class RevokeAnyConnection {
  constructor(
    private readonly persons: Persons,
    private readonly revoke: RevokeConnections,
  ) {}

  async execute(actor: Actor, { connectionId }: { readonly connectionId: string }): Promise<void> {
    await requireAdmin(this.persons, actor);
    const ended = isUuid(connectionId)
      ? await this.revoke.execute(actor, { selection: { id: connectionId }, reason: 'admin' })
      : 0;
    if (ended === 0) throw notFound('Connection');
  }
}
