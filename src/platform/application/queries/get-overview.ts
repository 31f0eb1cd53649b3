import { Injectable } from '@nestjs/common';
import { version } from '#libs/configuration/version.js';
import type { Actor } from '#libs/kernel/actor.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { Database } from '#libs/persistence/database.js';
import { OverviewCounters } from '../ports/overview-counters.js';
import { QueueView } from '../ports/queue-view.js';
import type { StatusRequest, StatusRow } from '../ports/status-checks.js';
import { GetStatus } from './get-status.js';

export interface Overview {
  readonly people: number | null;
  readonly projects: number | null;
  readonly connections: number | null;
  /** Null while the queue backend does not answer. */
  readonly queueDepth: number | null;
  readonly failedJobs: number;
  readonly version: string;
  readonly failing: StatusRow[];
}

/** The first page of the admin area: counts, and checks that are not well. */
@Injectable()
export class GetOverview {
  constructor(
    private readonly counters: OverviewCounters,
    private readonly queues: QueueView,
    private readonly status: GetStatus,
    private readonly database: Database,
  ) {}

  async execute(actor: Actor, request: StatusRequest | null): Promise<Overview> {
    requireAdmin(actor);
    const [people, projects, connections, queueDepth, failed, { checks }] = await Promise.all([
      this.counters.count('people'),
      this.counters.count('projects'),
      this.counters.count('connections'),
      this.queues.depth().catch(() => null),
      this.database.one<{ count: number }>(
        'SELECT count(*) AS count FROM platform.dead_jobs WHERE resolved_at IS NULL',
      ),
      this.status.execute(actor, request),
    ]);
    return {
      people,
      projects,
      connections,
      queueDepth,
      failedJobs: failed?.count ?? 0,
      version,
      failing: checks.filter(({ state }) => state === 'failed' || state === 'warning'),
    };
  }
}
