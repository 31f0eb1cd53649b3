/** Cards that are asked for in one request. */
const MOST = 100;
/** How long changes are gathered, in ms: a burst of an agent is one request. */
const GATHER_MS = 120;
/** Tries before a card is shown as out of date. */
const TRIES = 3;
/** Waits after failures in a row, in ms; the last one repeats. */
const BACKOFF_MS = [500, 1_500, 4_000, 10_000];

export interface ChangeQueueOptions {
  /** Reads the cards anew and shows them. */
  readonly refresh: (cardIds: readonly string[]) => Promise<void>;
  /** These could not be read up to now; they are tried further, with long waits. */
  readonly onStale: (cardIds: readonly string[]) => void;
  readonly schedule?: (run: () => void, ms: number) => () => void;
}

/**
 * Gathers what others changed until the page may show it. It waits while a card is dragged or a dialog is open, and it
 * drops the echo of what this page wrote: a change is news only when it is newer than the answer to the own write.
 */
export class ChangeQueue {
  private readonly waiting = new Map<string, number>();
  private readonly written = new Map<string, number>();
  private readonly writing = new Map<string, number>();
  /** What was shown already, by card, with the revision that was heard. */
  private readonly shown = new Map<string, number>();
  private readonly failures = new Map<string, number>();
  private holds = 0;
  private busy = false;
  private cancel: (() => void) | null = null;
  private newest = 0;
  private failedInARow = 0;

  constructor(private readonly options: ChangeQueueOptions) {}

  /** The newest revision that was heard of. */
  get heardRevision(): number {
    return this.newest;
  }

  /** Nothing is on its way and nothing waits. */
  get isEmpty(): boolean {
    return this.waiting.size === 0 && !this.busy;
  }

  heard(cardId: string, revision: number | null): void {
    const at = revision ?? Number.POSITIVE_INFINITY;
    if (revision !== null) this.newest = Math.max(this.newest, revision);
    if (at <= (this.written.get(cardId) ?? -1)) return;
    this.waiting.set(cardId, Math.max(at, this.waiting.get(cardId) ?? 0));
    this.plan();
  }

  /** A write of this page begins; what is heard of the card waits for its answer. */
  beginWrite(cardId: string): void {
    this.writing.set(cardId, (this.writing.get(cardId) ?? 0) + 1);
  }

  /** The write was answered with this revision, or failed. */
  endWrite(cardId: string, revision: number | null): void {
    const left = (this.writing.get(cardId) ?? 1) - 1;
    if (left > 0) this.writing.set(cardId, left);
    else this.writing.delete(cardId);
    if (revision !== null) this.wrote(cardId, revision);
    this.plan();
  }

  wrote(cardId: string, revision: number): void {
    this.written.set(cardId, Math.max(revision, this.written.get(cardId) ?? 0));
    if ((this.waiting.get(cardId) ?? Number.POSITIVE_INFINITY) <= revision) this.waiting.delete(cardId);
  }

  /** Nothing is shown until the returned function is called. */
  hold(): () => void {
    this.holds += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.holds -= 1;
      this.plan();
    };
  }

  /**
   * The whole board was read as it was at this revision, and takes the place of what is on the page. Cards that the page
   * knew in a newer state, by own writes or by news, are read once more.
   */
  loaded(revision: number): void {
    for (const known of [this.shown, this.written]) {
      for (const [cardId, at] of known) {
        if (at <= revision) known.delete(cardId);
        else this.waiting.set(cardId, Math.max(at, this.waiting.get(cardId) ?? 0));
      }
    }
    this.plan();
  }

  /** Tries at once what failed before, because the connection is back. */
  hurry(): void {
    this.failedInARow = 0;
    this.cancel?.();
    this.cancel = null;
    this.plan();
  }

  close(): void {
    this.cancel?.();
    this.cancel = null;
    this.waiting.clear();
  }

  private plan(): void {
    if (this.cancel || this.busy || this.holds > 0 || this.ready().length === 0) return;
    const schedule = this.options.schedule ?? later;
    this.cancel = schedule(() => {
      this.cancel = null;
      void this.flush();
    }, this.wait());
  }

  private wait(): number {
    if (this.failedInARow === 0) return GATHER_MS;
    return BACKOFF_MS[Math.min(this.failedInARow, BACKOFF_MS.length) - 1] ?? GATHER_MS;
  }

  private ready(): string[] {
    return [...this.waiting.keys()].filter((id) => !this.writing.has(id)).slice(0, MOST);
  }

  private async flush(): Promise<void> {
    const ids = this.ready();
    if (this.busy || this.holds > 0 || ids.length === 0) return;
    this.busy = true;
    const asked = new Map(ids.map((id) => [id, this.waiting.get(id) ?? 0]));
    try {
      await this.options.refresh(ids);
      this.failedInARow = 0;
      for (const [id, at] of asked) {
        this.failures.delete(id);
        if (Number.isFinite(at)) this.shown.set(id, at);
        // What came while the answer was on its way stays.
        if (this.waiting.get(id) === at) this.waiting.delete(id);
      }
    } catch {
      this.failedInARow += 1;
      const lost = ids.filter((id) => {
        const count = (this.failures.get(id) ?? 0) + 1;
        this.failures.set(id, count);
        return count === TRIES;
      });
      if (lost.length > 0) this.options.onStale(lost);
    } finally {
      this.busy = false;
      this.plan();
    }
  }
}

function later(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
