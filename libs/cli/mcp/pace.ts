/** Time as the proxy sees it; tests let it run faster. */
export interface Pace {
  now(): number;
  /** Resolves after `ms`, or as soon as the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realPace: Pace = {
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((done) => {
      if (signal?.aborted) return done();
      const timer = setTimeout(finish, ms);
      function finish() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        done();
      }
      signal?.addEventListener('abort', finish);
    }),
};

export interface Limit {
  readonly signal: AbortSignal;
  readonly stopped: boolean;
  stop(): void;
}

/** Aborts after `ms` of that pace. Call `stop` when it is needed no more. */
export function limitOf(pace: Pace, ms: number): Limit {
  const over = new AbortController();
  const stopped = new AbortController();
  void pace.wait(ms, stopped.signal).then(() => {
    if (!stopped.signal.aborted) over.abort();
  });
  return {
    signal: over.signal,
    get stopped() {
      return stopped.signal.aborted;
    },
    stop: () => stopped.abort(),
  };
}
