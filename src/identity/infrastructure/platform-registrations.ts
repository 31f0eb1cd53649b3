import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { ActorNames } from '#src/platform/application/ports/actor-names.js';
import { OverviewCounters } from '#src/platform/application/ports/overview-counters.js';
import { SessionCheck } from '#src/platform/application/ports/session-check.js';

/** What identity tells the platform about people, their sessions and their connections. */
@Injectable()
export class PlatformRegistrations implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly names: ActorNames,
    private readonly sessions: SessionCheck,
    private readonly counters: OverviewCounters,
  ) {}

  onModuleInit(): void {
    this.names.register({
      personNames: (ids) => this.personNames(ids),
      connectionName: (id) => this.connectionName(id),
    });
    this.sessions.register((sessionId, personId) => this.isOpen(sessionId, personId));
    this.counters.register('people', () =>
      this.count('SELECT count(*) AS n FROM identity.persons WHERE deletion_requested_at IS NULL'),
    );
    this.counters.register('connections', () =>
      this.count(
        'SELECT count(*) AS n FROM identity.connections WHERE revoked_at IS NULL AND expires_at > now()',
      ),
    );
  }

  private async personNames(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.hot<{ id: string; display_name: string }>(
      'SELECT id, display_name FROM identity.persons WHERE id = ANY($1::uuid[]) AND deletion_requested_at IS NULL',
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.display_name]));
  }

  private async connectionName(id: string): Promise<string | null> {
    const row = await this.database.one<{ client_name: string }>(
      'SELECT client_name FROM identity.connections WHERE id = $1',
      [id],
    );
    return row?.client_name ?? null;
  }

  private async isOpen(sessionId: string, personId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT 1 FROM identity.web_sessions s JOIN identity.persons p ON p.id = s.person_id
        WHERE s.id = $1 AND s.person_id = $2 AND s.expires_at > now() AND p.email_verified_at IS NOT NULL
          AND p.suspended_at IS NULL AND p.deletion_requested_at IS NULL`,
      [sessionId, personId],
    );
    return row !== null;
  }

  private async count(sql: string): Promise<number> {
    return (await this.database.one<{ n: number }>(sql))?.n ?? 0;
  }
}
