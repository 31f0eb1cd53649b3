import { type Actor, personIdOf } from '#libs/kernel/actor.js';
import { Thread, type ThreadStatus } from '../../domain/thread.js';
import type { AuthorAnswer, People } from '../people.js';
import type { ReplyRow, ThreadRows } from './thread-reader.js';

export interface ReplyAnswer {
  readonly id: string;
  readonly body: string;
  readonly bodyHtml: string;
  readonly author: AuthorAnswer;
  readonly createdAt: string;
}

/** A thread as pages show it. */
export interface ThreadAnswer {
  readonly id: string;
  readonly status: ThreadStatus;
  readonly orphaned: boolean;
  /** Its passage moved or was reworded by the revision that made this version. */
  readonly moved: boolean;
  /** UTF-16 offsets in the plain text; those of an orphan mean nothing. Null on the whole document. */
  readonly anchor: { readonly quote: string; readonly start: number; readonly end: number } | null;
  readonly replacement: string | null;
  readonly body: string;
  readonly bodyHtml: string;
  readonly author: AuthorAnswer;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly mayEdit: boolean;
  readonly replies: readonly ReplyAnswer[];
}

/** A thread as pages and agents get it, seen by `reader`. */
export function threadAnswer(
  { root, replies }: ThreadRows,
  people: People,
  reader: Actor,
  now: Date,
): ThreadAnswer {
  const { quote, start, prefix, suffix, bodyHtml, ...facts } = root;
  const anchored = quote !== null && start !== null;
  const thread = Thread.restore({ ...facts, anchor: null, replies: replies.length });
  return {
    id: root.id,
    status: root.status,
    orphaned: root.orphaned,
    moved: root.moved,
    anchor: anchored ? { quote, start, end: start + quote.length } : null,
    replacement: root.replacement,
    body: root.body,
    bodyHtml,
    author: people.author(root.authorKind, root.authorUserId),
    createdAt: root.createdAt.toISOString(),
    updatedAt: root.updatedAt.toISOString(),
    mayEdit: thread.mayEdit(personIdOf(reader), now),
    replies: replies.map((reply) => replyAnswer(reply, people)),
  };
}

export function replyAnswer(reply: ReplyRow, people: People): ReplyAnswer {
  return {
    id: reply.id,
    body: reply.body,
    bodyHtml: reply.bodyHtml,
    author: people.author(reply.authorKind, reply.authorUserId),
    createdAt: reply.createdAt.toISOString(),
  };
}

/** Everybody who wrote in these threads. */
export function writersOf(threads: readonly ThreadRows[]): (string | null)[] {
  return threads.flatMap(({ root, replies }) => [
    root.authorUserId,
    ...replies.map((reply) => reply.authorUserId),
  ]);
}
