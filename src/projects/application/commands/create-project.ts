import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, forbidden } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Project, type ProjectState } from '../../domain/project.js';
import { OWNED_PROJECTS_MAX } from '../../domain/project-limits.js';
import { ProjectHooks } from '../ports/project-hooks.js';
import { Projects } from '../ports/projects.js';
import { SearchLanguages } from '../ports/search-languages.js';

export interface CreateProjectInput {
  readonly name: string;
  readonly description?: string;
  readonly searchLanguage?: string;
  /** Workflow template of the new board. */
  readonly templateKey?: string;
}

/** Makes a project that belongs to the person, with the rows that every context needs for it. */
@Injectable()
export class CreateProject {
  constructor(
    private readonly projects: Projects,
    private readonly languages: SearchLanguages,
    private readonly hooks: ProjectHooks,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput; DomainError `too_many` for an owner of 500 projects. */
  async execute(actor: Actor, input: CreateProjectInput): Promise<ProjectState> {
    const ownerId = personIdOf(actor);
    if (ownerId === null)
      throw forbidden('A project belongs to a person. Sign in and create it in the browser.');
    const languages = await this.languages.names();
    return this.unitOfWork.run(async () => {
      await this.projects.lockOwner(ownerId);
      const takenSlugs = await this.projects.slugsOf(ownerId);
      const { name, description, searchLanguage } = input;
      const project = Project.create(
        this.ids.next(),
        ownerId,
        { name, description, searchLanguage },
        { takenSlugs, languages },
        this.clock.now(),
      );
      if (takenSlugs.size >= OWNED_PROJECTS_MAX) {
        throw conflict(
          'too_many',
          `You own ${OWNED_PROJECTS_MAX} projects, which is the limit. Delete or transfer one first.`,
        );
      }
      await this.projects.add(project);
      const { id } = project.state;
      for (const initializer of this.hooks.initializers) {
        await initializer.initialize(actor, { id, ownerId, templateKey: input.templateKey ?? null });
      }
      await this.outbox.publish(actor, {
        type: 'ProjectCreated',
        aggregateId: id,
        projectId: id,
        personId: ownerId,
        payload: { projectId: id, ownerId },
      });
      await this.audit.record(actor, {
        operation: 'project.created',
        subjectType: 'project',
        subjectId: id,
        projectId: id,
      });
      await this.live.publish(`me:${ownerId}`, { type: 'projects', subjectId: id });
      return project.state;
    });
  }
}
