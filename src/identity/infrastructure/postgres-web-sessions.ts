import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { WebSessions } from '../application/ports/web-sessions.js';
import { ABSOLUTE_DAYS, IDLE_DAYS, type WebSession } from '../domain/web-session.js';

/** Rows of `identity.web_sessions`. */
@Injectable()
export class PostgresWebSessions extends WebSessions {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(session: WebSession): Promise<void> {
    await this.database.query(
      `INSERT INTO identity.web_sessions (id, person_id, ip, user_agent, csrf_secret, company_token, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(days => $7))`,
      [
        session.id,
        session.personId,
        session.ip,
        session.userAgent,
        session.csrfSecret,
        session.companyToken,
        IDLE_DAYS,
      ],
    );
  }

  override async end(personId: string, sessionId: string): Promise<boolean> {
    const rows = await this.database.query(
      'DELETE FROM identity.web_sessions WHERE person_id = $1 AND id = $2 RETURNING expires_at > now() AS live',
      [personId, sessionId],
    );
    return rows[0]?.live === true;
  }

  override async endAny(sessionId: string): Promise<string | null> {
    const rows = await this.database.query<{ person_id: string; live: boolean }>(
      'DELETE FROM identity.web_sessions WHERE id = $1 RETURNING person_id, expires_at > now() AS live',
      [sessionId],
    );
    return rows[0]?.live ? rows[0].person_id : null;
  }

  override async endAll(personId: string, exceptId?: string): Promise<number> {
    const rows = await this.database.query(
      'DELETE FROM identity.web_sessions WHERE person_id = $1 AND id IS DISTINCT FROM $2 RETURNING expires_at > now() AS live',
      [personId, exceptId ?? null],
    );
    return rows.filter((row) => row.live === true).length;
  }

  override async proved(sessionId: string): Promise<void> {
    await this.database.query('UPDATE identity.web_sessions SET auth_time = now() WHERE id = $1', [
      sessionId,
    ]);
  }

  override async seen(sessionId: string): Promise<void> {
    // Several requests of one page come at once; the condition leaves one of them to write.
    await this.database.query(
      `UPDATE identity.web_sessions
          SET last_seen_at = now(),
              expires_at = least(now() + make_interval(days => $2), created_at + make_interval(days => $3))
        WHERE id = $1 AND last_seen_at < now() - interval '1 minute'`,
      [sessionId, IDLE_DAYS, ABSOLUTE_DAYS],
    );
  }

  override async authTime(sessionId: string): Promise<Date | null> {
    const row = await this.database.one<{ auth_time: Date }>(
      'SELECT auth_time FROM identity.web_sessions WHERE id = $1 AND expires_at > now()',
      [sessionId],
    );
    return row?.auth_time ?? null;
  }

  override async companyToken(sessionId: string): Promise<string | null> {
    const row = await this.database.one<{ company_token: string | null }>(
      'SELECT company_token FROM identity.web_sessions WHERE id = $1 AND expires_at > now()',
      [sessionId],
    );
    return row?.company_token ?? null;
  }

  override async purgeExpired(limit: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM identity.web_sessions WHERE id IN
         (SELECT id FROM identity.web_sessions WHERE expires_at <= now() ORDER BY expires_at LIMIT $1
          FOR UPDATE SKIP LOCKED) RETURNING 1 AS gone`,
      [limit],
    );
    return rows.length;
  }
}
