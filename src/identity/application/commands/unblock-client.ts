import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { checkedClientId } from '../../domain/oauth-client.js';
import { BlockedClients } from '../ports/blocked-clients.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

/**
 * An admin lets an app in again; connections that were not revoked meanwhile work again. Repeating it changes nothing.
 * @throws DomainError `not_found` for others; InvalidInput.
 */
@Injectable()
export class UnblockClient {
  constructor(
    private readonly persons: Persons,
    private readonly blocked: BlockedClients,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly signals: Signals,
  ) {}

  async execute(actor: Actor, input: { readonly clientId: string }): Promise<{ readonly changed: boolean }> {
    await requireAdmin(this.persons, actor);
    const clientId = checkedClientId(input.clientId);
    return this.unitOfWork.run(async () => {
      await requireAdmin(this.persons, actor);
      const changed = await this.blocked.unblock(clientId);
      if (!changed) return { changed };
      await this.audit.record(actor, { operation: 'client.unblocked', context: { clientId } });
      await this.signals.publish('access', { cause: 'ClientUnblocked' });
      return { changed };
    });
  }
}
