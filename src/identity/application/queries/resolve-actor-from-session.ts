import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { Database } from '#libs/persistence/database.js';
import { sessionIdOf } from '../../domain/web-session.js';
import { WebSessions } from '../ports/web-sessions.js';

export interface ResolvedSession {
  readonly actor: PersonActor;
  readonly csrfToken: string;
  readonly authTime: Date;
}

interface Row {
  readonly person_id: string;
  readonly is_admin: boolean;
  readonly csrf_secret: string;
  readonly auth_time: Date;
  readonly stale: boolean;
}

/** The person behind the session cookie; null when the session has ended or the person may not sign in. */
@Injectable()
export class ResolveActorFromSession {
  constructor(
    private readonly database: Database,
    private readonly sessions: WebSessions,
    private readonly secrets: SecretBox,
  ) {}

  async execute(cookie: string): Promise<ResolvedSession | null> {
    // Anything else was not made here and needs no look at the database.
    if (!/^[\w-]{43}$/.test(cookie)) return null;
    const sessionId = sessionIdOf(cookie);
    const row = await this.database.one<Row>(
      `SELECT s.person_id, p.is_admin, s.csrf_secret, s.auth_time,
              s.last_seen_at < now() - interval '1 minute' AS stale
         FROM identity.web_sessions s JOIN identity.persons p ON p.id = s.person_id
        WHERE s.id = $1 AND s.expires_at > now() AND p.email_verified_at IS NOT NULL
          AND p.suspended_at IS NULL AND p.deletion_requested_at IS NULL`,
      [sessionId],
    );
    if (!row) return null;
    if (row.stale) await this.sessions.seen(sessionId);
    return {
      actor: { kind: 'person', personId: row.person_id, sessionId, isAdmin: row.is_admin },
      csrfToken: this.secrets.keyedHash('csrf', row.csrf_secret),
      authTime: row.auth_time,
    };
  }
}
