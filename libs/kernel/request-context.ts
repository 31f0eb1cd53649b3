import { AsyncLocalStorage } from 'node:async_hooks';
import type { Channel } from './actor.js';

/** Facts of the request that is being served, for logs and audit. */
export interface RequestFacts {
  readonly traceId: string;
  readonly ip: string | null;
  readonly channel: Channel;
}

const storage = new AsyncLocalStorage<RequestFacts>();

/** Runs `work` with the facts of its request at hand. */
export function withRequestFacts<T>(facts: RequestFacts, work: () => T): T {
  return storage.run(facts, work);
}

/** The facts of the current request, or undefined in jobs and at the console. */
export function requestFacts(): RequestFacts | undefined {
  return storage.getStore();
}
