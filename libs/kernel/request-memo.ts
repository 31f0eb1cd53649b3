import { type RequestFacts, requestFacts } from './request-context.js';

/** What is remembered of a request that goes on for longer is asked for again. */
const FRESH_MS = 1_000;

interface Remembered {
  readonly at: number;
  readonly value: Promise<unknown>;
}

const memos = new WeakMap<RequestFacts, Map<string, Remembered>>();

/**
 * The answer of `load`, asked for once in a short request to `/mcp`, where the door, the adapter and the use case ask
 * the same. Everywhere else, and in a request that lasts longer than a second, `load` runs each time.
 */
export function onceARequest<T>(key: string, load: () => Promise<T>): Promise<T> {
  const memo = memoOfRequest();
  if (!memo) return load();
  const known = memo.get(key);
  if (known && Date.now() - known.at < FRESH_MS) return known.value as Promise<T>;
  const value = load();
  memo.set(key, { at: Date.now(), value });
  return value;
}

/** Notes an answer that came with another one. */
export function rememberForRequest(key: string, value: unknown): void {
  memoOfRequest()?.set(key, { at: Date.now(), value: Promise.resolve(value) });
}

function memoOfRequest(): Map<string, Remembered> | null {
  const facts = requestFacts();
  if (facts?.channel !== 'mcp') return null;
  let memo = memos.get(facts);
  if (!memo) {
    memo = new Map();
    memos.set(facts, memo);
  }
  return memo;
}
