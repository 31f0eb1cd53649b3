import type { MemberRole } from '../../domain/invitation.js';

export interface Membership {
  readonly projectId: string;
  readonly personId: string;
  readonly role: MemberRole;
}

export interface StoredMembership extends Membership {
  readonly invitedBy: string | null;
  readonly joinedAt: Date;
  /** Grows by one with every change. */
  readonly version: number;
}

/** Who besides the owner works in a project. */
export abstract class Memberships {
  /** False when the person is a member already; the role then stays. */
  abstract add(membership: Omit<StoredMembership, 'version'>): Promise<boolean>;
  /** Locks the row up to the end of the transaction. */
  abstract find(projectId: string, personId: string): Promise<StoredMembership | null>;
  abstract count(projectId: string): Promise<number>;
  abstract changeRole(projectId: string, personId: string, role: MemberRole): Promise<void>;
  abstract remove(projectId: string, personId: string): Promise<void>;
  /** Ends all memberships of a person. @returns what they were. */
  abstract endAllOf(personId: string): Promise<Membership[]>;
}
