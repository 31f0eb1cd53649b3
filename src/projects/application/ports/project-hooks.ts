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

/** Where other contexts register what they serve for projects, at the start of the process. */
export class ProjectHooks {
  private readonly list: { initializers: ProjectInitializer[]; counters: ProjectCounters[] } = {
    initializers: [],
    counters: [],
  };

  addInitializer(initializer: ProjectInitializer): void {
    this.list.initializers.push(initializer);
  }

  addCounters(counters: ProjectCounters): void {
    this.list.counters.push(counters);
  }

  get initializers(): readonly ProjectInitializer[] {
    return this.list.initializers;
  }

  get counters(): readonly ProjectCounters[] {
    return this.list.counters;
  }
}
