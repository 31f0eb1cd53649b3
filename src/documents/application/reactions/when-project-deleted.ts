import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { DocumentErasure } from '../ports/document-erasure.js';

/** Documents go with their project. */
@Injectable()
export class WhenProjectDeleted implements EventListener {
  readonly name = 'documents-when-project-deleted';
  readonly types = ['ProjectDeleted'];

  constructor(private readonly erasure: DocumentErasure) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.projectId !== null) await this.erasure.purgeProject(event.projectId);
  }
}
