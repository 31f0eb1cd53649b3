import type { Thread } from '../shapes';

/** What the margin shows. */
export type ThreadFilter = 'open' | 'resolved' | 'unanchored' | 'all';

export const THREAD_FILTERS: readonly ThreadFilter[] = ['open', 'resolved', 'unanchored', 'all'];

export function isShown(thread: Thread, filter: ThreadFilter): boolean {
  switch (filter) {
    case 'open':
      return thread.status !== 'resolved';
    case 'resolved':
      return thread.status === 'resolved';
    case 'unanchored':
      return thread.orphaned;
    case 'all':
      return true;
  }
}

export function countThreads(threads: readonly Thread[]): Record<ThreadFilter, number> {
  return {
    open: threads.filter((thread) => isShown(thread, 'open')).length,
    resolved: threads.filter((thread) => isShown(thread, 'resolved')).length,
    unanchored: threads.filter((thread) => isShown(thread, 'unanchored')).length,
    all: threads.length,
  };
}

/** A thread waits for the reader when it is addressed, or pending and without its passage. */
export function waitsForReader(thread: Thread): boolean {
  return thread.status === 'addressed' || (thread.status === 'pending' && thread.orphaned);
}

/** The thread before or behind the active one, round the ends; the first or last when none is active. */
export function neighbour(ids: readonly string[], active: string | null, step: 1 | -1): string | null {
  if (ids.length === 0) return null;
  const at = active === null ? -1 : ids.indexOf(active);
  if (at < 0) return step === 1 ? ids[0]! : ids[ids.length - 1]!;
  return ids[(at + step + ids.length) % ids.length]!;
}

/** A name of a thread that a revision keeps, while its id changes: drafts of replies hang on it. */
export function lastingName(thread: Pick<Thread, 'createdAt' | 'author'>): string {
  return `${thread.createdAt}/${thread.author.personId ?? thread.author.kind}`;
}
