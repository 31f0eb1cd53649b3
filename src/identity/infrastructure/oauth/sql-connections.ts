import { Injectable } from '@nestjs/common';
import type { Scope } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import { type ConnectionSelection, Connections } from '../../application/ports/connections.js';
import { Connection, type RevokeReason } from '../../domain/connection.js';

interface Row {
  readonly id: string;
  readonly person_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly scopes: Scope[];
  readonly project_id: string | null;
  readonly origin: string | null;
  readonly label: string | null;
  readonly audience: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
  readonly revoked_by: string | null;
  readonly revoked_reason: RevokeReason | null;
}

/** Connections in `identity.connections`. */
@Injectable()
export class SqlConnections extends Connections {
  constructor(private readonly database: Database) {
    super();
  }

  override async insert(connection: Connection): Promise<void> {
    const c = connection.state;
    await this.database.query(
      `INSERT INTO identity.connections
         (id, person_id, client_id, client_name, client_uri, scopes, project_id, origin, label, audience, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        c.id,
        c.personId,
        c.clientId,
        c.clientName,
        c.clientUri,
        c.scopes,
        c.projectId,
        c.origin,
        c.label,
        c.audience,
        c.createdAt,
        c.expiresAt,
      ],
    );
  }

  override async lock(selection: ConnectionSelection): Promise<Connection[]> {
    const { where, values } = conditionOf(selection);
    const rows = await this.database.query<Row>(
      `SELECT * FROM identity.connections WHERE revoked_at IS NULL AND ${where} ORDER BY id FOR UPDATE`,
      values,
    );
    return rows.map(connectionOf);
  }

  override async save(connection: Connection): Promise<void> {
    const { id, label, revokedAt, revokedBy, revokedReason } = connection.state;
    await this.database.query(
      `UPDATE identity.connections SET label = $2, revoked_at = $3, revoked_by = $4, revoked_reason = $5 WHERE id = $1`,
      [id, label, revokedAt, revokedBy, revokedReason],
    );
    if (revokedAt)
      await this.database.query('DELETE FROM identity.oauth_artefacts WHERE grant_id = $1', [id]);
  }

  override async noteClientInfo(id: string, info: { name: string; version: string }): Promise<void> {
    await this.database.query(
      'UPDATE identity.connections SET last_client_info = $2 WHERE id = $1 AND last_client_info IS DISTINCT FROM $2',
      [id, JSON.stringify(info)],
    );
  }
}

function conditionOf(selection: ConnectionSelection): { where: string; values: unknown[] } {
  const p = new Parameters();
  const conditions: string[] = [];
  const equal = (column: string, value: string | null | undefined): void => {
    if (value !== undefined) conditions.push(`${column} IS NOT DISTINCT FROM ${p.add(value)}`);
  };
  if ('id' in selection) equal('id', selection.id);
  if ('personId' in selection) equal('person_id', selection.personId);
  if ('projectId' in selection) equal('project_id', selection.projectId);
  if ('clientId' in selection) equal('client_id', selection.clientId);
  if ('label' in selection) equal('label', selection.label);
  if ('createdBefore' in selection && selection.createdBefore) {
    conditions.push(`created_at <= ${p.add(selection.createdBefore)}`);
  }
  // An empty selection would be every connection of the instance.
  if (conditions.length === 0) throw new Error('A selection of connections names nothing.');
  return { where: conditions.join(' AND '), values: p.values };
}

function connectionOf(row: Row): Connection {
  return new Connection({
    id: row.id,
    personId: row.person_id,
    clientId: row.client_id,
    clientName: row.client_name,
    clientUri: row.client_uri,
    scopes: row.scopes,
    projectId: row.project_id,
    origin: row.origin,
    label: row.label,
    audience: row.audience,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    revokedBy: row.revoked_by,
    revokedReason: row.revoked_reason,
  });
}
