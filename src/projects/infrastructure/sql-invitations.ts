import { Injectable } from '@nestjs/common';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { isUuid } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';
import { Invitations } from '../application/ports/invitations.js';
import type { Invitation } from '../domain/invitation.js';

const COLUMNS = `id, project_id AS "projectId", role, email, token_hash AS "tokenHash", created_by AS "createdBy",
  created_at AS "createdAt", expires_at AS "expiresAt", state`;

/** Invitations as rows of `projects.invitations`. */
@Injectable()
export class SqlInvitations extends Invitations {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(invitation: Invitation): Promise<void> {
    if (invitation.email !== null) {
      await this.database.query(
        `UPDATE projects.invitations SET state = 'revoked', used_at = $3
          WHERE project_id = $1 AND lower(email) = $2 AND state = 'open'`,
        [invitation.projectId, comparableEmail(invitation.email), invitation.createdAt],
      );
    }
    await this.database.query(
      `INSERT INTO projects.invitations (id, project_id, role, email, token_hash, created_by, created_at, expires_at, state)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open')`,
      [
        invitation.id,
        invitation.projectId,
        invitation.role,
        invitation.email,
        invitation.tokenHash,
        invitation.createdBy,
        invitation.createdAt,
        invitation.expiresAt,
      ],
    );
  }

  override async find(projectId: string, id: string): Promise<Invitation | null> {
    if (!isUuid(id)) return null;
    return this.database.one<Invitation>(
      `SELECT ${COLUMNS} FROM projects.invitations WHERE project_id = $1 AND id = $2`,
      [projectId, id],
    );
  }

  override async findByHash(tokenHash: string): Promise<Invitation | null> {
    return this.database.one<Invitation>(
      `SELECT ${COLUMNS} FROM projects.invitations WHERE token_hash = $1`,
      [tokenHash],
    );
  }

  override async countOpen(projectId: string, now: Date): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      `SELECT count(*) AS n FROM projects.invitations
        WHERE project_id = $1 AND state = 'open' AND expires_at > $2`,
      [projectId, now],
    );
    return row!.n;
  }

  override async renew(invitation: Invitation): Promise<void> {
    await this.database.query(
      'UPDATE projects.invitations SET token_hash = $2, expires_at = $3 WHERE id = $1',
      [invitation.id, invitation.tokenHash, invitation.expiresAt],
    );
  }

  override async end(
    id: string,
    state: 'accepted' | 'declined' | 'revoked',
    by: string | null,
    at: Date,
  ): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE projects.invitations SET state = $2, used_by = $3, used_at = $4
        WHERE id = $1 AND state = 'open' RETURNING 1`,
      [id, state, by, at],
    );
    return rows.length > 0;
  }

  override async revokeAllBy(projectId: string, personId: string, at: Date): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `UPDATE projects.invitations SET state = 'revoked', used_at = $3
        WHERE project_id = $1 AND created_by = $2 AND state = 'open' RETURNING id`,
      [projectId, personId, at],
    );
    return rows.map((row) => row.id);
  }
}
