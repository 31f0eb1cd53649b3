import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Workspace } from '../../domain/workspace.js';
import { ArtifactNews } from '../artifact-news.js';
import { Workspaces } from '../ports/workspaces.js';
import { type WorkspaceAnswer, workspaceAnswer } from '../workspace-answer.js';
import { readAgentAccess, readWorkspaceName } from '../workspace-texts.js';

export interface CreateWorkspaceInput {
  readonly projectId: string;
  readonly name?: string | null;
  readonly agentAccess?: string | null;
}

/** A further shelf of the library. @throws InvalidInput; DomainError `taken`, `limit` at 50. */
@Injectable()
export class CreateWorkspace {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: ArtifactNews,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: CreateWorkspaceInput): Promise<WorkspaceAnswer> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'administer');
    const problems = new Problems();
    const name = readWorkspaceName(problems, input.name);
    const agentAccess = input.agentAccess == null ? 'write' : readAgentAccess(problems, input.agentAccess);
    problems.throwIfAny();
    await this.workspaces.ofProject(projectId);
    return this.unitOfWork.run(async () => {
      const workspace = new Workspace({
        id: this.ids.next(),
        projectId,
        name,
        isGeneral: false,
        agentAccess,
        archivedAt: null,
        createdAt: this.clock.now(),
      });
      await this.workspaces.add(workspace);
      await this.news.tell(
        actor,
        { id: workspace.id, projectId },
        {
          audit: [{ operation: 'artifact_workspace.created', subjectType: 'artifact_workspace' }],
          live: ['workspaces'],
        },
      );
      return workspaceAnswer(workspace, 0);
    });
  }
}
