import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requirePerson } from '../authorship.js';
import { CommentDoor, type ThreadInput } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { ThreadRepository } from '../ports/thread-repository.js';

/** Hides a thread from agents and counts; it can come back. @throws DomainError `not-found`, `stale_version`. */
@Injectable()
export class DeleteThread {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ThreadInput): Promise<{ readonly id: string }> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const personId = requirePerson(actor);
    return this.unitOfWork.run(async () => {
      const { document, thread } = await this.door.holdThread(projectId, documentId, commentId);
      if (thread.delete(personId, this.clock.now())) {
        await this.threads.save([thread]);
        await this.news.tell(actor, document, {
          events: [{ type: 'ThreadDeleted', payload: { threadId: thread.id } }],
          audit: [
            {
              operation: 'comment.deleted',
              subjectType: 'comment',
              subjectId: thread.id,
              context: { documentId },
            },
          ],
          live: ['thread', 'list'],
        });
      }
      return { id: thread.id };
    });
  }
}
