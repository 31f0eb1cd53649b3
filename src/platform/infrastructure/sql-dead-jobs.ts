import { Injectable } from '@nestjs/common';
import { Ids } from '#libs/kernel/ids.js';
import type { JobData } from '#libs/kernel/ports/jobs.js';
import { Database } from '#libs/persistence/database.js';
import { type DeadJobRecord, DeadJobs } from '../application/ports/dead-jobs.js';
import { masked } from '../domain/masked-text.js';

interface Row {
  queue: string;
  job_id: string;
  name: string;
  data: JobData;
  error: string;
  stack: string;
  attempts: number;
}

@Injectable()
export class SqlDeadJobs extends DeadJobs {
  constructor(
    private readonly database: Database,
    private readonly ids: Ids,
  ) {
    super();
  }

  override async record(job: DeadJobRecord): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.dead_jobs (id, queue, job_id, name, data, error, stack, attempts, failed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())
       ON CONFLICT (queue, job_id) WHERE resolved_at IS NULL DO UPDATE
         SET error = excluded.error, stack = excluded.stack, attempts = excluded.attempts, failed_at = excluded.failed_at`,
      [
        this.ids.next(),
        job.queue,
        job.jobId,
        job.name,
        JSON.stringify(job.data),
        masked(job.error, 500),
        masked(job.stack, 8_000),
        job.attempts,
      ],
    );
  }

  override async resolve(
    id: string,
    resolution: 'retried' | 'discarded',
    by: string | null,
  ): Promise<DeadJobRecord | null> {
    const [row] = await this.database.query<Row>(
      `UPDATE platform.dead_jobs SET resolved_at = now(), resolved_by = $2, resolution = $3
       WHERE id = $1 AND resolved_at IS NULL
       RETURNING queue, job_id, name, data, error, stack, attempts`,
      [id, by, resolution],
    );
    if (!row) return null;
    const { job_id: jobId, ...rest } = row;
    return { jobId, ...rest };
  }

  override async exists(id: string): Promise<boolean> {
    return (await this.database.one('SELECT 1 FROM platform.dead_jobs WHERE id = $1', [id])) !== null;
  }

  override async openOf(queue: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM platform.dead_jobs WHERE queue = $1 AND resolved_at IS NULL ORDER BY failed_at, id LIMIT 1000',
      [queue],
    );
    return rows.map(({ id }) => id);
  }
}
