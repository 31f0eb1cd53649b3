export interface ProjectFacts {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly ownerId: string;
  /** Name of a PostgreSQL text-search configuration. */
  readonly searchLanguage: string;
}

/** Facts about projects by id; deleted projects are left out. */
export abstract class ProjectDirectory {
  abstract byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>>;

  /** Whether the project lists this page origin, itself or by a wildcard, for site review. */
  abstract allowsOrigin(projectId: string, origin: string): Promise<boolean>;
}
