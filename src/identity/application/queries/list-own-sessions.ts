import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import { browserName } from '../../domain/browser-name.js';

export interface OwnSession {
  readonly id: string;
  /** Such as "Firefox on Linux". */
  readonly browser: string;
  readonly ip: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly current: boolean;
}

/** Sign-ins of the person who asks, the one in use first, then by last use. */
@Injectable()
export class ListOwnSessions {
  constructor(private readonly database: Database) {}

  async execute(actor: PersonActor): Promise<{ readonly sessions: OwnSession[] }> {
    const rows = await this.database.query<Omit<OwnSession, 'browser'> & { userAgent: string | null }>(
      `SELECT id, user_agent AS "userAgent", ip, created_at AS "createdAt", last_seen_at AS "lastSeenAt",
              id = $2 AS current
         FROM identity.web_sessions WHERE person_id = $1 AND expires_at > now()
        ORDER BY current DESC, last_seen_at DESC`,
      [actor.personId, actor.sessionId],
    );
    return {
      sessions: rows.map(({ userAgent, ...session }) => ({ ...session, browser: browserName(userAgent) })),
    };
  }
}
