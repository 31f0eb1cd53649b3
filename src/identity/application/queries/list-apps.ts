import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import type { Actor } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import { clientKindOf, isTrusted } from '../../domain/oauth-client.js';
import { Persons } from '../ports/persons.js';
import { requireAdmin } from '../require-admin.js';

export interface ListedApp {
  readonly clientId: string;
  /** As the app named itself last. */
  readonly clientName: string | null;
  /** Host of the client id; null for built-in apps. */
  readonly clientHost: string | null;
  /** Built in, or on the list of trusted ids. */
  readonly verified: boolean;
  /** Live connections. */
  readonly connections: number;
  readonly people: number;
  readonly lastUsedAt: Date | null;
  readonly blockedAt: Date | null;
}

interface Row {
  readonly client_id: string;
  readonly client_name: string | null;
  readonly connections: number;
  readonly people: number;
  readonly last_used_at: Date | null;
  readonly blocked_at: Date | null;
}

const SHOWN_MAX = 500;

/** Apps with live connections, and those that are blocked, most connections first. @throws DomainError `not_found`. */
@Injectable()
export class ListApps {
  constructor(
    private readonly database: Database,
    private readonly persons: Persons,
    private readonly configuration: Configuration,
  ) {}

  async execute(actor: Actor): Promise<{ readonly apps: readonly ListedApp[] }> {
    await requireAdmin(this.persons, actor);
    const rows = await this.database.query<Row>(
      `SELECT client_id, live.client_name, COALESCE(live.connections, 0) AS connections,
              COALESCE(live.people, 0) AS people, live.last_used_at, b.blocked_at
         FROM (SELECT client_id, (array_agg(client_name ORDER BY created_at DESC))[1] AS client_name,
                      count(*) AS connections, count(DISTINCT person_id) AS people,
                      max(last_used_at) AS last_used_at
                 FROM identity.connections WHERE revoked_at IS NULL AND expires_at > now()
                GROUP BY client_id) live
         FULL JOIN identity.blocked_clients b USING (client_id)
        ORDER BY connections DESC, client_id LIMIT ${SHOWN_MAX}`,
    );
    return {
      apps: rows.map((row) => {
        const byUrl = clientKindOf(row.client_id) === 'url';
        return {
          clientId: row.client_id,
          clientName: row.client_name,
          clientHost: byUrl ? (URL.parse(row.client_id)?.host ?? null) : null,
          verified: !byUrl || isTrusted(row.client_id, this.configuration.values.oauthTrustedClientIds),
          connections: row.connections,
          people: row.people,
          lastUsedAt: row.last_used_at,
          blockedAt: row.blocked_at,
        };
      }),
    };
  }
}
