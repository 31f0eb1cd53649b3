import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { checkedClientId } from '../../domain/oauth-client.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';
import { RevokeConnections } from './revoke-connections.js';

/** An admin ends every connection of an app, of whomever. @throws DomainError `not_found` for others; InvalidInput. */
@Injectable()
export class RevokeConnectionsOfClient {
  constructor(
    private readonly persons: Persons,
    private readonly revoke: RevokeConnections,
  ) {}

  /** @returns how many ended. */
  async execute(actor: Actor, input: { readonly clientId: string }): Promise<number> {
    await requireAdmin(this.persons, actor);
    const clientId = checkedClientId(input.clientId);
    return this.revoke.execute(actor, { selection: { clientId }, reason: 'admin' });
  }
}
