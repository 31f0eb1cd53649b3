import type { ConnectionActor } from '#libs/kernel/actor.js';

/** What a request with an `Authorization` header says about itself. */
export interface PresentedToken {
  /** The value after `Bearer`. */
  readonly token: string;
  /** Path of the request without its query; it decides which audiences are accepted (`identity.md` 5.2). */
  readonly path: string;
  readonly ip: string | null;
  /** `Loupe-Project-Id` as sent; null when absent. */
  readonly projectId: string | null;
  /** `Loupe-Session-Id` when its form is right, else null. */
  readonly agentSessionId: string | null;
  /**
   * Called at once, while the database is asked, where the token was good when it was used last. It says nothing about
   * the token now: whatever begins here must show nothing before the answer.
   */
  readonly meanwhile?: () => void;
}

/** Who stands behind an access token. */
export abstract class AccessTokens {
  /** Null when the token is unknown, expired, revoked, for another audience, or its person or client is blocked. */
  abstract actorOf(presented: PresentedToken): Promise<ConnectionActor | null>;
}
