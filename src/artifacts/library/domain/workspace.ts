import { conflict } from '#libs/kernel/errors.js';

export type AgentAccess = 'write' | 'read' | 'none';

export const AGENT_ACCESS: readonly AgentAccess[] = ['write', 'read', 'none'];
export const GENERAL = 'General';
export const WORKSPACES_MAX = 50;
export const WORKSPACE_NAME_MAX = 60;

export interface WorkspaceState {
  readonly id: string;
  readonly projectId: string;
  name: string;
  readonly isGeneral: boolean;
  agentAccess: AgentAccess;
  archivedAt: Date | null;
  readonly createdAt: Date;
}

/** A shelf of the library (`artifacts.md` 3.1). */
export class Workspace {
  constructor(readonly state: WorkspaceState) {}

  get id(): string {
    return this.state.id;
  }

  get archived(): boolean {
    return this.state.archivedAt !== null;
  }

  /** Names of the fields that are different now. */
  change(wanted: { readonly name?: string; readonly agentAccess?: AgentAccess }): string[] {
    const changed: string[] = [];
    if (wanted.name !== undefined && wanted.name !== this.state.name) {
      this.state.name = wanted.name;
      changed.push('name');
    }
    if (wanted.agentAccess !== undefined && wanted.agentAccess !== this.state.agentAccess) {
      this.state.agentAccess = wanted.agentAccess;
      changed.push('agentAccess');
    }
    return changed;
  }

  /** @param activeArtifacts artifacts in it that are not archived. @throws DomainError `general`, `not_empty`. */
  archive(activeArtifacts: number, at: Date): boolean {
    if (this.state.isGeneral) throw conflict('general', 'The workspace General is never archived.');
    if (this.archived) return false;
    if (activeArtifacts > 0) {
      throw conflict(
        'not_empty',
        `The workspace holds ${activeArtifacts} active ${activeArtifacts === 1 ? 'artifact' : 'artifacts'}. Move or archive ${activeArtifacts === 1 ? 'it' : 'them'} first.`,
      );
    }
    this.state.archivedAt = at;
    return true;
  }

  unarchive(): boolean {
    if (!this.archived) return false;
    this.state.archivedAt = null;
    return true;
  }
}
