import type { Actor } from '../actor.js';
import {
  type AccessLevel,
  covers,
  includesLevel,
  levelOfRole,
  ProjectAccess,
  type ProjectRole,
  type ProjectSummary,
} from '../ports/project-access.js';

interface FakeProject extends Omit<ProjectSummary, 'role'> {
  readonly roles: Map<string, ProjectRole>;
  deleted: boolean;
}

/** Who may do what, kept in memory; the contract test of `src/projects` holds it to the real one. */
export class FakeProjectAccess extends ProjectAccess {
  private readonly projects = new Map<string, FakeProject>();
  private readonly inactive = new Set<string>();

  /** Adds a project with its owner and, if wanted, members. */
  add(
    id: string,
    ownerId: string,
    members: Readonly<Record<string, Exclude<ProjectRole, 'owner'>>> = {},
    name = `Project ${id}`,
    slug = id,
  ): this {
    const roles = new Map<string, ProjectRole>([...Object.entries(members), [ownerId, 'owner']]);
    this.projects.set(id, { id, slug, name, ownerId, roles, deleted: false });
    return this;
  }

  /** Gives a person a role, or takes it away with null. */
  setRole(projectId: string, personId: string, role: Exclude<ProjectRole, 'owner'> | null): void {
    const roles = this.projects.get(projectId)?.roles;
    if (role === null) roles?.delete(personId);
    else roles?.set(personId, role);
  }

  delete(projectId: string): void {
    const project = this.projects.get(projectId);
    if (project) project.deleted = true;
  }

  setActive(personId: string, active: boolean): void {
    if (active) this.inactive.delete(personId);
    else this.inactive.add(personId);
  }

  override async can(actor: Actor, projectId: string, level: AccessLevel): Promise<boolean> {
    if (actor.kind === 'system' || actor.kind === 'console') return true;
    const has = await this.levelOf(actor, projectId);
    return has !== null && includesLevel(has, level);
  }

  override async levelOf(actor: Actor, projectId: string): Promise<AccessLevel | null> {
    if (actor.kind === 'system' || actor.kind === 'console') return 'administer';
    if (!covers(actor, projectId)) return null;
    const role = await this.roleOf(actor.personId, projectId);
    return role === null ? null : levelOfRole(role);
  }

  override async roleOf(personId: string, projectId: string): Promise<ProjectRole | null> {
    const project = this.projects.get(projectId);
    if (!project || project.deleted || this.inactive.has(personId)) return null;
    return project.roles.get(personId) ?? null;
  }

  override async projectsOf(personId: string, level: AccessLevel): Promise<ProjectSummary[]> {
    if (this.inactive.has(personId)) return [];
    return [...this.projects.values()]
      .flatMap(({ roles, deleted, ...project }) => {
        const role = roles.get(personId);
        return role && !deleted && includesLevel(levelOfRole(role), level) ? [{ ...project, role }] : [];
      })
      .sort(
        (a, b) =>
          Number(a.role !== 'owner') - Number(b.role !== 'owner') ||
          (a.name.toLowerCase() < b.name.toLowerCase()
            ? -1
            : a.name.toLowerCase() > b.name.toLowerCase()
              ? 1
              : 0),
      );
  }
}
