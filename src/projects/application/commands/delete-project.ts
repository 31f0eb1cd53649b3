import { Injectable } from '@nestjs/common';
import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, forbidden, InvalidInput, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Project } from '../../domain/project.js';
import { Projects } from '../ports/projects.js';

export interface DeleteProjectInput {
  readonly projectId: string;
  /** The name of the project, typed by the owner. */
  readonly typedName: string;
}

/** Deletes a project: at once nobody reaches it, and each context purges what it holds when it hears of it. */
@Injectable()
export class DeleteProject {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly signals: Signals,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `forbidden` for anybody but the owner; InvalidInput for another name. */
  async execute(actor: Actor, input: DeleteProjectInput): Promise<void> {
    await this.access.require(actor, input.projectId, 'read');
    await this.unitOfWork.run(async () => {
      const project = await this.projects.find(input.projectId);
      if (!project) throw notFound('Project');
      if (personIdOf(actor) !== project.state.ownerId) {
        throw forbidden('Only the owner may delete a project.');
      }
      if (input.typedName.trim() !== project.state.name) {
        throw new InvalidInput([
          { argument: 'typedName', sentence: 'Type the name of the project exactly as it is written.' },
        ]);
      }
      await this.end(actor, project);
    });
  }

  /** Deletes every project of somebody who is gone; runs in the transaction of the caller. */
  async deleteAllOf(actor: Actor, ownerId: string): Promise<void> {
    this.unitOfWork.requireTransaction();
    if (actor.kind !== 'system')
      throw new DomainError('forbidden', 'forbidden', 'Only Loupe itself does this.');
    for (const project of await this.projects.ownedBy(ownerId)) await this.end(actor, project);
  }

  private async end(actor: Actor, project: Project): Promise<void> {
    project.delete(this.clock.now());
    await this.projects.save(project);
    const { id, ownerId } = project.state;
    await this.outbox.publish(actor, {
      type: 'ProjectDeleted',
      aggregateId: id,
      projectId: id,
      personId: ownerId,
      payload: { projectId: id },
    });
    await this.audit.record(actor, {
      operation: 'project.deleted',
      subjectType: 'project',
      subjectId: id,
      projectId: id,
    });
    await this.live.publish(`project:${id}`, { type: 'deleted', subjectId: id });
    await this.live.publish(`me:${ownerId}`, { type: 'projects', subjectId: id });
    await this.signals.publish('access', { projectId: id, cause: 'ProjectDeleted' });
  }
}
