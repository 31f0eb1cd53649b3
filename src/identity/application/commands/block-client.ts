import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { checkedClientId } from '../../domain/oauth-client.js';
import { BlockedClients } from '../ports/blocked-clients.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

/**
 * An admin shuts an app out: it starts no sign-in, and its connections refuse until it is unblocked. Repeating it changes
 * nothing. @throws DomainError `not_found` for others; InvalidInput.
 */
@Injectable()
export class BlockClient {
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
      const changed = await this.blocked.block(clientId, personIdOf(actor));
      if (!changed) return { changed };
      await this.audit.record(actor, { operation: 'client.blocked', context: { clientId } });
      await this.signals.publish('access', { cause: 'ClientBlocked' });
      return { changed };
    });
  }
}
