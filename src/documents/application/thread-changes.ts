import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Thread } from '../domain/thread.js';
import { requirePerson } from './authorship.js';
import { CommentDoor, type ThreadInput } from './comment-door.js';
import { type DocumentChange, DocumentNews } from './document-news.js';
import { ThreadRepository } from './ports/thread-repository.js';

/** What a person does to a thread as a whole, and what is told of it. */
export interface ThreadChange {
  /** False when the thread is so already: then nothing is stored and nothing told. */
  readonly make: (thread: Thread, by: { readonly personId: string; readonly at: Date }) => boolean;
  /** Name in the audit log. */
  readonly operation: string;
  readonly event: (threadId: string) => NonNullable<DocumentChange['events']>[number];
}

/** Changes of a thread of the current version by a person on the page of the document. Repeating one changes nothing. */
@Injectable()
export class ThreadChanges {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `not-found`, `forbidden`, `stale_version`, and what `make` throws */
  async apply(actor: Actor, input: ThreadInput, change: ThreadChange): Promise<{ readonly id: string }> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const personId = requirePerson(actor);
    return this.unitOfWork.run(async () => {
      const { document, thread } = await this.door.holdThread(projectId, documentId, commentId);
      if (change.make(thread, { personId, at: this.clock.now() })) {
        await this.threads.save([thread]);
        await this.news.tell(actor, document, {
          events: [change.event(thread.id)],
          audit: [{ operation: change.operation, subject: { type: 'comment', id: thread.id } }],
          live: ['thread', 'list'],
        });
      }
      return { id: thread.id };
    });
  }
}
