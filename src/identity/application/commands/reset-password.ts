import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { TokenPurpose } from '../../domain/account-token.js';
import { checkNewPassword } from '../../domain/password-rules.js';
import type { Browser } from '../../domain/web-session.js';
import { AccountLinks, linkGone } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export const PASSWORD_LINKS: readonly TokenPurpose[] = ['reset-password', 'set-password'];

export interface ResetPasswordInput {
  readonly token: string;
  readonly password: string;
  readonly browser: Browser;
  readonly previous?: { readonly personId: string; readonly sessionId: string };
}

/**
 * Sets the password by the link of a mail or of an administrator: ends all sessions, proves the address, signs in.
 * Connections stay. @throws DomainError `link_gone`; InvalidInput for a weak password, which leaves the link good.
 */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly hasher: PasswordHasher,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly openSession: OpenWebSession,
    private readonly announcements: SessionAnnouncements,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    { token, password, browser, previous }: ResetPasswordInput,
  ): Promise<{ readonly session: OpenedSession; readonly first: boolean }> {
    const found = await this.links.find(token, PASSWORD_LINKS);
    const known = found?.personId ? await this.persons.byId(found.personId) : null;
    if (!known || known.state === 'suspended') throw linkGone();
    const problems = new Problems();
    checkNewPassword(problems, password, known.snapshot().email);
    problems.throwIfAny();
    const hash = await this.hasher.hash(password);
    return this.unitOfWork.run(async () => {
      const { personId, purpose } = await this.links.take(token, PASSWORD_LINKS);
      const person = personId === null ? null : await this.persons.byId(personId);
      if (!person || person.state === 'suspended') throw linkGone();
      const first = !person.hasPassword && purpose === 'set-password';
      const now = this.clock.now();
      person.changePassword(hash, now);
      const verified = person.verify(now);
      person.signedIn(now);
      await this.persons.save(person);
      // A change of the address that somebody else began must not outlive the password that they knew.
      await this.links.burn(person.id, [...PASSWORD_LINKS, 'verify-email', 'change-email']);
      if ((await this.sessions.endAll(person.id)) > 0) {
        await this.announcements.ended(actor, {
          personId: person.id,
          sessionId: null,
          cause: 'password-changed',
        });
      }
      await this.outbox.publish(actor, ...person.takeEvents());
      const about = { channel: 'web', subjectType: 'person', subjectId: person.id } as const;
      await this.audit.record(actor, { operation: 'person.password_reset', ...about });
      if (verified) await this.audit.record(actor, { operation: 'person.verified', ...about });
      if (!first) await this.mails.passwordChanged(person.snapshot());
      const session = await this.openSession.execute({ person: person.snapshot(), browser, previous });
      return { session, first };
    });
  }
}
