import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { emailAddress } from '#libs/kernel/email-address.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { displayName } from '../../domain/display-name.js';
import { checkNewPassword } from '../../domain/password-rules.js';
import { Person } from '../../domain/person.js';
import { PasswordHasher } from '../ports/password-hasher.js';
import { Persons } from '../ports/persons.js';
import { WebSessions } from '../ports/web-sessions.js';
import { SessionAnnouncements } from '../session-announcements.js';

export interface CreateAdminInput {
  readonly email: string;
  /** Default: what stands before the @. */
  readonly name?: string;
  /** Left out, a new account gets a made one. An existing account keeps its own in any case. */
  readonly password?: string;
}

export interface CreateAdminResult {
  readonly personId: string;
  readonly outcome: 'created' | 'promoted' | 'already';
  /** The password that was made, to be shown once; null when one was given or kept. */
  readonly madePassword: string | null;
}

/** `admin:create`: makes a verified admin, or promotes and verifies the one who has the address. Safe to repeat. */
@Injectable()
export class CreateAdmin {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly announcements: SessionAnnouncements,
    private readonly hasher: PasswordHasher,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: CreateAdminInput): Promise<CreateAdminResult> {
    const problems = new Problems();
    const email = emailAddress(problems, input.email);
    const name = displayName(problems, input.name ?? (email.split('@')[0] || email));
    if (input.password !== undefined) checkNewPassword(problems, input.password, email);
    problems.throwIfAny();
    const madePassword = input.password === undefined ? randomBytes(18).toString('base64url') : null;
    const passwordHash = await this.hasher.hash(input.password ?? madePassword!);
    return this.unitOfWork.run(async () => {
      await this.persons.lockInstallation();
      const known = await this.persons.byEmail(email);
      return known
        ? this.promote(actor, known)
        : this.create(actor, { email, name, passwordHash, madePassword });
    });
  }

  private async create(
    actor: Actor,
    input: { email: string; name: string; passwordHash: string; madePassword: string | null },
  ): Promise<CreateAdminResult> {
    const person = Person.createVerified(
      {
        id: this.ids.next(),
        email: input.email,
        displayName: input.name,
        passwordHash: input.passwordHash,
        isAdmin: true,
      },
      this.clock.now(),
    );
    await this.persons.add(person);
    await this.outbox.publish(actor, ...person.takeEvents());
    await this.record(actor, person.id, 'person.registered');
    return { personId: person.id, outcome: 'created', madePassword: input.madePassword };
  }

  private async promote(actor: Actor, person: Person): Promise<CreateAdminResult> {
    const now = this.clock.now();
    const verified = person.verify(now);
    const promoted = person.promote(now);
    if (!verified && !promoted) return { personId: person.id, outcome: 'already', madePassword: null };
    await this.persons.save(person);
    await this.outbox.publish(actor, ...person.takeEvents());
    if (verified) await this.record(actor, person.id, 'person.verified');
    if (promoted) {
      await this.record(actor, person.id, 'person.promoted');
      // What was signed in with less must not carry more: the person signs in again.
      if ((await this.sessions.endAll(person.id)) > 0) {
        await this.announcements.ended(actor, { personId: person.id, sessionId: null, cause: 'promoted' });
      }
    }
    return { personId: person.id, outcome: 'promoted', madePassword: null };
  }

  private record(actor: Actor, personId: string, operation: string): Promise<void> {
    return this.audit.record(actor, { operation, subjectType: 'person', subjectId: personId });
  }
}
