import type { Actor } from '#libs/kernel/actor.js';
import {
  type AccessLevel,
  ProjectAccess,
  type ProjectRole,
  type ProjectSummary,
} from '#libs/kernel/ports/project-access.js';

/** Lets everybody into every project that is not closed. */
export class OpenAccess extends ProjectAccess {
  readonly closed = new Set<string>();

  override async can(_actor: Actor, projectId: string, _level: AccessLevel): Promise<boolean> {
    return !this.closed.has(projectId);
  }

  override async levelOf(_actor: Actor, projectId: string): Promise<AccessLevel | null> {
    return this.closed.has(projectId) ? null : 'administer';
  }

  override async roleOf(_personId: string, projectId: string): Promise<ProjectRole | null> {
    return this.closed.has(projectId) ? null : 'owner';
  }

  override async projectsOf(): Promise<ProjectSummary[]> {
    return [];
  }
}
