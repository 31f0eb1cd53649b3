import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactNews } from '../artifact-news.js';
import { Workspaces } from '../ports/workspaces.js';
import { type WorkspaceAnswer, workspaceAnswer } from '../workspace-answer.js';
import { readAgentAccess, readWorkspaceName } from '../workspace-texts.js';

export interface ChangeWorkspaceInput {
  readonly projectId: string;
  readonly workspaceId: string;
  readonly name?: string | null;
  readonly agentAccess?: string | null;
}

/** Renames a workspace, or says what agents may do in it. @throws InvalidInput; DomainError `taken`, `not-found`. */
@Injectable()
export class ChangeWorkspace {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: ArtifactNews,
  ) {}

  async execute(actor: Actor, input: ChangeWorkspaceInput): Promise<WorkspaceAnswer> {
    const { projectId, workspaceId } = input;
    await this.access.require(actor, projectId, 'administer');
    const problems = new Problems();
    const name = input.name == null ? undefined : readWorkspaceName(problems, input.name);
    const agentAccess = input.agentAccess == null ? undefined : readAgentAccess(problems, input.agentAccess);
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const workspace = await this.workspaces.lock(projectId, workspaceId);
      if (!workspace) throw notFound('Workspace');
      const fields = workspace.change({ name, agentAccess });
      if (fields.length > 0) {
        await this.workspaces.save(workspace);
        await this.news.tell(
          actor,
          { id: workspaceId, projectId },
          {
            audit: [
              {
                operation: 'artifact_workspace.updated',
                subjectType: 'artifact_workspace',
                context: { fields },
              },
            ],
            live: ['workspaces'],
          },
        );
      }
      return workspaceAnswer(workspace, await this.workspaces.activeArtifacts(workspaceId));
    });
  }
}
