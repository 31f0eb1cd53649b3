import { Injectable } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { GenerationJobs } from '../ports/generation-jobs.js';

/** What a deleted person asked for goes on without their name. */
@Injectable()
export class WhenPersonDeleted implements EventListener {
  readonly name = 'generation-when-person-deleted';
  readonly types = ['PersonDeleted'];

  constructor(private readonly jobs: GenerationJobs) {}

  async handle({ personId }: DomainEvent): Promise<void> {
    if (personId !== null) await this.jobs.forgetPerson(personId);
  }
}
