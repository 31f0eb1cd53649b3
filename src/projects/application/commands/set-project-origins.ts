import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Projects } from '../ports/projects.js';
import { PublicSuffixes } from '../ports/public-suffixes.js';

export interface SetProjectOriginsInput {
  readonly projectId: string;
  /** The whole new list. */
  readonly origins: readonly string[];
  readonly expectedVersion?: number;
}

export interface SetProjectOriginsResult {
  readonly origins: readonly string[];
  readonly changed: boolean;
  readonly version: number;
}

/** Replaces the origins of sites that may embed the review widget of a project. */
@Injectable()
export class SetProjectOrigins {
  constructor(
    private readonly access: ProjectAccess,
    private readonly projects: Projects,
    private readonly suffixes: PublicSuffixes,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly audit: Audit,
    private readonly live: LiveUpdates,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidInput that names every bad entry; DomainError `stale`. */
  async execute(actor: Actor, input: SetProjectOriginsInput): Promise<SetProjectOriginsResult> {
    await this.access.require(actor, input.projectId, 'administer');
    return this.unitOfWork.run(async () => {
      const project = await this.projects.find(input.projectId);
      if (!project) throw notFound('Project');
      if (input.expectedVersion !== undefined && input.expectedVersion !== project.state.version) {
        throw conflict(
          'stale',
          'Somebody changed these settings meanwhile. Look at both values and save again.',
          {
            current: project.state,
          },
        );
      }
      const changed = project.setOrigins(input.origins, (host) => this.suffixes.has(host), this.clock.now());
      const { id, allowedOrigins: origins, version } = project.state;
      if (changed) {
        await this.projects.save(project);
        await this.outbox.publish(actor, {
          type: 'ProjectOriginsChanged',
          aggregateId: id,
          projectId: id,
          payload: { projectId: id, origins },
        });
        await this.audit.record(actor, {
          operation: 'project.origins_set',
          subjectType: 'project',
          subjectId: id,
          projectId: id,
          context: { count: origins.length },
        });
        await this.live.publish(`project:${id}`, { type: 'origins', subjectId: id, version });
      }
      return { origins, changed, version };
    });
  }
}
