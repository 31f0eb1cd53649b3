import { Injectable } from '@nestjs/common';
import type { Anchor } from '#libs/anchoring/anchor.js';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Document } from '../../domain/document.js';
import { OPEN_THREADS_PER_VERSION } from '../../domain/limits.js';
import { staleVersion } from '../../domain/refusals.js';
import { type Given, readBody, readId, readReplacement, readVersion } from '../../domain/texts.js';
import { Thread } from '../../domain/thread.js';
import { anchorIn, type SelectedPassage } from '../anchoring.js';
import { requirePerson } from '../authorship.js';
import { Carrying } from '../carrying.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository, type VersionFacts } from '../ports/document-repository.js';
import { ThreadRepository } from '../ports/thread-repository.js';

export interface AddCommentInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  /** The version that the page showed. */
  readonly version?: Given<number>;
  /** Absent is a comment on the whole document. */
  readonly anchor?: Given<SelectedPassage>;
  readonly body?: Given<string>;
  /** A suggested wording, or the empty text to strike the passage. */
  readonly replacement?: Given<string>;
}

/**
 * A person opens a thread. One that was written on an older version moves to the current one when its words are there.
 * @throws InvalidInput; DomainError `not-found`, `archived`, `stale_version`, `no_anchor`, `thread_limit`.
 */
@Injectable()
export class AddComment {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly carrying: Carrying,
    private readonly renderer: DocumentRenderer,
    private readonly news: DocumentNews,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: AddCommentInput,
  ): Promise<{ readonly id: string; readonly version: number }> {
    await this.access.require(actor, input.projectId, 'contribute');
    const personId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const version = readVersion(problems, 'version', input.version);
    const replacement = readReplacement(problems, 'replacement', input.replacement);
    const body = readBody(problems, 'body', input.body, 'comment', replacement !== null);
    if (replacement !== null && input.anchor == null)
      problems.add('replacement', 'A suggested wording needs a selected passage.');
    problems.throwIfAny();

    const bodyHtml = this.renderer.renderComment(body);
    return this.unitOfWork.run(async () => {
      const document = await this.documents.hold(input.projectId, documentId);
      document.requireActive('person');
      const current = (await this.documents.version(documentId, document.version))!;
      const anchor = await this.anchor(document, current, version, input.anchor ?? null, replacement);
      if ((await this.threads.countOpen(current.id)) >= OPEN_THREADS_PER_VERSION)
        throw conflict(
          'thread_limit',
          `This version has ${OPEN_THREADS_PER_VERSION} open threads. Resolve some before you add another.`,
        );
      const thread = Thread.open(
        {
          id: this.ids.next(),
          versionId: current.id,
          authorKind: 'person',
          authorUserId: personId,
          body,
          anchor,
          replacement,
        },
        this.clock.now(),
      );
      await this.threads.add(thread, bodyHtml);
      await this.news.tell(actor, document, {
        events: [{ type: 'CommentAdded', payload: { threadId: thread.id } }],
        audit: [{ operation: 'comment.added', subject: { type: 'comment', id: thread.id } }],
        live: ['thread'],
      });
      return { id: thread.id, version: document.version };
    });
  }

  private async anchor(
    document: Document,
    current: VersionFacts,
    shown: number,
    passage: SelectedPassage | null,
    replacement: string | null,
  ): Promise<Anchor | null> {
    const written = shown === current.number ? current : await this.documents.version(document.id, shown);
    if (!written) throw staleVersion(document.version);
    if (passage === null) return null;
    const anchor = anchorIn(await this.documents.plainText(written.id), passage);
    if (written.id === current.id) return anchor;
    const text = await this.documents.plainText(current.id);
    const [carried] = await this.carrying.relocated(
      written.id,
      [{ id: written.id, anchor, replacement }],
      text,
    );
    if (!carried || carried.orphaned) throw staleVersion(document.version);
    return carried.anchor;
  }
}
