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

  /** Whether the project lists this page origin for site review. Nothing is listed until the projects context says so. */
  async allowsOrigin(_projectId: string, _origin: string): Promise<boolean> {
    return false;
  }
}
