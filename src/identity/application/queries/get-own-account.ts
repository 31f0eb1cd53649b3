import { Injectable } from '@nestjs/common';
import type { PersonActor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import { Database } from '#libs/persistence/database.js';
import type { Preferences } from '../../domain/person.js';

export interface OwnAccount {
  readonly id: string;
  readonly displayName: string;
  readonly email: string;
  readonly pendingEmail: string | null;
  readonly timezone: string;
  readonly preferences: Preferences;
  readonly createdAt: Date;
  readonly isAdmin: boolean;
  /** The project that the person looked at last, whether it is still open to them or not. */
  readonly lastProjectId: string | null;
}

/** The account of the person who asks. */
@Injectable()
export class GetOwnAccount {
  constructor(private readonly database: Database) {}

  async execute(actor: PersonActor): Promise<OwnAccount> {
    const account = await this.database.one<OwnAccount>(
      `SELECT id, display_name AS "displayName", email, (SELECT t.email FROM identity.account_tokens t
                 WHERE t.person_id = persons.id AND t.purpose = 'change-email' AND t.used_at IS NULL
                   AND t.expires_at > now() ORDER BY t.id DESC LIMIT 1) AS "pendingEmail", timezone, preferences,
              created_at AS "createdAt", is_admin AS "isAdmin", last_project_id AS "lastProjectId"
         FROM identity.persons WHERE id = $1 AND deletion_requested_at IS NULL`,
      [actor.personId],
    );
    if (!account) throw notFound('Account');
    return account;
  }
}
