import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { Database } from '#libs/persistence/database.js';

const QUEUE = 'maintenance';
const NAME = 'identity.purge-oauth-artefacts';
const BATCH = 1_000;

/** Deletes what has expired at the authorization server, and marks connections that reached their last day. Hourly. */
@Injectable()
export class PurgeArtefacts implements OnModuleInit {
  constructor(
    private readonly jobs: Jobs,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.jobs.every(QUEUE, 'identity-purge-oauth', NAME, { cron: '17 * * * *' });
    this.jobs.process(QUEUE, NAME, async () => {
      await this.run();
      return undefined;
    });
  }

  /** @returns how many rows went. An hour is left so that late uses of codes are still recognised. */
  async run(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const rows = await this.database.query(
        `DELETE FROM identity.oauth_artefacts WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM identity.oauth_artefacts WHERE expires_at < now() - interval '1 hour' LIMIT ${BATCH}
         )) RETURNING 1`,
      );
      deleted += rows.length;
      if (rows.length < BATCH) break;
    }
    await this.database.query(
      `UPDATE identity.connections SET revoked_at = expires_at, revoked_reason = 'expired'
       WHERE revoked_at IS NULL AND expires_at < now()`,
    );
    return deleted;
  }
}
