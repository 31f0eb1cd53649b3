import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import type { Person } from '../domain/person.js';
import { AccountLinks } from './account-links.js';
import { AccountMails } from './account-mails.js';
import { RevokeConnections } from './commands/revoke-connections.js';
import { Persons } from './ports/persons.js';
import { WebSessions } from './ports/web-sessions.js';
import { SessionAnnouncements } from './session-announcements.js';

export const PURGE_QUEUE = 'purge';
export const PURGE_PERSON = 'identity.purge-people';

/** What deleting an account does at once, within one unit of work (`identity.md` 4.7); a job takes the rest away. */
@Injectable()
export class PersonDeletion {
  constructor(
    private readonly persons: Persons,
    private readonly sessions: WebSessions,
    private readonly links: AccountLinks,
    private readonly mails: AccountMails,
    private readonly revoke: RevokeConnections,
    private readonly announcements: SessionAnnouncements,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /** `actor` must not be the person: the records that are written here stay. @throws DomainError `last_admin`. */
  async run(actor: Actor, person: Person): Promise<void> {
    const { id } = person;
    const before = person.snapshot();
    person.requestDeletion({ activeAdmins: await this.persons.otherActiveAdmins(id) }, this.clock.now());
    await this.persons.save(person);
    await this.sessions.endAll(id);
    await this.links.burn(id, ['verify-email', 'reset-password', 'set-password', 'change-email']);
    await this.revoke.execute(actor, { selection: { personId: id }, reason: 'person-deleted' });
    await this.outbox.publish(actor, ...person.takeEvents());
    await this.audit.record(actor, { operation: 'person.deleted', subjectType: 'person', subjectId: id });
    await this.announcements.ended(actor, { personId: id, sessionId: null, cause: 'deleted' });
    await this.jobs.add(PURGE_QUEUE, `person_${id}`, PURGE_PERSON, { personId: id });
    if (before.emailVerifiedAt) await this.mails.deleted(before);
  }
}
