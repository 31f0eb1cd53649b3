import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { checkNewPassword } from '../../domain/password-rules.js';
import type { Browser } from '../../domain/web-session.js';
import { AccountLinks } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { RecentProof } from '../recent-proof.js';
import { SessionAnnouncements } from '../session-announcements.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';
import { PASSWORD_LINKS } from './reset-password.js';

/**
 * Sets a new password, ends all sessions and opens a fresh one for this browser.
 * @throws DomainError `confirm_first` without a recent proof of the old one; InvalidInput for a weak one.
 */
@Injectable()
export class ChangePassword {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly hasher: PasswordHasher,
    private readonly proof: RecentProof,
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
    actor: PersonActor,
    { password, browser }: { readonly password: string; readonly browser: Browser },
  ): Promise<OpenedSession> {
    const { personId } = actor;
    await this.proof.require(actor);
    const known = await this.persons.byId(personId);
    if (!known) throw notFound('Account');
    const problems = new Problems();
    checkNewPassword(problems, password, known.snapshot().email);
    problems.throwIfAny();
    const hash = await this.hasher.hash(password);
    return this.unitOfWork.run(async () => {
      const person = await this.persons.byId(personId);
      if (!person) throw notFound('Account');
      person.changePassword(hash, this.clock.now());
      await this.persons.save(person);
      // A change of the address that somebody else began must not outlive the password that they knew.
      await this.links.burn(personId, [...PASSWORD_LINKS, 'change-email']);
      await this.mails.passwordChanged(person.snapshot());
      await this.sessions.endAll(personId);
      await this.outbox.publish(actor, ...person.takeEvents());
      await this.audit.record(actor, {
        operation: 'person.password_changed',
        subjectType: 'person',
        subjectId: personId,
      });
      await this.announcements.ended(actor, { personId, sessionId: null, cause: 'password-changed' });
      return this.openSession.execute({ person: person.snapshot(), browser });
    });
  }
}
