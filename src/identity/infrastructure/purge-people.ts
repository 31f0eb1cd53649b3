import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { Database } from '#libs/persistence/database.js';
import { AuditRecords } from '#src/platform/application/ports/audit-records.js';
import { PURGE_PERSON, PURGE_QUEUE } from '../application/person-deletion.js';
import { AccountTokens } from '../application/ports/account-tokens.js';

const PURGE_TOKENS = 'identity.purge-account-tokens';
const BATCH = 1_000;

/** Takes away what deleted people leave behind, and links that are long over. Each step can be done again. */
@Injectable()
export class PurgePeople implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
    private readonly audit: AuditRecords,
    private readonly tokens: AccountTokens,
  ) {}

  onModuleInit(): void {
    // Whatever a killed worker left is taken up again.
    this.jobs.every(PURGE_QUEUE, 'identity-purge-people', PURGE_PERSON, { cron: '*/10 * * * *' });
    this.jobs.process(PURGE_QUEUE, PURGE_PERSON, async () => {
      const gone = await this.database.query<{ id: string }>(
        'SELECT id FROM identity.persons WHERE deletion_requested_at IS NOT NULL ORDER BY id LIMIT 500',
      );
      for (const { id } of gone) await this.purge(id);
      return undefined;
    });
    this.jobs.every('maintenance', 'identity-purge-tokens', PURGE_TOKENS, { cron: '17 * * * *' });
    this.jobs.process('maintenance', PURGE_TOKENS, async () => {
      while ((await this.tokens.purge(BATCH)) === BATCH);
      return undefined;
    });
  }

  /** Records of what the person did go; those that only name the person as a subject stay, with the id alone. */
  private async purge(personId: string): Promise<void> {
    while ((await this.audit.deleteOfActor(personId, BATCH)) === BATCH);
    await this.database.query(
      `DELETE FROM identity.oauth_artefacts WHERE grant_id IN
         (SELECT id FROM identity.connections WHERE person_id = $1)`,
      [personId],
    );
    await this.database.query('DELETE FROM identity.persons WHERE id = $1', [personId]);
  }
}
