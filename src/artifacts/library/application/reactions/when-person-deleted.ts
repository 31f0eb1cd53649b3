import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { ArtifactErasure } from '../ports/artifact-erasure.js';

/** What a deleted person made in projects of others stays, without a name. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'artifacts-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(private readonly erasure: ArtifactErasure) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.personId !== null) await this.erasure.forgetPerson(event.personId);
  }
}
