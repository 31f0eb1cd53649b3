/** One use case is one transaction. Nested calls join the running one. */
export abstract class UnitOfWork {
  /** `work` bears to be run again: that happens once when it and another wait for each other. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** Runs after the outermost transaction has committed; at once when there is none. Never awaited by the caller. */
  abstract afterCommit(action: () => void | Promise<void>): void;

  /** Fails when no transaction is running: for ports whose writes must share the transaction of the change. */
  abstract requireTransaction(): void;
}
