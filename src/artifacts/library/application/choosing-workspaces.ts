import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { type DomainError, forbidden, InvalidInput } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { readOnlyWorkspace } from '../domain/refusals.js';
import type { Workspace } from '../domain/workspace.js';
import { WorkspaceChoice } from './ports/workspace-choice.js';
import { Workspaces } from './ports/workspaces.js';

/** The refusal of a workspace that the project does not have, or that agents do not see. */
export const unknownWorkspace = (): DomainError =>
  new InvalidInput([
    {
      argument: 'workspaceId',
      sentence: 'workspaceId names no workspace of this project. Call workspace_list_workspaces.',
    },
  ]);

@Injectable()
export class ChoosingWorkspaces extends WorkspaceChoice {
  constructor(
    private readonly access: ProjectAccess,
    private readonly workspaces: Workspaces,
  ) {
    super();
  }

  override async choose(actor: Actor, projectId: string, workspaceId: string | undefined): Promise<string> {
    await this.access.require(actor, projectId, 'contribute');
    const all = await this.workspaces.ofProject(projectId);
    const isAgent = actor.kind === 'connection';
    if (workspaceId !== undefined) return named(all, workspaceId, isAgent);
    const open = all.filter((w) => !w.archived && (!isAgent || w.state.agentAccess === 'write'));
    if (open.length === 1) return open[0]!.id;
    if (open.length === 0) {
      throw forbidden('No workspace of this project lets agents create.', 'no_workspace');
    }
    const choices = open.map(({ id, state }) => `${state.name} (${id})`).join(', ');
    throw new InvalidInput([
      { argument: 'workspaceId', sentence: `workspaceId is required: you can create in ${choices}.` },
    ]);
  }
}

function named(all: readonly Workspace[], workspaceId: string, isAgent: boolean): string {
  const workspace = all.find(({ id }) => id === workspaceId.toLowerCase());
  if (!workspace || (isAgent && workspace.state.agentAccess === 'none')) throw unknownWorkspace();
  if (workspace.archived) {
    throw new InvalidInput([
      { argument: 'workspaceId', sentence: `workspaceId names ${workspace.state.name}, which is archived.` },
    ]);
  }
  if (isAgent && workspace.state.agentAccess === 'read') throw readOnlyWorkspace(workspace.state.name);
  return workspace.id;
}
