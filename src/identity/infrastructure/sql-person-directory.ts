import { Injectable } from '@nestjs/common';
import { comparableEmail } from '#libs/kernel/email-address.js';
import { isUuid } from '#libs/kernel/ids.js';
import { onceARequest } from '#libs/kernel/request-memo.js';
import { Database } from '#libs/persistence/database.js';
import { activePersonKey, DELETED_PERSON, PersonDirectory } from '../application/ports/person-directory.js';

/** Names of people, straight from their rows. */
@Injectable()
export class SqlPersonDirectory extends PersonDirectory {
  constructor(private readonly database: Database) {
    super();
  }

  override async names(ids: readonly string[]): Promise<Map<string, string>> {
    const names = new Map(ids.map((id) => [id, DELETED_PERSON]));
    const known = [...names.keys()].filter(isUuid);
    if (known.length === 0) return names;
    const rows = await this.database.query<{ id: string; display_name: string }>(
      'SELECT id, display_name FROM identity.persons WHERE id = ANY($1::uuid[]) AND deletion_requested_at IS NULL',
      [known],
    );
    for (const row of rows) names.set(row.id, row.display_name);
    return names;
  }

  override async byVerifiedEmail(email: string): Promise<{ id: string; displayName: string } | null> {
    return this.database.one<{ id: string; displayName: string }>(
      `SELECT id, display_name AS "displayName" FROM identity.persons
        WHERE email_lower = $1 AND email_verified_at IS NOT NULL AND suspended_at IS NULL
          AND deletion_requested_at IS NULL`,
      [comparableEmail(email)],
    );
  }

  override async isActive(personId: string): Promise<boolean> {
    if (!isUuid(personId)) return false;
    return onceARequest(activePersonKey(personId), async () => {
      const rows = await this.database.hot(
        `SELECT 1 FROM identity.persons WHERE id = $1 AND email_verified_at IS NOT NULL AND suspended_at IS NULL
            AND deletion_requested_at IS NULL`,
        [personId],
      );
      return rows.length > 0;
    });
  }
}
