import type { AgentAccess, Workspace } from '../domain/workspace.js';

/** A workspace as pages show it. */
export interface WorkspaceAnswer {
  readonly workspaceId: string;
  readonly name: string;
  readonly isGeneral: boolean;
  readonly agentAccess: AgentAccess;
  readonly archived: boolean;
  /** Artifacts in it that are not archived. */
  readonly artifactCount: number;
}

export function workspaceAnswer({ state, archived }: Workspace, artifactCount: number): WorkspaceAnswer {
  const { id: workspaceId, name, isGeneral, agentAccess } = state;
  return { workspaceId, name, isGeneral, agentAccess, archived, artifactCount };
}
