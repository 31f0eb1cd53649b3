import { Injectable } from '@nestjs/common';
import type { SystemActor } from '#libs/kernel/actor.js';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { DeleteProject } from '../commands/delete-project.js';
import { Memberships } from '../ports/memberships.js';

const ACTOR: SystemActor = { kind: 'system', jobName: 'projects-person-deleted' };

/** Deletes the projects of somebody who deleted the account, and ends the memberships in those of others. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'projects-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(
    private readonly deleteProject: DeleteProject,
    private readonly memberships: Memberships,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    const { personId } = event;
    if (personId === null) return;
    await this.deleteProject.deleteAllOf(ACTOR, personId);
    for (const { projectId, role } of await this.memberships.endAllOf(personId)) {
      await this.outbox.publish(ACTOR, {
        type: 'MemberRemoved',
        aggregateId: projectId,
        projectId,
        personId,
        payload: { projectId, personId, role, by: null },
      });
      await this.audit.record(ACTOR, {
        operation: 'member.left',
        subjectType: 'person',
        subjectId: personId,
        projectId,
        context: { role },
      });
    }
  }
}
