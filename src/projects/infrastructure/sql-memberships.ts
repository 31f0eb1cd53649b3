import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type Membership, Memberships, type StoredMembership } from '../application/ports/memberships.js';
import type { MemberRole } from '../domain/invitation.js';

/** Memberships as rows of `projects.memberships`. */
@Injectable()
export class SqlMemberships extends Memberships {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(membership: Omit<StoredMembership, 'version'>): Promise<boolean> {
    const rows = await this.database.query(
      `INSERT INTO projects.memberships (project_id, person_id, role, invited_by, joined_at)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (project_id, person_id) DO NOTHING RETURNING 1`,
      [membership.projectId, membership.personId, membership.role, membership.invitedBy, membership.joinedAt],
    );
    return rows.length > 0;
  }

  override async find(projectId: string, personId: string): Promise<StoredMembership | null> {
    return this.database.one<StoredMembership>(
      `SELECT project_id AS "projectId", person_id AS "personId", role, invited_by AS "invitedBy",
              joined_at AS "joinedAt", version
         FROM projects.memberships WHERE project_id = $1 AND person_id = $2 FOR UPDATE`,
      [projectId, personId],
    );
  }

  override async count(projectId: string): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      'SELECT count(*) AS n FROM projects.memberships WHERE project_id = $1',
      [projectId],
    );
    return row!.n;
  }

  override async changeRole(projectId: string, personId: string, role: MemberRole): Promise<void> {
    await this.database.query(
      `UPDATE projects.memberships SET role = $3, version = version + 1
        WHERE project_id = $1 AND person_id = $2`,
      [projectId, personId, role],
    );
  }

  override async remove(projectId: string, personId: string): Promise<void> {
    await this.database.query('DELETE FROM projects.memberships WHERE project_id = $1 AND person_id = $2', [
      projectId,
      personId,
    ]);
  }

  override async endAllOf(personId: string): Promise<Membership[]> {
    return this.database.query<Membership>(
      `DELETE FROM projects.memberships WHERE person_id = $1
       RETURNING project_id AS "projectId", person_id AS "personId", role`,
      [personId],
    );
  }
}
