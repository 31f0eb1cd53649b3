import { createHash, randomBytes } from 'node:crypto';

export type TokenPurpose = 'verify-email' | 'reset-password' | 'change-email' | 'invite' | 'set-password';

const HOURS: Record<TokenPurpose, number> = {
  'verify-email': 24,
  'reset-password': 1,
  'change-email': 24,
  invite: 7 * 24,
  'set-password': 7 * 24,
};

/** A link that is good once (`identity.md` 2.2). */
export interface AccountToken {
  readonly id: string;
  /** Null for invitations. */
  readonly personId: string | null;
  readonly purpose: TokenPurpose;
  /** SHA-256 of the value in hex. */
  readonly hash: string;
  /** The new address of a change, or the invited one. */
  readonly email: string | null;
  readonly createdBy: string | null;
  /** Hours that it is good for. */
  readonly hours: number;
}

export interface NewAccountToken {
  readonly id: string;
  readonly personId: string | null;
  readonly purpose: TokenPurpose;
  readonly email?: string;
  readonly createdBy?: string | null;
}

/** A fresh token and its value, which is kept nowhere but in the link. */
export function newAccountToken({ id, personId, purpose, email, createdBy }: NewAccountToken): {
  token: AccountToken;
  value: string;
} {
  const value = randomBytes(32).toString('base64url');
  return {
    value,
    token: {
      id,
      personId,
      purpose,
      hash: tokenHashOf(value)!,
      email: email ?? null,
      createdBy: createdBy ?? null,
      hours: HOURS[purpose],
    },
  };
}

/** Hash under which a value is stored; null when no token can have this value. */
export function tokenHashOf(value: string): string | null {
  return /^[\w-]{43}$/.test(value) ? createHash('sha256').update(value).digest('hex') : null;
}
