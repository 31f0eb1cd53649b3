import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Lets the writers of one board go one after the other within a process, in the order in which they came. The lock of
 * the row does that for all processes; but who waits for it holds a connection, and a crowd would hold all of them.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();
  private readonly held = new AsyncLocalStorage<string>();

  /** Whoever has the turn already goes on with it. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.held.getStore() === key) return work();
    const begin = () => this.held.run(key, work);
    const before = this.last.get(key);
    const mine = before ? before.then(begin, begin) : begin();
    const settled = mine.catch(() => undefined);
    this.last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === settled) this.last.delete(key);
    }
  }

  /** Keys for which somebody is at work or waits. */
  get busy(): number {
    return this.last.size;
  }
}
