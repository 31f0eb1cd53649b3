import type { Anchor } from '#libs/anchoring/anchor.js';
import type { AuthorKind } from '../../domain/document.js';
import type { Thread } from '../../domain/thread.js';

/** Where a comment is, read before its document is locked. */
export interface CommentPlace {
  readonly id: string;
  readonly documentId: string;
  readonly versionNumber: number;
  readonly isReply: boolean;
  readonly deleted: boolean;
}

export interface NewReply {
  readonly id: string;
  readonly threadId: string;
  readonly versionId: string;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  readonly body: string;
  readonly bodyHtml: string;
  readonly createdAt: Date;
}

/** A thread that a revision looks for in the new text; `anchor` is null on one about the whole document. */
export interface OpenThread {
  readonly id: string;
  readonly anchor: Anchor | null;
  readonly replacement: string | null;
}

/** Where the copy of a thread stands in the new version. */
export interface CarriedThread {
  readonly id: string;
  readonly newId: string;
  readonly anchor: Anchor | null;
  readonly orphaned: boolean;
  readonly moved: boolean;
}

/** Threads: root comments and their replies. */
export abstract class ThreadRepository {
  /** Comments of the project among these ids. */
  abstract places(projectId: string, commentIds: readonly string[]): Promise<CommentPlace[]>;
  /**
   * The root comments that these comments, or the threads they belong to, have become on the current version; without
   * those that were not carried there or are deleted.
   */
  abstract currentRoots(commentIds: readonly string[]): Promise<Map<string, string>>;
  /** Root comments by id, in a document that is locked. */
  abstract threads(ids: readonly string[]): Promise<Thread[]>;
  abstract add(thread: Thread, bodyHtml: string): Promise<void>;
  /** Writes what threads changed. `bodyHtml` when the text did. */
  abstract save(threads: readonly Thread[], bodyHtml?: string): Promise<void>;
  abstract addReply(reply: NewReply): Promise<void>;
  abstract purge(threadId: string): Promise<void>;
  /** Threads of a version that are neither deleted nor resolved. */
  abstract open(versionId: string): Promise<OpenThread[]>;
  /** Threads of a version that are resolved and not deleted; a revision leaves them behind. */
  abstract resolved(versionId: string): Promise<OpenThread[]>;
  /** Copies threads with their replies; the old rows stay as they are. */
  abstract carry(toVersionId: string, threads: readonly CarriedThread[]): Promise<void>;
  abstract countOpen(versionId: string): Promise<number>;
  abstract countPending(versionId: string): Promise<number>;
}
