import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { DocumentErasure } from '../ports/document-erasure.js';

/** What a deleted person wrote in projects of others stays, without a name (`documents.md` 12). */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'documents-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(private readonly erasure: DocumentErasure) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.personId !== null) await this.erasure.forgetPerson(event.personId);
  }
}
