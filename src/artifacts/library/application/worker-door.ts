import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { workerStores } from '../domain/refusals.js';
import { LibraryHooks } from './ports/library-hooks.js';

/** Workers read artifacts and do not store them (`artifacts.md` 6). */
@Injectable()
export class WorkerDoor {
  constructor(private readonly hooks: LibraryHooks) {}

  /** @throws DomainError `forbidden` `worker_session`. */
  async refuseWorkers(actor: Actor): Promise<void> {
    if (actor.kind !== 'connection') return;
    if (await this.hooks.isWorkerSession(actor.agentSessionId)) throw workerStores();
  }
}
