import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { DomainError } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Person } from '../../domain/person.js';
import type { Browser } from '../../domain/web-session.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { SignInLimits } from '../sign-in-limits.js';
import { SignInWays } from '../sign-in-ways.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export interface LogInInput {
  readonly email: string;
  readonly password: string;
  readonly browser: Browser;
  /** Session that the browser had before, of whomever. */
  readonly previous?: { readonly personId: string; readonly sessionId: string };
}

/**
 * Signs a person in by password (`identity.md` 4.3).
 * @throws DomainError `wrong_credentials` alike for unknown addresses and wrong passwords, `suspended` and `unverified`
 *   only after the right password, `password_login_off`, `rate_limited` after too many failures, whatever the password.
 */
@Injectable()
export class LogIn {
  constructor(
    private readonly persons: Persons,
    private readonly hasher: PasswordHasher,
    private readonly limits: SignInLimits,
    private readonly ways: SignInWays,
    private readonly openSession: OpenWebSession,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: Audit,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: LogInInput): Promise<OpenedSession> {
    this.ways.requirePassword();
    const subject = { email: comparableEmail(input.email), ip: input.browser.ip };
    await this.limits.check(subject);
    const known = await this.persons.byEmail(subject.email);
    const right = known
      ? await this.hasher.matches(known.snapshot().passwordHash, input.password)
      : await this.hasher.matchesNobody(input.password);
    if (!known || !right) {
      await this.refused(actor, subject.email);
      await this.limits.failed(subject);
      throw wrongCredentials();
    }
    // Guesses that ran side by side have been counted by now: the limit holds for them too.
    await this.limits.check(subject);
    if (known.state !== 'active') {
      await this.refused(actor, subject.email, known.id, known.state);
      throw refusalOf(known);
    }
    const fresh = this.hasher.isOutdated(known.snapshot().passwordHash)
      ? await this.hasher.hash(input.password)
      : null;
    return this.unitOfWork.run(async () => {
      const person = await this.persons.byId(known.id);
      // The hash took its time; what was decided meanwhile wins.
      if (!person || person.snapshot().passwordHash !== known.snapshot().passwordHash)
        throw wrongCredentials();
      if (person.state !== 'active') throw refusalOf(person);
      const now = this.clock.now();
      if (fresh) person.rehash(fresh, now);
      person.signedIn(now);
      await this.persons.save(person);
      return this.openSession.execute({
        person: person.snapshot(),
        browser: input.browser,
        previous: input.previous,
      });
    });
  }

  private refused(actor: Actor, email: string, personId?: string, why?: string): Promise<void> {
    return this.unitOfWork.run(() =>
      this.audit.record(actor, {
        operation: 'session.refused',
        outcome: 'refused',
        channel: 'web',
        ...(personId ? { subjectType: 'person', subjectId: personId } : {}),
        context: { emailHash: this.secrets.keyedHash('audit-email', email), ...(why ? { why } : {}) },
      }),
    );
  }
}

function wrongCredentials(): DomainError {
  return new DomainError(
    'invalid',
    'wrong_credentials',
    'That e-mail and password do not match. Check both.',
  );
}

function refusalOf(person: Person): DomainError {
  return person.state === 'suspended'
    ? new DomainError(
        'forbidden',
        'suspended',
        'This account is suspended. Ask an administrator of this instance.',
      )
    : new DomainError(
        'forbidden',
        'unverified',
        'This e-mail address is not confirmed yet. Ask an administrator of this instance.',
      );
}
