/*
 * Commented passages may nest and overlap. The page shows them as runs that do not overlap; each run
 * knows the threads that it belongs to.
 */

/** A thread on `start`–`end` (UTF-16 code units of the plain text, end exclusive). */
export interface Marked {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** Comments of the thread, its replies included. */
  readonly comments: number;
  readonly struck: boolean;
}

/** A run of text that belongs to the same threads from its first to its last character. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
  /** Threads whose passage begins with this run: it is their button. */
  readonly begins: readonly string[];
  readonly comments: number;
  readonly struck: boolean;
}

/** Cuts overlapping threads into runs, in text order. */
export function cutPassages(threads: readonly Marked[]): Passage[] {
  const valid = threads.filter((thread) => thread.end > thread.start && thread.start >= 0);
  const edges = [...new Set(valid.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const sorted = [...valid].sort((a, b) => a.start - b.start || b.end - a.end);
  const passages: Passage[] = [];
  let open: Marked[] = [];
  let next = 0;
  for (let index = 0; index + 1 < edges.length; index++) {
    const start = edges[index]!;
    const end = edges[index + 1]!;
    open = open.filter((thread) => thread.end > start);
    while (next < sorted.length && sorted[next]!.start <= start) open.push(sorted[next++]!);
    if (open.length === 0) continue;
    passages.push({
      start,
      end,
      ids: open.map(({ id }) => id),
      begins: open.filter((thread) => thread.start === start).map(({ id }) => id),
      comments: open.reduce((sum, thread) => sum + thread.comments, 0),
      struck: open.some(({ struck }) => struck),
    });
  }
  return passages;
}

/** The name of a passage for assistive technology. It holds all its words, so that reading on loses none. */
export function passageName(comments: number, words: string): string {
  return `Passage with ${comments} ${comments === 1 ? 'comment' : 'comments'}: ${words.replace(/\s+/gu, ' ').trim()}`;
}
