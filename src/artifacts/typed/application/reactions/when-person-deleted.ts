import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { TypedArtifacts } from '../ports/typed-artifacts.js';

/** What somebody who left had made in the projects of others stays, without the name. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'typed-artifacts-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(private readonly artifacts: TypedArtifacts) {}

  async handle(event: DomainEvent): Promise<void> {
    if (event.personId !== null) await this.artifacts.forgetPerson(event.personId);
  }
}
