import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { displayName } from '../../domain/display-name.js';
import { checkNewPassword } from '../../domain/password-rules.js';
import { Person } from '../../domain/person.js';
import type { Browser } from '../../domain/web-session.js';
import { AccountLimits } from '../account-limits.js';
import { AccountLinks, linkGone } from '../account-links.js';
import { AccountMails } from '../account-mails.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { GetRegistrationState } from '../queries/registration-state.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export interface RegisterPersonInput {
  /** Left out with an invitation, which names the address. */
  readonly email: string;
  readonly displayName: string;
  readonly password: string;
  /** Value of an invitation link. */
  readonly invite: string | null;
  /** Path that opens at the end; an invitation into a project there may open a closed registration. */
  readonly next?: string | null;
  readonly browser: Browser;
}

interface Applicant {
  readonly email: string;
  readonly displayName: string;
  readonly passwordHash: string;
}

export type RegisterPersonResult =
  /** The answer for a new address and for a taken one alike. */
  | { readonly next: 'check-mail'; readonly email: string }
  | { readonly next: 'signed-in'; readonly session: OpenedSession };

/**
 * Somebody makes an account (`identity.md` 4.2). Without an invitation the address has to be proved by mail; a taken
 * address gets the same answer, and its owner a mail that says so.
 * @throws InvalidInput with every wrong field; DomainError `not_installed`, `registration_closed`, `link_gone` for an
 *   invitation that is used up, `rate_limited`, `taken` for the address of an invitation.
 */
@Injectable()
export class RegisterPerson {
  constructor(
    private readonly registration: GetRegistrationState,
    private readonly persons: Persons,
    private readonly hasher: PasswordHasher,
    private readonly limits: AccountLimits,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly openSession: OpenWebSession,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: RegisterPersonInput): Promise<RegisterPersonResult> {
    const state = await this.registration.execute({ invite: input.invite, next: input.next });
    if (state.state === 'not-installed') {
      throw new DomainError('unavailable', 'not_installed', 'This instance is not installed yet.');
    }
    if (state.state === 'link-gone') throw linkGone();
    if (state.state === 'closed') throw closed(state.reason);
    const problems = new Problems();
    const email = emailAddress(problems, state.email ?? input.email);
    const name = displayName(problems, input.displayName);
    checkNewPassword(problems, input.password, email);
    problems.throwIfAny();
    await this.limits.registration(input.browser.ip);
    const applicant = { email, displayName: name, passwordHash: await this.hasher.hash(input.password) };
    return input.invite === null
      ? this.byThemselves(actor, applicant, input.next ?? null)
      : this.byInvitation(actor, applicant, input.invite, input.browser);
  }

  private async byThemselves(
    actor: Actor,
    applicant: Applicant,
    next: string | null,
  ): Promise<RegisterPersonResult> {
    try {
      await this.unitOfWork.run(async () => {
        const known = await this.persons.byEmail(applicant.email);
        if (known) return this.tellOwner(known);
        // One at a time, so that the last place is given once.
        await this.persons.lockInstallation();
        const again = await this.registration.execute({ invite: null, next });
        if (again.state !== 'open') throw closed(again.state === 'closed' ? again.reason : '');
        const person = Person.register({ id: this.ids.next(), ...applicant }, this.clock.now());
        await this.add(actor, person);
        const link = await this.links.issue({ personId: person.id, purpose: 'verify-email' });
        await this.mails.verify(person.snapshot(), link);
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'taken') throw error;
      // Somebody with the same address was faster.
      const known = await this.persons.byEmail(applicant.email);
      if (known) await this.unitOfWork.run(() => this.tellOwner(known));
    }
    return { next: 'check-mail', email: applicant.email };
  }

  /** An administrator vouches for the address of an invitation, so it needs no proof. */
  private byInvitation(
    actor: Actor,
    applicant: Applicant,
    invite: string,
    browser: Browser,
  ): Promise<RegisterPersonResult> {
    return this.unitOfWork.run(async () => {
      await this.links.take(invite, ['invite']);
      const person = Person.createVerified(
        { id: this.ids.next(), ...applicant, isAdmin: false },
        this.clock.now(),
      );
      await this.add(actor, person);
      const session = await this.openSession.execute({ person: person.snapshot(), browser });
      return { next: 'signed-in' as const, session };
    });
  }

  private async add(actor: Actor, person: Person): Promise<void> {
    await this.persons.add(person);
    await this.outbox.publish(actor, ...person.takeEvents());
    await this.audit.record(actor, {
      operation: 'person.registered',
      channel: 'web',
      subjectType: 'person',
      subjectId: person.id,
    });
  }

  /**
   * The owner of an address learns that somebody registered with it. While the address is not proved, nobody knows who
   * chose its password: the owner gets a link to choose one, which also proves it.
   */
  private async tellOwner(known: Person): Promise<void> {
    if (known.state !== 'unverified') return this.mails.accountExists(known.snapshot());
    if (!(await this.limits.proof(known.id))) return;
    const link = await this.links.issue({ personId: known.id, purpose: 'reset-password' });
    await this.mails.reset(known.snapshot(), link);
  }
}

function closed(reason: string): DomainError {
  return new DomainError('forbidden', 'registration_closed', reason);
}
