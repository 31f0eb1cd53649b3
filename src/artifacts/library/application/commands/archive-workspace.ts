import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { ArtifactNews } from '../artifact-news.js';
import { Workspaces } from '../ports/workspaces.js';
import { type WorkspaceAnswer, workspaceAnswer } from '../workspace-answer.js';

export interface ArchiveWorkspaceInput {
  readonly projectId: string;
  readonly workspaceId: string;
  readonly archived: boolean;
}

/** Takes an empty workspace away, or brings it back. @throws DomainError `general`, `not_empty`, `not-found`. */
@Injectable()
export class ArchiveWorkspace {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: ArtifactNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ArchiveWorkspaceInput): Promise<WorkspaceAnswer> {
    const { projectId, workspaceId, archived } = input;
    await this.access.require(actor, projectId, 'administer');
    return this.unitOfWork.run(async () => {
      const workspace = await this.workspaces.lock(projectId, workspaceId);
      if (!workspace) throw notFound('Workspace');
      const artifacts = await this.workspaces.activeArtifacts(workspaceId);
      const changed = archived ? workspace.archive(artifacts, this.clock.now()) : workspace.unarchive();
      if (changed) {
        await this.workspaces.save(workspace);
        await this.news.tell(
          actor,
          { id: workspaceId, projectId },
          {
            audit: [
              archived
                ? { operation: 'artifact_workspace.archived', subjectType: 'artifact_workspace' }
                : {
                    operation: 'artifact_workspace.updated',
                    subjectType: 'artifact_workspace',
                    context: { fields: ['archived'] },
                  },
            ],
            live: ['workspaces'],
          },
        );
      }
      return workspaceAnswer(workspace, artifacts);
    });
  }
}
