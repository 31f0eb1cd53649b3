import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Browser } from '../../domain/web-session.js';
import { AccountLinks, linkGone } from '../account-links.js';
import { Persons } from '../ports/persons.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export interface VerifyEmailInput {
  readonly token: string;
  readonly browser: Browser;
  readonly previous?: { readonly personId: string; readonly sessionId: string };
}

/** Proves an address by the link in a mail, and signs the bearer in. @throws DomainError `link_gone`. */
@Injectable()
export class VerifyEmail {
  constructor(
    private readonly persons: Persons,
    private readonly links: AccountLinks,
    private readonly openSession: OpenWebSession,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, { token, browser, previous }: VerifyEmailInput): Promise<OpenedSession> {
    return this.unitOfWork.run(async () => {
      const { personId } = await this.links.take(token, ['verify-email']);
      const person = personId === null ? null : await this.persons.byId(personId);
      if (!person || !['unverified', 'active'].includes(person.state)) throw linkGone();
      const now = this.clock.now();
      if (person.verify(now)) {
        await this.outbox.publish(actor, ...person.takeEvents());
        await this.audit.record(actor, {
          operation: 'person.verified',
          channel: 'web',
          subjectType: 'person',
          subjectId: person.id,
        });
      }
      person.signedIn(now);
      await this.persons.save(person);
      await this.links.burn(person.id, ['verify-email']);
      return this.openSession.execute({ person: person.snapshot(), browser, previous });
    });
  }
}
