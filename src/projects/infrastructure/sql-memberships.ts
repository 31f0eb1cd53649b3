import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type Membership, Memberships } from '../application/ports/projects.js';

/** Memberships as rows of `projects.memberships`. */
@Injectable()
export class SqlMemberships extends Memberships {
  constructor(private readonly database: Database) {
    super();
  }

  override async add(
    membership: Membership & { readonly invitedBy: string | null; readonly joinedAt: Date },
  ): Promise<void> {
    await this.database.query(
      `INSERT INTO projects.memberships (project_id, person_id, role, invited_by, joined_at)
       VALUES ($1, $2, $3, $4, $5)`,
      [membership.projectId, membership.personId, membership.role, membership.invitedBy, membership.joinedAt],
    );
  }

  override async endAllOf(personId: string): Promise<Membership[]> {
    return this.database.query<Membership>(
      `DELETE FROM projects.memberships WHERE person_id = $1
       RETURNING project_id AS "projectId", person_id AS "personId", role`,
      [personId],
    );
  }
}
