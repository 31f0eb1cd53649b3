import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { TypedArtifacts } from '../ports/typed-artifacts.js';

/** Charts and tables go with their project. */
@Injectable()
export class WhenProjectDeleted implements EventListener {
  readonly name = 'typed-artifacts-when-project-deleted';
  readonly types = ['ProjectDeleted'];

  constructor(private readonly artifacts: TypedArtifacts) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.projectId !== null) await this.artifacts.purgeProject(event.projectId);
  }
}
