import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { type Given, readVersion } from '../../domain/texts.js';
import { anchorIn, type SelectedPassage } from '../anchoring.js';
import { requirePerson } from '../authorship.js';
import { CommentDoor, type ThreadInput } from '../comment-door.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';

export interface ReattachThreadInput extends ThreadInput {
  readonly version?: Given<number>;
  readonly anchor?: Given<SelectedPassage>;
}

/**
 * Puts a thread, mostly one that lost its passage, on a new selection.
 * @throws InvalidInput; DomainError `not-found`, `stale_version`, `thread_deleted`, `no_anchor`.
 */
@Injectable()
export class ReattachThread {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly door: CommentDoor,
    private readonly threads: ThreadRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: ReattachThreadInput): Promise<{ readonly id: string }> {
    const { projectId, documentId, commentId } = input;
    await this.access.require(actor, projectId, 'contribute');
    requirePerson(actor);
    const problems = new Problems();
    const version = readVersion(problems, 'version', input.version);
    const passage = input.anchor ?? { quote: '', start: 0 };
    problems.throwIfAny();
    return this.unitOfWork.run(async () => {
      const { document, thread } = await this.door.holdThread(projectId, documentId, commentId);
      document.requireCurrent(version);
      const plainText = await this.documents.plainText(thread.state.versionId);
      thread.reattach(anchorIn(plainText, passage), this.clock.now());
      await this.threads.save([thread]);
      await this.news.tell(actor, document, {
        audit: [{ operation: 'comment.reattached', subject: { type: 'comment', id: thread.id } }],
        live: ['thread', 'list'],
      });
      return { id: thread.id };
    });
  }
}
