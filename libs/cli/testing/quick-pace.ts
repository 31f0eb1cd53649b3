import type { Pace } from '../mcp/pace.js';

/** Time that runs `times` as fast: a minute of the proxy is less than a second of a test. */
export class QuickPace implements Pace {
  constructor(private readonly times: number) {}

  now(): number {
    return performance.now() * this.times;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((done) => {
      if (signal?.aborted) return done();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        done();
      };
      const timer = setTimeout(finish, ms / this.times);
      signal?.addEventListener('abort', finish);
    });
  }
}
