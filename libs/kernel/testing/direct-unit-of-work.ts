import { UnitOfWork } from '../ports/unit-of-work.js';

/** A unit of work without a database: runs the work, then what waits for its commit. */
export class DirectUnitOfWork extends UnitOfWork {
  private depth = 0;
  private waiting: (() => void | Promise<void>)[] = [];

  override async run<T>(work: () => Promise<T>): Promise<T> {
    this.depth += 1;
    try {
      const result = await work();
      if (this.depth === 1) for (const action of this.waiting.splice(0)) await action();
      return result;
    } finally {
      this.depth -= 1;
      if (this.depth === 0) this.waiting = [];
    }
  }

  override afterCommit(action: () => void | Promise<void>): void {
    if (this.depth === 0) void action();
    else this.waiting.push(action);
  }

  override requireTransaction(): void {
    if (this.depth === 0) throw new Error('No unit of work is running.');
  }
}
