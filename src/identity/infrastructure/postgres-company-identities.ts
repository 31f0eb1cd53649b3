import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { CompanyIdentities, type CompanyIdentity } from '../application/ports/company-identities.js';

/** Rows of `identity.company_identities`. */
@Injectable()
export class PostgresCompanyIdentities extends CompanyIdentities {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(issuer: string, subject: string): Promise<CompanyIdentity | null> {
    this.database.requireTransaction();
    await this.database.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `company ${issuer} ${subject}`,
    ]);
    return this.database.one<CompanyIdentity>(
      `SELECT issuer, subject, person_id AS "personId", admin_by_group AS "adminByGroup"
         FROM identity.company_identities WHERE issuer = $1 AND subject = $2`,
      [issuer, subject],
    );
  }

  override async hasAnother(issuer: string, subject: string, personId: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT 1 FROM identity.company_identities WHERE issuer = $1 AND subject <> $2 AND person_id = $3 LIMIT 1',
      [issuer, subject, personId],
    );
    return row !== null;
  }

  override async save({ issuer, subject, personId, adminByGroup }: CompanyIdentity): Promise<void> {
    await this.database.query(
      `INSERT INTO identity.company_identities (issuer, subject, person_id, admin_by_group) VALUES ($1, $2, $3, $4)
       ON CONFLICT (issuer, subject)
       DO UPDATE SET person_id = excluded.person_id, admin_by_group = excluded.admin_by_group, last_used_at = now()`,
      [issuer, subject, personId, adminByGroup],
    );
  }
}
