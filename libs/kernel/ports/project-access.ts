import type { Actor } from '../actor.js';
import { DomainError, notFound } from '../errors.js';

/** What somebody may do in a project (`platform.md` 3.7). Each level includes the ones before it. */
export type AccessLevel = 'read' | 'contribute' | 'administer';

export type ProjectRole = 'owner' | 'maintainer' | 'member' | 'viewer';

const ORDER: readonly AccessLevel[] = ['read', 'contribute', 'administer'];

/** The highest level that a role has. */
export function levelOfRole(role: ProjectRole): AccessLevel {
  if (role === 'owner' || role === 'maintainer') return 'administer';
  return role === 'member' ? 'contribute' : 'read';
}

/** Whether somebody with the level `has` may do what needs `wanted`. */
export function includesLevel(has: AccessLevel, wanted: AccessLevel): boolean {
  return ORDER.indexOf(has) >= ORDER.indexOf(wanted);
}

/** Whether this actor speaks for the project at all: a connection is bound to it, or covers all of its person. */
export function covers(actor: Actor, projectId: string): boolean {
  if (actor.kind !== 'connection') return true;
  return actor.boundProjectId === null
    ? actor.scopes.includes('projects')
    : actor.boundProjectId === projectId;
}

export interface ProjectSummary {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly ownerId: string;
}

/** Who may do what in which project is decided here and nowhere else. */
export abstract class ProjectAccess {
  /** True when the project exists, the person is active and has the level, and a connection covers the project. */
  abstract can(actor: Actor, projectId: string, level: AccessLevel): Promise<boolean>;
  abstract levelOf(actor: Actor, projectId: string): Promise<AccessLevel | null>;
  abstract roleOf(personId: string, projectId: string): Promise<ProjectRole | null>;
  /** Projects where the person has at least the level: own ones first, then shared ones, each by name. */
  abstract projectsOf(personId: string, level: AccessLevel): Promise<ProjectSummary[]>;

  /**
   * For the first line of every use case.
   * @throws DomainError `not-found` without `read`, `forbidden` with `read` but less than `level`.
   */
  async require(actor: Actor, projectId: string, level: AccessLevel, thing = 'Project'): Promise<void> {
    if (await this.can(actor, projectId, level)) return;
    if (level === 'read' || !(await this.can(actor, projectId, 'read'))) throw notFound(thing);
    throw new DomainError('forbidden', 'forbidden', refusalOfLevel(level));
  }
}

/** The sentence for a role that is too low, the same at every door. */
export function refusalOfLevel(level: AccessLevel): string {
  return level === 'administer'
    ? 'This needs the maintainer role in the project. Ask its owner.'
    : 'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.';
}
