import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { BlockedClients } from '../../application/ports/blocked-clients.js';

/** Rows of `identity.blocked_clients`. */
@Injectable()
export class SqlBlockedClients extends BlockedClients {
  constructor(private readonly database: Database) {
    super();
  }

  override async isBlocked(clientId: string): Promise<boolean> {
    const row = await this.database.one('SELECT 1 FROM identity.blocked_clients WHERE client_id = $1', [
      clientId,
    ]);
    return row !== null;
  }

  override async block(clientId: string, by: string | null): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO identity.blocked_clients (client_id, blocked_by) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING 1 AS done`,
      [clientId, by],
    );
    return rows.length > 0;
  }

  override async unblock(clientId: string): Promise<boolean> {
    const rows = await this.database.query(
      'DELETE FROM identity.blocked_clients WHERE client_id = $1 RETURNING 1 AS done',
      [clientId],
    );
    return rows.length > 0;
  }
}
