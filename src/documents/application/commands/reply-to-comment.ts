import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { DomainError, notFound, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { staleVersion, supersededComment } from '../../domain/refusals.js';
import { type Given, readBody, readId } from '../../domain/texts.js';
import { signatureOf } from '../authorship.js';
import { CommentDoor } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';

export interface ReplyToCommentInput {
  readonly projectId: string;
  /** Named by pages, whose address holds it; agents name the comment alone. */
  readonly documentId?: Given<string>;
  /** The root comment of a thread of the current version. */
  readonly commentId?: Given<string>;
  readonly body?: Given<string>;
}

/**
 * A reply to a thread. One of a person hands an addressed thread back to the agent.
 * @throws InvalidInput; DomainError `not-found`, `stale_version`, `not_root`, `thread_deleted`, `thread_limit`.
 */
@Injectable()
export class ReplyToComment {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly door: CommentDoor,
    private readonly renderer: DocumentRenderer,
    private readonly news: DocumentNews,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ReplyToCommentInput): Promise<{ readonly id: string }> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const problems = new Problems();
    const commentId = readId(problems, 'commentId', input.commentId);
    const body = readBody(problems, 'body', input.body, 'reply');
    problems.throwIfAny();

    const bodyHtml = this.renderer.renderComment(body);
    const by = signatureOf(actor);
    return this.unitOfWork.run(async () => {
      const place = await this.door.place(projectId, commentId);
      if (!place || (input.documentId != null && place.documentId !== input.documentId))
        throw notFound('Comment', 'commentId');
      const document = await this.documents.hold(projectId, place.documentId);
      if (place.versionNumber !== document.version)
        throw by.kind === 'agent'
          ? supersededComment(
              commentId,
              place.versionNumber,
              document.version,
              (await this.threads.currentRoots([commentId])).get(commentId) ?? null,
            )
          : staleVersion(document.version);
      if (place.isReply)
        throw new DomainError('invalid', 'not_root', 'Reply to the first comment of the thread.', {
          argument: 'commentId',
        });
      const thread = await this.door.thread(commentId);
      const at = this.clock.now();
      const handedBack = thread.reply(by.kind, at);
      const id = this.ids.next();
      await this.threads.addReply({
        id,
        threadId: commentId,
        versionId: thread.state.versionId,
        authorKind: by.kind,
        authorUserId: by.personId,
        body,
        bodyHtml,
        createdAt: at,
      });
      await this.threads.save([thread]);
      await this.news.tell(actor, document, {
        events: [
          { type: 'CommentReplied', payload: { threadId: commentId, replyId: id, authorKind: by.kind } },
          ...(handedBack
            ? [{ type: 'ThreadStatusChanged', payload: { threadId: commentId, status: 'pending' } }]
            : []),
        ],
        audit: [
          {
            operation: 'comment.replied',
            subject: { type: 'comment', id: commentId },
            context: { replyId: id },
          },
        ],
        live: ['thread'],
      });
      return { id };
    });
  }
}
