import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import type { Workspace } from '../../domain/workspace.js';
import { Workspaces } from '../ports/workspaces.js';
import { type WorkspaceAnswer, workspaceAnswer } from '../workspace-answer.js';

/** The answer of `workspace_list_workspaces`. */
export interface WorkspaceList {
  readonly success: true;
  readonly workspaces: readonly {
    readonly workspaceId: string;
    readonly name: string;
    readonly isGeneral: boolean;
    /** What the caller may do there. */
    readonly capabilities: readonly ('read' | 'write')[];
    readonly artifactCount: number;
  }[];
}

/** Shelves of the library, General first, then by name. */
@Injectable()
export class ListWorkspaces {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
    private readonly database: Database,
  ) {}

  /** As agents see them: without archived ones and those closed to them. */
  async execute(actor: Actor, input: { readonly projectId: string }): Promise<WorkspaceList> {
    await this.access.require(actor, input.projectId, 'read');
    const mayWrite = await this.access.can(actor, input.projectId, 'contribute');
    const isAgent = actor.kind === 'connection';
    const all = await this.counted(input.projectId);
    return {
      success: true,
      workspaces: all
        .filter(([w]) => !w.archived && !(isAgent && w.state.agentAccess === 'none'))
        .map(([{ id, state }, artifactCount]) => ({
          workspaceId: id,
          name: state.name,
          isGeneral: state.isGeneral,
          capabilities:
            mayWrite && (!isAgent || state.agentAccess === 'write') ? ['read', 'write'] : ['read'],
          artifactCount,
        })),
    };
  }

  private async counted(projectId: string): Promise<[Workspace, number][]> {
    return countedWorkspaces(this.workspaces, this.database, projectId);
  }
}

/** The same for pages, archived ones too. */
@Injectable()
export class ListWorkspacesPage {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string },
  ): Promise<{ readonly workspaces: readonly WorkspaceAnswer[] }> {
    await this.access.require(actor, input.projectId, 'read');
    const all = await countedWorkspaces(this.workspaces, this.database, input.projectId);
    return { workspaces: all.map(([workspace, count]) => workspaceAnswer(workspace, count)) };
  }
}

async function countedWorkspaces(
  workspaces: Workspaces,
  database: Database,
  projectId: string,
): Promise<[Workspace, number][]> {
  const all = await workspaces.ofProject(projectId);
  const rows = await database.query<{ id: string; count: number }>(
    `SELECT workspace_id AS id, count(*) FROM artifacts.artifact
     WHERE project_id = $1 AND deleted_at IS NULL AND archived_at IS NULL GROUP BY workspace_id`,
    [projectId],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return all.map((workspace) => [workspace, counts.get(workspace.id) ?? 0]);
}
