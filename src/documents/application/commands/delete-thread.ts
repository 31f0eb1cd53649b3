import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { ThreadInput } from '../comment-door.js';
import { ThreadChanges } from '../thread-changes.js';

/** Hides a thread from agents and counts; it can come back. @throws DomainError `not-found`, `stale_version`. */
@Injectable()
export class DeleteThread {
  constructor(private readonly changes: ThreadChanges) {}

  execute(actor: Actor, input: ThreadInput): Promise<{ readonly id: string }> {
    return this.changes.apply(actor, input, {
      make: (thread, { personId, at }) => thread.delete(personId, at),
      operation: 'comment.deleted',
      event: (threadId) => ({ type: 'ThreadDeleted', payload: { threadId } }),
    });
  }
}
