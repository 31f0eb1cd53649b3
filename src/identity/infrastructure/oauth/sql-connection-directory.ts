import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type ConnectedMachine, ConnectionDirectory } from '../../application/ports/connection-directory.js';

interface Row {
  readonly id: string;
  readonly label: string | null;
  readonly client_id: string;
  readonly client_name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly used_at: Date | null;
}

/** Reads of live connections for other contexts. */
@Injectable()
export class SqlConnectionDirectory extends ConnectionDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofPerson(personId: string, projectId: string): Promise<ConnectedMachine[]> {
    const rows = await this.database.query<Row>(
      `SELECT c.id, c.label, c.client_id, c.client_name, c.created_at, c.last_used_at, u.last_used_at AS used_at
       FROM identity.connections c
       LEFT JOIN identity.connection_project_uses u ON u.connection_id = c.id AND u.project_id = $2
       WHERE c.person_id = $1 AND c.revoked_at IS NULL AND c.expires_at > now()
         AND (c.project_id = $2 OR c.project_id IS NULL)
       ORDER BY COALESCE(c.last_used_at, c.created_at) DESC, c.id DESC LIMIT 200`,
      [personId, projectId],
    );
    return rows.map((row) => ({
      connectionId: row.id,
      label: row.label,
      clientId: row.client_id,
      clientName: row.client_name,
      signedInAt: row.created_at,
      lastSeenAt: row.last_used_at,
      usedThisProjectAt: row.used_at,
    }));
  }

  override async lastUseOf(projectId: string): Promise<Date | null> {
    const row = await this.database.one<{ at: Date | null }>(
      'SELECT max(last_used_at) AS at FROM identity.connection_project_uses WHERE project_id = $1',
      [projectId],
    );
    return row?.at ?? null;
  }
}
