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

export interface Membership {
  readonly projectId: string;
  readonly personId: string;
  readonly role: 'maintainer' | 'member' | 'viewer';
}

/** Who besides the owner works in a project. */
export abstract class Memberships {
  abstract add(
    membership: Membership & { readonly invitedBy: string | null; readonly joinedAt: Date },
  ): Promise<void>;
  /** Ends all memberships of a person. @returns what they were. */
  abstract endAllOf(personId: string): Promise<Membership[]>;
}
