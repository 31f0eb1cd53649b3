import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AuthorizationRequests, type RequestReference } from '../ports/authorization-requests.js';
import { openRequest } from './open-request.js';

/** A person refuses an app. */
@Injectable()
export class DenyConnection {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly requests: AuthorizationRequests,
    private readonly audit: Audit,
  ) {}

  /** @throws DomainError when there is nothing to answer. */
  execute(
    actor: PersonActor,
    { reference }: { readonly reference: RequestReference },
  ): Promise<{ readonly location: string | null }> {
    return this.unitOfWork.run(async () => {
      const request = openRequest(await this.requests.claim(reference), reference.kind);
      const location = await this.requests.deny(reference);
      await this.audit.record(actor, {
        operation: 'connection.denied',
        channel: 'oauth',
        context: { clientId: request.clientId, scopes: request.scopes },
      });
      return { location };
    });
  }
}
