import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { displayName } from '../../domain/display-name.js';
import { checkNewPassword } from '../../domain/password-rules.js';
import { Person } from '../../domain/person.js';
import type { Browser } from '../../domain/web-session.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { RegistrationSwitch } from '../ports/registration-switch.js';
import { personActor } from '../visitor.js';
import { type OpenedSession, OpenWebSession } from './open-web-session.js';

export interface InstallInstanceInput {
  readonly email: string;
  readonly displayName: string;
  readonly password: string;
  /** What the wizard asks for besides; none when the start of the server installs. */
  readonly wizard?: {
    /** Whether people may register themselves. */
    readonly registration: boolean;
    /** The browser to sign in. */
    readonly browser: Browser;
  };
}

/**
 * Makes the first admin, verified and signed in (`identity.md` 4.1).
 * @throws InvalidInput with everything that is wrong; DomainError `already_installed` when an admin exists, also for the
 *   slower of two calls at once.
 */
@Injectable()
export class InstallInstance {
  constructor(
    private readonly persons: Persons,
    private readonly hasher: PasswordHasher,
    private readonly registration: RegistrationSwitch,
    private readonly openSession: OpenWebSession,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: InstallInstanceInput,
  ): Promise<{ readonly personId: string; readonly session: OpenedSession | null }> {
    const { wizard } = input;
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    const name = displayName(problems, input.displayName);
    checkNewPassword(problems, input.password, email);
    problems.throwIfAny();
    // Hashing is slow: not while the lock is held.
    const passwordHash = await this.hasher.hash(input.password);
    return this.unitOfWork.run(async () => {
      await this.persons.lockInstallation();
      if (await this.persons.anyAdmin()) {
        throw conflict('already_installed', 'This instance is already installed.');
      }
      const person = Person.createVerified(
        { id: this.ids.next(), email, displayName: name, passwordHash, isAdmin: true },
        this.clock.now(),
      );
      await this.persons.add(person);
      await this.outbox.publish(actor, ...person.takeEvents(), {
        type: 'InstanceInstalled',
        aggregateId: person.id,
        personId: person.id,
        payload: { personId: person.id },
      });
      await this.audit.record(actor, {
        operation: 'install.completed',
        subjectType: 'person',
        subjectId: person.id,
        ...(wizard ? { channel: 'web' as const, context: { registration: wizard.registration } } : {}),
      });
      if (!wizard) return { personId: person.id, session: null };
      const session = await this.openSession.execute({ person: person.snapshot(), browser: wizard.browser });
      await this.registration.set(personActor(person.snapshot(), session.sessionId), wizard.registration);
      return { personId: person.id, session };
    });
  }
}
