import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput, notFound } from '#libs/kernel/errors.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SignInLimits } from '../sign-in-limits.js';

/**
 * Recent proof for acts that need it: sets the time of the last proof of this session.
 * @throws InvalidInput for a wrong password; DomainError `confirm_by_company` for people without a
 * password, `rate_limited`, with the same counters as sign-in.
 */
@Injectable()
export class ConfirmPassword {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly hasher: PasswordHasher,
    private readonly limits: SignInLimits,
  ) {}

  async execute(
    actor: PersonActor,
    { password, ip }: { readonly password: string; readonly ip: string | null },
  ): Promise<void> {
    const person = await this.persons.byId(actor.personId);
    if (!person) throw notFound('Account');
    if (!person.hasPassword) {
      throw new DomainError(
        'forbidden',
        'confirm_by_company',
        'Your account has no password. Sign in again through your company, then go on.',
      );
    }
    const { emailLower: email, passwordHash } = person.snapshot();
    await this.limits.check({ email, ip });
    if (!(await this.hasher.matches(passwordHash, password))) {
      await this.limits.failed({ email, ip });
      throw new InvalidInput([{ argument: 'password', sentence: 'That is not your password.' }]);
    }
    await this.limits.check({ email, ip });
    await this.sessions.proved(actor.sessionId);
  }
}
