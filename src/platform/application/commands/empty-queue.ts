import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { requireAdmin } from '#libs/kernel/require-admin.js';
import { QueueView } from '../ports/queue-view.js';

/** Empties the queue backend, for a restore; workers fill it again from the rows within 15 s. */
@Injectable()
export class EmptyQueue {
  constructor(
    private readonly queues: QueueView,
    private readonly audit: Audit,
  ) {}

  async execute(actor: Actor): Promise<void> {
    requireAdmin(actor);
    await this.queues.empty();
    await this.audit.record(actor, { operation: 'jobs.reset' });
  }
}
