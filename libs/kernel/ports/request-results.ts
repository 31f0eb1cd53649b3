/** What makes a repeat the same request. */
export interface RequestKey {
  /** Who asks: `connection:{id}` or `person:{id}`. */
  readonly principal: string;
  readonly projectId: string | null;
  /** UUID of `Loupe-Request-Id`. */
  readonly requestId: string;
  /** Tool name, or method and path. */
  readonly operation: string;
  /** SHA-256 in hex of the canonical arguments; see `hashOfArguments`. */
  readonly argumentsHash: string;
}

export interface KeptResult<T> {
  readonly result: T;
  /** True when the command did not run, because it had run before. */
  readonly repeated: boolean;
}

/** Results of requests that carry a `Loupe-Request-Id`, kept 10 minutes (`platform.md` 2 "Repeats"). */
export abstract class RequestResults {
  /**
   * Claims the id, runs `work` and keeps its result, which must survive JSON. A repeat gets the kept result; a repeat
   * while the first runs waits for it. When `work` throws, nothing is kept and a repeat runs again.
   * @throws DomainError `conflict` `request_id_reused` when the id came with another operation or other arguments,
   *   `conflict` `outcome_unknown` when the process that ran it is gone, `unavailable` when it still runs after 60 s.
   */
  abstract once<T>(key: RequestKey, work: () => Promise<T>): Promise<KeptResult<T>>;
}
