import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess, type ProjectRole } from '#libs/kernel/ports/project-access.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { ProjectCounts } from '../ports/project-hooks.js';
import { CountForProjects } from './count-for-projects.js';
import { GetProjectSettings, type ProjectSettings } from './get-project-settings.js';

/** A project as its own pages show it. */
export interface ProjectDetails extends ProjectSettings {
  /** Role of the person who asks. */
  readonly role: ProjectRole;
  readonly ownerName: string;
  readonly counts: ProjectCounts;
}

/** One project with its settings, the role of the asking person, and its counts. */
@Injectable()
export class GetProject {
  constructor(
    private readonly settings: GetProjectSettings,
    private readonly access: ProjectAccess,
    private readonly people: PersonDirectory,
    private readonly counting: CountForProjects,
  ) {}

  /** @throws DomainError `not-found`. */
  async execute(actor: Actor, projectId: string): Promise<ProjectDetails> {
    const personId = personIdOf(actor);
    const project = await this.settings.execute(actor, projectId);
    const role = personId === null ? null : await this.access.roleOf(personId, projectId);
    if (role === null) throw notFound('Project');
    const [names, counted] = await Promise.all([
      this.people.names([project.ownerId]),
      this.counting.execute([projectId]),
    ]);
    return {
      ...project,
      role,
      ownerName: names.get(project.ownerId)!,
      counts: counted.get(projectId)!.counts,
    };
  }
}
