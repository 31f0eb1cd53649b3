import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { forbidden, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess, refusalOfLevel } from '#libs/kernel/ports/project-access.js';
import type { Project } from '../domain/project.js';
import { Projects } from './ports/projects.js';

/** Projects for commands that change who works in them. */
@Injectable()
export class AdministeredProjects {
  constructor(
    private readonly projects: Projects,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * The project, locked until the transaction ends. The right is asked for once more behind the lock: of two maintainers
   * who remove each other at once, the first commit wins (`platform.md` 17).
   * @throws DomainError `not-found`; `forbidden`, whatever is left of the right
   */
  async hold(actor: Actor, projectId: string): Promise<Project> {
    const project = await this.projects.find(projectId);
    if (!project) throw notFound('Project');
    if (!(await this.access.can(actor, projectId, 'administer'))) {
      throw forbidden(refusalOfLevel('administer'));
    }
    return project;
  }
}
