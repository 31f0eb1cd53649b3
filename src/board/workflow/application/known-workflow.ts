import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { ProjectWorkflow } from '../domain/project-workflow.js';
import { noWorkflow } from '../domain/workflow-refusals.js';
import { BoardOnFirstUse } from './ports/board-on-first-use.js';
import { ProjectWorkflows } from './ports/project-workflows.js';

/**
 * The workflow that a project follows. A project that is older than boards gets its board here, as it does when
 * somebody opens the board: which of the two comes first must not matter.
 */
@Injectable()
export class KnownWorkflow {
  constructor(
    private readonly workflows: ProjectWorkflows,
    private readonly firstUse: BoardOnFirstUse,
  ) {}

  /** @throws DomainError `no_workflow` for a project without a template. */
  async read(actor: Actor, projectId: string): Promise<ProjectWorkflow> {
    return this.foundBy(() => this.workflows.find(projectId), actor, projectId);
  }

  /** The same, locked up to the end of the running transaction. */
  async lock(actor: Actor, projectId: string): Promise<ProjectWorkflow> {
    return this.foundBy(() => this.workflows.findLocked(projectId), actor, projectId);
  }

  private async foundBy(
    find: () => Promise<ProjectWorkflow | null>,
    actor: Actor,
    projectId: string,
  ): Promise<ProjectWorkflow> {
    const workflow = await find();
    if (workflow) return workflow;
    await this.firstUse.ensure(actor, projectId);
    const made = await find();
    if (made) return made;
    throw noWorkflow();
  }
}
