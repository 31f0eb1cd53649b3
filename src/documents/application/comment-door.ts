import { Injectable } from '@nestjs/common';
import { notFound } from '#libs/kernel/errors.js';
import type { Document } from '../domain/document.js';
import { staleVersion } from '../domain/refusals.js';
import type { Thread } from '../domain/thread.js';
import { DocumentRepository } from './ports/document-repository.js';
import { type CommentPlace, ThreadRepository } from './ports/thread-repository.js';

/** A thread on the page of a document; ids that are none count as unknown. */
export interface ThreadInput {
  readonly projectId: string;
  readonly documentId: string;
  readonly commentId: string;
}

/** A thread of the current version, with its document held against other writers. */
export interface HeldThread {
  readonly document: Document;
  readonly thread: Thread;
}

/** Finds threads for those who are about to change them. */
@Injectable()
export class CommentDoor {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly threads: ThreadRepository,
  ) {}

  /**
   * For a person on the page of a document.
   * @throws DomainError `not-found`, `stale_version` when a revision came between.
   */
  async holdThread(projectId: string, documentId: string, commentId: string): Promise<HeldThread> {
    const document = await this.documents.hold(projectId, documentId);
    const place = await this.place(projectId, commentId);
    if (place?.documentId !== documentId || place.isReply) throw notFound('Comment', 'commentId');
    if (place.versionNumber !== document.version) throw staleVersion(document.version);
    return { document, thread: await this.thread(commentId) };
  }

  async place(projectId: string, commentId: string): Promise<CommentPlace | null> {
    return (await this.threads.places(projectId, [commentId]))[0] ?? null;
  }

  /** @throws DomainError `not-found` when it was purged meanwhile. */
  async thread(commentId: string): Promise<Thread> {
    const [thread] = await this.threads.threads([commentId]);
    if (!thread) throw notFound('Comment', 'commentId');
    return thread;
  }
}
