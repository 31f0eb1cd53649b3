import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { clampPage } from '#libs/kernel/page.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';

export interface FailedJobView {
  readonly id: string;
  readonly queue: string;
  readonly name: string;
  readonly jobId: string;
  readonly data: Record<string, unknown>;
  readonly failedAt: string;
  readonly attempts: number;
  readonly error: string;
  readonly stack: string;
}

interface Row {
  id: string;
  queue: string;
  name: string;
  job_id: string;
  data: Record<string, unknown>;
  failed_at: Date;
  attempts: number;
  error: string;
  stack: string;
}

/** Failed jobs of every queue that nobody has handled, newest first, 50 a page. */
@Injectable()
export class ListFailedJobs {
  constructor(private readonly database: Database) {}

  async execute(
    actor: Actor,
    input: { readonly page?: number; readonly queue?: string },
  ): Promise<{ failed: FailedJobView[]; page: number; hasMore: boolean }> {
    requireAdmin(actor);
    const { page, perPage } = clampPage(input.page, 50, { maxPerPage: 50 });
    const rows = await this.database.query<Row>(
      `SELECT id, queue, name, job_id, data, failed_at, attempts, error, stack FROM platform.dead_jobs
       WHERE resolved_at IS NULL AND ($1::text IS NULL OR queue = $1)
       ORDER BY failed_at DESC, id DESC LIMIT $2 OFFSET $3`,
      [input.queue ?? null, perPage + 1, (page - 1) * perPage],
    );
    return {
      failed: rows.slice(0, perPage).map((row) => ({
        id: row.id,
        queue: row.queue,
        name: row.name,
        jobId: row.job_id,
        data: row.data,
        failedAt: row.failed_at.toISOString(),
        attempts: row.attempts,
        error: row.error,
        stack: row.stack,
      })),
      page,
      hasMore: rows.length > perPage,
    };
  }
}
