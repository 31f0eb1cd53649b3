export type GitAccess = 'ro' | 'rw';

/** The right to one repository for a short time. The secret is known to its holder alone. */
export interface GitToken {
  readonly id: string;
  readonly artifactId: string;
  readonly projectId: string;
  readonly personId: string;
  /** Null when a person minted it on the web. */
  readonly connectionId: string | null;
  readonly access: GitAccess;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** Whose tokens end; at least one of the ids. */
export interface RevokedTokens {
  readonly artifactId?: string;
  readonly projectId?: string;
  readonly personId?: string;
  readonly connectionId?: string;
  /** Only those that may write. */
  readonly access?: 'rw';
}

/** Short-lived rights to the repositories of artifacts. */
export abstract class GitTokens {
  /** @returns the secret, `lpg_` and 32 random bytes; only its keyed hash is kept. */
  abstract mint(token: Omit<GitToken, 'revokedAt'>, at: Date): Promise<string>;
  /** Also tokens that have ended, so that their holder learns why; null for a secret that never was one. */
  abstract bySecret(secret: string): Promise<GitToken | null>;
  abstract touch(tokenId: string, at: Date): Promise<void>;
  /** Ends tokens at once. @returns how many. */
  abstract revoke(which: RevokedTokens, at: Date): Promise<number>;
  /** Ends every token of the instance, when git access is switched off. */
  abstract revokeAll(at: Date): Promise<number>;
  /** Deletes what ended before `before`. */
  abstract purge(before: Date): Promise<number>;
}
