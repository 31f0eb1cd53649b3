import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Document } from '../../domain/document.js';
import type { Thread } from '../../domain/thread.js';
import { requirePerson } from '../authorship.js';
import { Carrying } from '../carrying.js';
import { CommentDoor, type ThreadInput } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';

/**
 * Brings a deleted thread back. One that was deleted on an older version also moves to the current one, as it would
 * have with the revisions between. Gives the id to go on with. @throws DomainError `not-found`.
 */
@Injectable()
export class RestoreThread {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly carrying: Carrying,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ThreadInput): Promise<{ readonly id: string }> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    requirePerson(actor);
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(projectId, documentId);
      const place = await this.door.place(projectId, commentId);
      if (place?.documentId !== documentId || place.isReply) throw notFound('Comment', 'commentId');
      const thread = await this.door.thread(commentId);
      if (!thread.undelete(this.clock.now())) return { id: commentId };
      await this.threads.save([thread]);
      const overtaken = place.versionNumber !== document.version && thread.state.status !== 'resolved';
      const id = overtaken ? await this.carry(document, thread) : commentId;
      await this.news.tell(actor, document, {
        events: [{ type: 'ThreadRestored', payload: { threadId: id } }],
        audit: [{ operation: 'comment.restored', subject: { type: 'comment', id } }],
        live: ['thread', 'list'],
      });
      return { id };
    });
  }

  private async carry(document: Document, { state }: Thread): Promise<string> {
    const current = (await this.documents.version(document.id, document.version))!;
    const text = await this.documents.plainText(current.id);
    const carried = await this.carrying.relocated(state.versionId, [state], text);
    await this.threads.carry(current.id, carried);
    return carried[0]!.newId;
  }
}
