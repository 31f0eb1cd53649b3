import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { ThreadInput } from '../comment-door.js';
import { ThreadChanges } from '../thread-changes.js';

/** Makes a resolved or an addressed thread pending again. @throws DomainError `not-found`, `stale_version`, `thread_deleted`. */
@Injectable()
export class ReopenThread {
  constructor(private readonly changes: ThreadChanges) {}

  execute(actor: Actor, input: ThreadInput): Promise<{ readonly id: string }> {
    return this.changes.apply(actor, input, {
      make: (thread, { at }) => thread.reopen(at),
      operation: 'comment.reopened',
      event: (threadId) => ({ type: 'ThreadStatusChanged', payload: { threadId, status: 'pending' } }),
    });
  }
}
