import type { Actor } from '#libs/kernel/actor.js';

/** Makes the rows that a context needs for a new project, in the transaction that makes the project. */
export abstract class ProjectInitializer {
  abstract initialize(
    actor: Actor,
    project: { readonly id: string; readonly ownerId: string; readonly templateKey: string | null },
  ): Promise<void>;
}

/** What tiles of projects count; null while the section is off on this instance. */
export interface ProjectCounts {
  readonly openItems: number | null;
  readonly openCards: number | null;
  readonly documentsToReview: number | null;
}

/** Counts one thing for many projects in one grouped query. */
export abstract class ProjectCounters {
  abstract readonly count: keyof ProjectCounts;
  /** A project without an entry counts 0; null says that the section is off. */
  abstract counts(projectIds: readonly string[]): Promise<Map<string, number> | null>;
  /** Latest activity by project, of those that had any. */
  abstract lastActivity(projectIds: readonly string[]): Promise<Map<string, Date>>;
}

/** Tells how many bytes of files a context keeps for many projects. */
export abstract class ProjectSizes {
  /** A project without an entry keeps none. */
  abstract bytes(projectIds: readonly string[]): Promise<Map<string, number>>;
}

/** Where other contexts register what they serve for projects, at the start of the process. */
export class ProjectHooks {
  private readonly list: {
    initializers: ProjectInitializer[];
    counters: ProjectCounters[];
    sizes: ProjectSizes[];
  } = { initializers: [], counters: [], sizes: [] };

  addInitializer(initializer: ProjectInitializer): void {
    this.list.initializers.push(initializer);
  }

  addCounters(counters: ProjectCounters): void {
    this.list.counters.push(counters);
  }

  addSizes(sizes: ProjectSizes): void {
    this.list.sizes.push(sizes);
  }

  get initializers(): readonly ProjectInitializer[] {
    return this.list.initializers;
  }

  get counters(): readonly ProjectCounters[] {
    return this.list.counters;
  }

  get sizes(): readonly ProjectSizes[] {
    return this.list.sizes;
  }
}
