import type { Workspace } from '../../domain/workspace.js';

/** Workspaces as aggregates. */
export abstract class Workspaces {
  /** All of the project, General first, then by name; makes General where a project has none. */
  abstract ofProject(projectId: string): Promise<Workspace[]>;
  /** Locked until the end of the transaction; null for an unknown one and for that of another project. */
  abstract lock(projectId: string, workspaceId: string): Promise<Workspace | null>;
  /** @throws DomainError `conflict` `taken`, `limit`. */
  abstract add(workspace: Workspace): Promise<void>;
  /** @throws DomainError `conflict` `taken`. */
  abstract save(workspace: Workspace): Promise<void>;
  /** The General workspace, in the transaction of the project or on first use. */
  abstract ensureGeneral(projectId: string): Promise<void>;
  /** Artifacts in it that are neither archived nor deleted. */
  abstract activeArtifacts(workspaceId: string): Promise<number>;
}
