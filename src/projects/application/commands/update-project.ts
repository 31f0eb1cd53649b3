import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { ProjectChanges, ProjectField, ProjectState } from '../../domain/project.js';
import { Projects } from '../ports/projects.js';
import { SearchLanguages } from '../ports/search-languages.js';

export interface UpdateProjectInput {
  readonly projectId: string;
  readonly changes: ProjectChanges;
  /** The version that a form showed; left out, the last write wins. */
  readonly expectedVersion?: number;
}

export interface UpdateProjectResult {
  readonly project: ProjectState;
  readonly changed: readonly ProjectField[];
  /** Says that rule files name a slug that is gone; null when the slug stayed. */
  readonly slugNote: string | null;
}

/** Changes the settings of a project; a new name gives a new slug. */
@Injectable()
export class UpdateProject {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly languages: SearchLanguages,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput with every bad setting; DomainError `stale` with the project as it is now. */
  async execute(actor: Actor, input: UpdateProjectInput): Promise<UpdateProjectResult> {
    await this.access.require(actor, input.projectId, 'administer');
    const languages = input.changes.searchLanguage === undefined ? [] : await this.languages.names();
    return this.unitOfWork.run(async () => {
      const project = await this.projects.find(input.projectId);
      if (!project) throw notFound('Project');
      const before = project.state;
      if (input.expectedVersion !== undefined && input.expectedVersion !== before.version) {
        throw conflict(
          'stale',
          'Somebody changed these settings meanwhile. Look at both values and save again.',
          {
            current: before,
          },
        );
      }
      let takenSlugs = new Set<string>();
      if (input.changes.name !== undefined) {
        await this.projects.lockOwner(before.ownerId);
        takenSlugs = await this.projects.slugsOf(before.ownerId, before.id);
      }
      const changed = project.update(input.changes, { takenSlugs, languages }, this.clock.now());
      const slugNote = changed.includes('slug')
        ? `Rule files that name the old slug '${before.slug}' stop matching.`
        : null;
      if (changed.length > 0) {
        await this.projects.save(project);
        await this.tell(actor, before, project.state, changed);
      }
      return { project: project.state, changed, slugNote };
    });
  }

  private async tell(
    actor: Actor,
    before: ProjectState,
    after: ProjectState,
    changed: readonly ProjectField[],
  ): Promise<void> {
    const { id } = after;
    const subject = { subjectType: 'project', subjectId: id, projectId: id };
    const settings = changed.filter((field) => field !== 'slug');
    if (changed.includes('slug')) {
      const slugs = { oldSlug: before.slug, newSlug: after.slug };
      await this.outbox.publish(actor, {
        type: 'ProjectRenamed',
        aggregateId: id,
        projectId: id,
        payload: { projectId: id, ...slugs },
      });
      await this.audit.record(actor, { operation: 'project.renamed', ...subject, context: slugs });
    }
    await this.outbox.publish(actor, {
      type: 'ProjectSettingsChanged',
      aggregateId: id,
      projectId: id,
      payload: { projectId: id, fields: settings },
    });
    await this.audit.record(actor, {
      operation: 'project.updated',
      ...subject,
      context: { fields: settings },
    });
    await this.live.publish(`project:${id}`, { type: 'settings', subjectId: id, version: after.version });
  }
}
