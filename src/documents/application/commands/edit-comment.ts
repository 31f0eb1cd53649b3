import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readBody } from '../../domain/texts.js';
import { requirePerson } from '../authorship.js';
import { CommentDoor, type ThreadInput } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { ThreadRepository } from '../ports/thread-repository.js';

/**
 * The author of a comment changes its text, within 15 minutes and before any reply.
 * @throws InvalidInput; DomainError `not-found`, `stale_version`, `too_late`.
 */
@Injectable()
export class EditComment {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly renderer: DocumentRenderer,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: ThreadInput & { readonly body?: Given<string> },
  ): Promise<{ readonly id: string }> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    const personId = requirePerson(actor);
    return this.unitOfWork.run(async () => {
      const { document, thread } = await this.door.holdThread(projectId, documentId, commentId);
      const problems = new Problems();
      const body = readBody(problems, 'body', input.body, 'comment', thread.state.replacement !== null);
      problems.throwIfAny();
      if (thread.state.body === body) return { id: thread.id };
      thread.edit(personId, body, this.clock.now());
      await this.threads.save([thread], this.renderer.renderComment(body));
      await this.news.tell(actor, document, {
        audit: [{ operation: 'comment.edited', subject: { type: 'comment', id: thread.id } }],
        live: ['thread'],
      });
      return { id: thread.id };
    });
  }
}
