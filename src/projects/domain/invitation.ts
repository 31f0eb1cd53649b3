import { createHash, randomBytes } from 'node:crypto';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { INVITATION_DAYS } from './project-limits.js';

/** A role that can be given; the owner is set by a transfer alone. */
export type MemberRole = 'maintainer' | 'member' | 'viewer';

export const MEMBER_ROLES: readonly MemberRole[] = ['maintainer', 'member', 'viewer'];

export type InvitationState = 'open' | 'accepted' | 'declined' | 'revoked' | 'expired';

/** A way into a project for one person (`platform.md` 3.7). */
export interface Invitation {
  readonly id: string;
  readonly projectId: string;
  readonly role: MemberRole;
  /** Null for a link that the first who opens it may use. */
  readonly email: string | null;
  /** SHA-256 of the token in hex. */
  readonly tokenHash: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly state: InvitationState;
}

export type NewInvitation = Pick<Invitation, 'id' | 'projectId' | 'role' | 'email' | 'createdBy'>;

/** A fresh invitation and the token of its link, which is kept nowhere else. */
export function newInvitation(wanted: NewInvitation, now: Date): { invitation: Invitation; token: string } {
  const { token, tokenHash, expiresAt } = freshToken(now);
  return { token, invitation: { ...wanted, tokenHash, createdAt: now, expiresAt, state: 'open' } };
}

/** The same invitation with another link and its full time again; the link before ends. */
export function renewed(invitation: Invitation, now: Date): { invitation: Invitation; token: string } {
  const { token, tokenHash, expiresAt } = freshToken(now);
  return { token, invitation: { ...invitation, tokenHash, expiresAt } };
}

/** State at a moment: an open one ends by time too. */
export function stateAt(invitation: Invitation, now: Date): InvitationState {
  return invitation.state === 'open' && invitation.expiresAt <= now ? 'expired' : invitation.state;
}

/** Whether somebody with this verified address may answer: an invitation with an address is for that address alone. */
export function isFor(invitation: Invitation, verifiedEmail: string | null): boolean {
  if (invitation.email === null) return true;
  return verifiedEmail !== null && comparableEmail(verifiedEmail) === comparableEmail(invitation.email);
}

/** Hash under which a token is stored; null when no invitation can have this token. */
export function invitationHash(token: string): string | null {
  return /^[\w-]{43}$/.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

function freshToken(now: Date): { token: string; tokenHash: string; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url');
  return {
    token,
    tokenHash: invitationHash(token)!,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * 86_400_000),
  };
}
