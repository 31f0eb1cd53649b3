import type { Anchor } from '#libs/anchoring/anchor.js';
import { conflict } from '#libs/kernel/errors.js';
import type { AuthorKind } from './document.js';
import { EDIT_MILLISECONDS, REPLIES_PER_THREAD } from './limits.js';

export type ThreadStatus = 'pending' | 'addressed' | 'resolved';

/** The root comment of a thread; it speaks for the thread. */
export interface ThreadState {
  readonly id: string;
  readonly versionId: string;
  readonly authorKind: AuthorKind;
  readonly authorUserId: string | null;
  readonly body: string;
  /** Null on a comment about the whole document. */
  readonly anchor: Anchor | null;
  /** Null is a plain comment, the empty text strikes the passage, other text is a suggested wording. */
  readonly replacement: string | null;
  readonly status: ThreadStatus;
  /** Its quote is not in this version. */
  readonly orphaned: boolean;
  /** Its passage moved or was reworded by the revision that made this version. */
  readonly moved: boolean;
  readonly deletedAt: Date | null;
  readonly deletedByUserId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Replies so far. */
  readonly replies: number;
}

/** Why a thread was not marked as addressed. */
export type NotAddressed = 'already_addressed' | 'already_resolved';

/** One comment of a person and the talk under it (`documents.md` 3.2). */
export class Thread {
  private constructor(private facts: ThreadState) {}

  static open(
    facts: Pick<
      ThreadState,
      'id' | 'versionId' | 'authorKind' | 'authorUserId' | 'body' | 'anchor' | 'replacement'
    >,
    at: Date,
  ): Thread {
    return new Thread({
      ...facts,
      status: 'pending',
      orphaned: false,
      moved: false,
      deletedAt: null,
      deletedByUserId: null,
      createdAt: at,
      updatedAt: at,
      replies: 0,
    });
  }

  static restore(state: ThreadState): Thread {
    return new Thread(state);
  }

  get state(): ThreadState {
    return this.facts;
  }

  get id(): string {
    return this.facts.id;
  }

  /** "I acted on it": all that an agent can say. Null when it took. */
  address(at: Date): NotAddressed | null {
    if (this.facts.status === 'addressed') return 'already_addressed';
    if (this.facts.status === 'resolved') return 'already_resolved';
    this.change({ status: 'addressed' }, at);
    return null;
  }

  /** False when it was resolved already. */
  resolve(at: Date): boolean {
    return this.become('resolved', at);
  }

  /** Also takes an addressed thread back to the agent. False when it was pending already. */
  reopen(at: Date): boolean {
    return this.become('pending', at);
  }

  /**
   * A person's reply hands an addressed thread back to the agent; any other reply leaves the status. True when the
   * status changed. @throws DomainError `thread_deleted`, `thread_limit`.
   */
  reply(by: AuthorKind, at: Date): boolean {
    this.requirePresent('commentId');
    if (this.facts.replies >= REPLIES_PER_THREAD)
      throw conflict('thread_limit', 'This thread has 200 replies. Answer in the document.', {
        argument: 'commentId',
      });
    const back = by === 'person' && this.facts.status === 'addressed';
    this.change({ replies: this.facts.replies + 1, status: back ? 'pending' : this.facts.status }, at);
    return back;
  }

  /** Whether this person may change the text now. */
  mayEdit(personId: string | null, at: Date): boolean {
    const { authorKind, authorUserId, replies, createdAt, deletedAt } = this.facts;
    return (
      authorKind === 'person' &&
      personId !== null &&
      authorUserId === personId &&
      replies === 0 &&
      deletedAt === null &&
      at.getTime() - createdAt.getTime() <= EDIT_MILLISECONDS
    );
  }

  /** @throws DomainError `too_late`. */
  edit(personId: string | null, body: string, at: Date): void {
    if (!this.mayEdit(personId, at))
      throw conflict(
        'too_late',
        'A comment may be changed by its author, within 15 minutes and before any reply. Write a reply.',
      );
    this.change({ body }, at);
  }

  /** Hidden from agents and counts. False when it was deleted already. */
  delete(personId: string | null, at: Date): boolean {
    if (this.facts.deletedAt !== null) return false;
    this.change({ deletedAt: at, deletedByUserId: personId }, at);
    return true;
  }

  /** False when it was not deleted. */
  undelete(at: Date): boolean {
    if (this.facts.deletedAt === null) return false;
    this.change({ deletedAt: null, deletedByUserId: null }, at);
    return true;
  }

  /** Puts the thread on another passage. @throws DomainError `thread_deleted`. */
  reattach(anchor: Anchor, at: Date): void {
    this.requirePresent('commentId');
    this.change({ anchor, orphaned: false, moved: false }, at);
  }

  private become(status: ThreadStatus, at: Date): boolean {
    this.requirePresent('commentId');
    if (this.facts.status === status) return false;
    this.change({ status }, at);
    return true;
  }

  private requirePresent(argument: string): void {
    if (this.facts.deletedAt !== null)
      throw conflict('thread_deleted', 'This thread is deleted.', { argument });
  }

  private change(part: Partial<ThreadState>, at: Date): void {
    this.facts = { ...this.facts, ...part, updatedAt: at };
  }
}
