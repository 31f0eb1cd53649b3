import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { type HeldLease, WriteLeases } from '../application/ports/write-leases.js';
import { artifactBusy } from '../domain/refusals.js';

/** A lease lasts this long without a renewal: less than others wait, so that a crash costs them a wait and no refusal. */
const LEASE_SECONDS = 6;
const RENEW_MS = 1_500;
const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/** Leases as rows, with the clock of the database. */
@Injectable()
export class PostgresWriteLeases extends WriteLeases {
  constructor(private readonly database: Database) {
    super();
  }

  override async hold<T>(artifactId: string, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    if (this.database.inTransaction) throw new Error('A write lease is taken before the unit of work.');
    const holder = randomUUID();
    await this.take(artifactId, holder);
    const renewal = setInterval(() => {
      // A renewal that fails is noticed by `requireHeld`.
      this.extend(artifactId, holder).catch(() => undefined);
    }, RENEW_MS);
    try {
      return await work({ requireHeld: () => this.require(artifactId, holder) });
    } finally {
      clearInterval(renewal);
      await this.database
        .query('DELETE FROM artifacts.write_lease WHERE artifact_id = $1 AND holder = $2', [
          artifactId,
          holder,
        ])
        .catch(() => undefined);
    }
  }

  private async take(artifactId: string, holder: string): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const taken = await this.database.one(
        `INSERT INTO artifacts.write_lease AS l (artifact_id, holder, held_until)
         VALUES ($1, $2, clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
         ON CONFLICT (artifact_id) DO UPDATE SET holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
           WHERE l.held_until < clock_timestamp()
         RETURNING holder`,
        [artifactId, holder],
      );
      if (taken) return;
      if (Date.now() + pause > deadline) throw artifactBusy();
      await sleep(pause * (0.75 + Math.random() / 2));
    }
  }

  private async extend(artifactId: string, holder: string): Promise<void> {
    await this.database.query(
      `UPDATE artifacts.write_lease SET held_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       WHERE artifact_id = $1 AND holder = $2`,
      [artifactId, holder],
    );
  }

  private async require(artifactId: string, holder: string): Promise<void> {
    this.database.requireTransaction();
    const held = await this.database.one(
      'SELECT 1 FROM artifacts.write_lease WHERE artifact_id = $1 AND holder = $2 FOR UPDATE',
      [artifactId, holder],
    );
    if (!held) throw artifactBusy();
  }
}
