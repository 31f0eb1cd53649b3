import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<AbortSignal>();

/** Runs `work` under a signal that says when its time is up. */
export function withDeadline<T>(signal: AbortSignal, work: () => T): T {
  return storage.run(signal, work);
}

/** For whoever is about to do something lasting: @throws the reason of the signal when the time is up. */
export function requireTimeLeft(): void {
  storage.getStore()?.throwIfAborted();
}
