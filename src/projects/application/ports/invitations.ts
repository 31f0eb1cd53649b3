import type { Invitation } from '../../domain/invitation.js';

/** Invitations into projects; what changes one has locked the row of its project. */
export abstract class Invitations {
  /** An older open one for the same address ends. */
  abstract add(invitation: Invitation): Promise<void>;
  abstract find(projectId: string, id: string): Promise<Invitation | null>;
  /** Whatever its state. */
  abstract findByHash(tokenHash: string): Promise<Invitation | null>;
  /** Open and not expired. */
  abstract countOpen(projectId: string, now: Date): Promise<number>;
  /** Keeps hash and expiry of a renewed one. */
  abstract renew(invitation: Invitation): Promise<void>;
  /** Ends one that is still open. False when it had ended before. */
  abstract end(
    id: string,
    state: 'accepted' | 'declined' | 'revoked',
    by: string | null,
    at: Date,
  ): Promise<boolean>;
  /** Ends the open ones that somebody made, who may no longer invite. @returns their ids. */
  abstract revokeAllBy(projectId: string, personId: string, at: Date): Promise<string[]>;
}
