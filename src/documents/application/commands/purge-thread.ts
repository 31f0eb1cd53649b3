import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { conflict, notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requirePerson } from '../authorship.js';
import { CommentDoor, type ThreadInput } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';

/** Removes a deleted thread and its replies for good. @throws DomainError `not-found`, `not_deleted`. */
@Injectable()
export class PurgeThread {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly news: DocumentNews,
  ) {}

  async execute(actor: Actor, input: ThreadInput): Promise<void> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    requirePerson(actor);
    await this.unitOfWork.run(async () => {
      const document = await this.documents.hold(projectId, documentId);
      const place = await this.door.place(projectId, commentId);
      if (place?.documentId !== documentId || place.isReply) throw notFound('Comment', 'commentId');
      if (!place.deleted) throw conflict('not_deleted', 'Delete the thread first.');
      await this.threads.purge(commentId);
      await this.news.tell(actor, document, {
        audit: [{ operation: 'comment.purged', subject: { type: 'comment', id: commentId } }],
        live: ['thread'],
      });
    });
  }
}
