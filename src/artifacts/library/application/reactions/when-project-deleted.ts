import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { ArtifactErasure } from '../ports/artifact-erasure.js';

/** Artifacts go with their project. */
@Injectable()
export class WhenProjectDeleted implements EventListener {
  readonly name = 'artifacts-when-project-deleted';
  readonly types = ['ProjectDeleted'];

  constructor(private readonly erasure: ArtifactErasure) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.projectId !== null) await this.erasure.purgeProject(event.projectId);
  }
}
