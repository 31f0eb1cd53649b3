import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { Document } from '../../domain/document.js';
import { COMMENTS_PER_MARK } from '../../domain/limits.js';
import type { Given } from '../../domain/texts.js';
import type { NotAddressed, Thread } from '../../domain/thread.js';
import { DocumentNews } from '../document-news.js';
import { DocumentRepository } from '../ports/document-repository.js';
import { type CommentPlace, ThreadRepository } from '../ports/thread-repository.js';

export type SkipReason = 'invalid_id' | 'not_found' | 'superseded' | 'is_reply' | NotAddressed;

export interface SkippedComment {
  readonly id: string;
  readonly reason: SkipReason;
  /** What the thread of a superseded comment is called on the current version, when it goes on there. */
  readonly current?: string;
}

/** The answer of `document_mark_comment_addressed`, in the order of the input. */
export interface MarkedComments {
  readonly addressed: readonly string[];
  readonly skipped: readonly SkippedComment[];
}

/** The agent says that it acted on threads. One bad id never fails the call. @throws InvalidInput on `commentIds`. */
@Injectable()
export class MarkCommentsAddressed {
  constructor(
    private readonly access: ProjectAccess,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly commentIds?: Given<readonly string[]> },
  ): Promise<MarkedComments> {
    await this.access.require(actor, input.projectId, 'contribute');
    const problems = new Problems();
    const given = input.commentIds ?? [];
    if (given.length < 1 || given.length > COMMENTS_PER_MARK)
      problems.add('commentIds', `Name 1 to ${COMMENTS_PER_MARK} comments.`);
    problems.throwIfAny();

    return this.unitOfWork.run(async () => {
      const ids = [...new Set(given.filter(isUuid).map((id) => id.toLowerCase()))];
      const places = await this.threads.places(input.projectId, ids);
      const documents = await this.hold(input.projectId, places);
      const threads = new Map((await this.threads.threads(ids)).map((thread) => [thread.id, thread]));
      const byId = new Map(places.map((place) => [place.id, place]));
      const at = this.clock.now();
      const addressed: string[] = [];
      const skipped: SkippedComment[] = [];
      for (const id of given) {
        const place = isUuid(id) ? byId.get(id.toLowerCase()) : undefined;
        const thread = place && threads.get(place.id);
        const reason = isUuid(id) ? whyNot(place, documents, thread, at) : 'invalid_id';
        if (reason === null) addressed.push(id.toLowerCase());
        else skipped.push({ id, reason });
      }
      await this.threads.save(addressed.map((id) => threads.get(id)!));
      await this.tell(actor, addressed, byId, documents);
      return { addressed, skipped: await this.withCurrentIds(skipped) };
    });
  }

  private async withCurrentIds(skipped: readonly SkippedComment[]): Promise<SkippedComment[]> {
    const superseded = skipped.filter(({ reason }) => reason === 'superseded');
    const roots = await this.threads.currentRoots(superseded.map(({ id }) => id.toLowerCase()));
    return skipped.map((entry) => {
      const current = entry.reason === 'superseded' ? roots.get(entry.id.toLowerCase()) : undefined;
      return current === undefined ? entry : { ...entry, current };
    });
  }

  /** In one order for everybody, so that two calls never wait for each other. */
  private async hold(projectId: string, places: readonly CommentPlace[]): Promise<Map<string, Document>> {
    const held = new Map<string, Document>();
    for (const id of [...new Set(places.map((place) => place.documentId))].sort()) {
      const document = await this.documents.lock(projectId, id);
      if (document) held.set(id, document);
    }
    return held;
  }

  private async tell(
    actor: Actor,
    addressed: readonly string[],
    places: ReadonlyMap<string, CommentPlace>,
    documents: ReadonlyMap<string, Document>,
  ): Promise<void> {
    for (const document of documents.values()) {
      const ids = addressed.filter((id) => places.get(id)?.documentId === document.id);
      if (ids.length === 0) continue;
      await this.news.tell(actor, document, {
        events: ids.map((threadId) => ({
          type: 'ThreadStatusChanged',
          payload: { threadId, status: 'addressed' },
        })),
        audit: ids.map((commentId) => ({
          operation: 'comment.addressed',
          subject: { type: 'comment', id: commentId },
        })),
        live: ['thread', 'list'],
      });
    }
  }
}

function whyNot(
  place: CommentPlace | undefined,
  documents: ReadonlyMap<string, Document>,
  thread: Thread | undefined,
  at: Date,
): SkipReason | null {
  const document = place && documents.get(place.documentId);
  if (!place || !document || place.deleted) return 'not_found';
  if (place.versionNumber !== document.version) return 'superseded';
  if (place.isReply) return 'is_reply';
  // Read after the lock: what happened while this call waited counts.
  if (!thread || thread.state.deletedAt !== null) return 'not_found';
  return thread.address(at);
}
