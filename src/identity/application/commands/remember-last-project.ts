import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Persons } from '../ports/persons.js';

/** Notes the project that a person looks at; sign-in and pages without a project go back to it. */
@Injectable()
export class RememberLastProject {
  constructor(
    private readonly access: ProjectAccess,
    private readonly persons: Persons,
  ) {}

  async execute(actor: PersonActor, { projectId }: { readonly projectId: string }): Promise<void> {
    await this.access.require(actor, projectId, 'read');
    await this.persons.rememberProject(actor.personId, projectId);
  }
}
