import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/kernel/ids.js';
import { Database } from '#libs/persistence/database.js';
import { PersonContacts } from '../application/ports/person-contacts.js';

/** Addresses of people, straight from their rows. */
@Injectable()
export class SqlPersonContacts extends PersonContacts {
  constructor(private readonly database: Database) {
    super();
  }

  override async emails(ids: readonly string[]): Promise<Map<string, string>> {
    const known = ids.filter(isUuid);
    if (known.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; email: string }>(
      `SELECT id, email FROM identity.persons
        WHERE id = ANY($1::uuid[]) AND email_verified_at IS NOT NULL AND deletion_requested_at IS NULL`,
      [known],
    );
    return new Map(rows.map(({ id, email }) => [id, email]));
  }
}
