import type { Project } from '../../domain/project.js';

/** The projects as aggregates; deleted ones are not found. */
export abstract class Projects {
  /** Waits until nobody else adds or renames a project of this owner, up to the end of the transaction. */
  abstract lockOwner(ownerId: string): Promise<void>;
  /** Number of projects of the owner, and the slugs they hold. */
  abstract slugsOf(ownerId: string, exceptProjectId?: string): Promise<Set<string>>;
  abstract add(project: Project): Promise<void>;
  /** Locks the row up to the end of the transaction. */
  abstract find(id: string): Promise<Project | null>;
  abstract ownedBy(ownerId: string): Promise<Project[]>;
  abstract save(project: Project): Promise<void>;
}
