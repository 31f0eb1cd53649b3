import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { ThreadInput } from '../comment-door.js';
import { ThreadChanges } from '../thread-changes.js';

/** A person agrees that a thread is done. @throws DomainError `not-found`, `stale_version`, `thread_deleted`. */
@Injectable()
export class ResolveThread {
  constructor(private readonly changes: ThreadChanges) {}

  execute(actor: Actor, input: ThreadInput): Promise<{ readonly id: string }> {
    return this.changes.apply(actor, input, {
      make: (thread, { at }) => thread.resolve(at),
      operation: 'comment.resolved',
      event: (threadId) => ({ type: 'ThreadStatusChanged', payload: { threadId, status: 'resolved' } }),
    });
  }
}
