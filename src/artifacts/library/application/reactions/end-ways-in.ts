import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { GitTokens } from '../ports/git-tokens.js';
import { Pushes } from '../ports/pushes.js';
import { Uploads, type UploadsOf } from '../ports/uploads.js';

/**
 * Git tokens and uploads end with the access of whoever has them. Every use asks for the access anew, so nothing is open
 * until an event arrives; this makes it last, should the access come back.
 */
@Injectable()
export class EndWaysIn implements EventListener, OnModuleInit {
  readonly name = 'artifacts-end-ways-in';
  readonly types = [
    'ConnectionRevoked',
    'MemberRemoved',
    'MemberRoleChanged',
    'PersonSuspended',
    'PersonDeleted',
    'ArtifactDeleted',
    'ProjectDeleted',
  ];

  constructor(
    private readonly listeners: EventListeners,
    private readonly tokens: GitTokens,
    private readonly uploads: Uploads,
    private readonly pushes: Pushes,
    private readonly blobs: BlobStore,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this);
  }

  async handle(event: DomainEvent): Promise<void> {
    const { type, aggregateId, personId, occurredAt } = event;
    const projectId = event.projectId ?? undefined;
    if (type === 'ConnectionRevoked') await this.end({ connectionId: aggregateId }, occurredAt);
    else if (type === 'ArtifactDeleted') await this.tokens.revoke({ artifactId: aggregateId }, occurredAt);
    else if (type === 'ProjectDeleted') await this.endProject(projectId ?? aggregateId, occurredAt);
    else if (personId === null) return;
    else if (type === 'MemberRoleChanged') {
      if (mayOnlyRead(event)) await this.tokens.revoke({ personId, projectId, access: 'rw' }, occurredAt);
    } else if (type === 'MemberRemoved') await this.end({ personId, projectId }, occurredAt);
    else {
      await this.end({ personId }, occurredAt);
      if (type === 'PersonDeleted') await this.pushes.remove({ personId });
    }
  }

  private async endProject(projectId: string, at: Date): Promise<void> {
    await this.end({ projectId }, at);
    await this.pushes.remove({ projectId });
  }

  private async end(whose: UploadsOf, at: Date): Promise<void> {
    await this.tokens.revoke(whose, at);
    const keys = await this.uploads.expire(whose);
    this.unitOfWork.afterCommit(async () => {
      for (const key of keys) await this.blobs.delete(key);
    });
  }
}

/** Also when the event does not say: a token is soon minted again. */
function mayOnlyRead({ payload }: DomainEvent): boolean {
  const role = payload.role ?? payload.newRole ?? payload.to;
  return role === undefined || role === 'viewer';
}
