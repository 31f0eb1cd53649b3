import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { isUuid } from '#libs/kernel/ids.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { RevokeConnections } from '../commands/revoke-connections.js';

/**
 * Marks connections bound to a project as revoked when the project is gone or its member left. Their access ended with
 * the change itself; this makes it visible in Connected apps.
 */
@Injectable()
export class RevokeConnectionsOfProject implements EventListener, OnModuleInit {
  readonly name = 'identity-revoke-connections-of-project';
  readonly types = ['ProjectDeleted', 'MemberRemoved'] as const;

  constructor(
    private readonly listeners: EventListeners,
    private readonly revoke: RevokeConnections,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  async handle(event: DomainEvent): Promise<void> {
    const projectId = event.projectId ?? event.payload.projectId;
    if (!isUuid(projectId)) return;
    const actor = { kind: 'system', jobName: this.name } as const;
    if (event.type === 'ProjectDeleted') {
      await this.revoke.execute(actor, { selection: { projectId }, reason: 'project-deleted' });
      return;
    }
    const personId = event.payload.personId ?? event.personId;
    if (isUuid(personId)) {
      const selection = { personId, projectId, createdBefore: event.occurredAt };
      await this.revoke.execute(actor, { selection, reason: 'member-removed' });
    }
  }
}
