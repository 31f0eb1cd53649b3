import type { Scope } from '#libs/kernel/actor.js';
import { needsProject } from './requested-scopes.js';

export type RevokeReason =
  | 'person'
  | 'client'
  | 'project-deleted'
  | 'member-removed'
  | 'person-deleted'
  | 'refresh-reuse'
  | 'code-reuse'
  | 'admin'
  | 'expired';

const DAY_MS = 86_400_000;
/** A connection ends by itself after this many days, however much it is used. */
export const CONNECTION_DAYS = 365;

export interface ConnectionState {
  readonly id: string;
  readonly personId: string;
  readonly clientId: string;
  /** Snapshot at approval, at most 200 characters. */
  readonly clientName: string;
  readonly clientUri: string | null;
  readonly scopes: readonly Scope[];
  readonly projectId: string | null;
  /** For the widget alone: the origin of the page that asked. */
  readonly origin: string | null;
  readonly label: string | null;
  readonly audience: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedBy: string | null;
  readonly revokedReason: RevokeReason | null;
}

export type NewConnection = Omit<
  ConnectionState,
  'createdAt' | 'expiresAt' | 'revokedAt' | 'revokedBy' | 'revokedReason'
>;

/** One approved consent: what an app may do for a person until it is revoked. */
export class Connection {
  constructor(private current: ConnectionState) {}

  /** @throws when the scopes and the project do not fit: the caller must have decided both before. */
  static grant(facts: NewConnection, now: Date): Connection {
    if (needsProject(facts.scopes) !== (facts.projectId !== null)) {
      throw new Error('The scopes of the connection and its project do not fit.');
    }
    return new Connection({
      ...facts,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CONNECTION_DAYS * DAY_MS),
      revokedAt: null,
      revokedBy: null,
      revokedReason: null,
    });
  }

  get state(): ConnectionState {
    return this.current;
  }

  /** Ends the connection for good. False when it had ended before: the first reason stays. */
  revoke(reason: RevokeReason, by: string | null, now: Date): boolean {
    if (this.current.revokedAt) return false;
    this.current = { ...this.current, revokedAt: now, revokedBy: by, revokedReason: reason };
    return true;
  }

  rename(label: string | null): void {
    this.current = { ...this.current, label };
  }
}
