/** The body of a refusal (`platform.md` 2.2), or of an answer that never came. */
export interface ProblemBody {
  readonly error: string;
  readonly message: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly current?: unknown;
  readonly traceId?: string;
  readonly [fact: string]: unknown;
}

/** A request that was refused or did not arrive. `status` is 0 when no answer came. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly traceId: string | null;
  /** Seconds to wait, when the server said so. */
  readonly retryAfter: number | null;

  constructor(
    readonly status: number,
    readonly body: ProblemBody,
    retryAfter: string | null = null,
  ) {
    super(body.message);
    this.name = 'ApiProblem';
    this.code = body.error;
    this.fields = body.fields ?? {};
    this.traceId = body.traceId ?? null;
    this.retryAfter = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
  }

  /** The object as it is now, sent along with a stale write. */
  current<T>(): T | null {
    return (this.body.current ?? null) as T | null;
  }

  /** True when nothing was decided yet: the server is away or starting, so the same request may be sent again. */
  get isAway(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }

  get isNotFound(): boolean {
    return this.status === 404;
  }

  get isSwitchedOff(): boolean {
    return this.code === 'switched_off';
  }

  get isStale(): boolean {
    return this.status === 409 && this.code.startsWith('stale');
  }
}

/**
 * What a person reads where no field stands beside it, whatever was thrown. Of wrong fields it is what is wrong with
 * them: that some need another look helps nobody who sees none.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiProblem) return Object.values(error.fields).join(' ') || error.message;
  return 'Something went wrong on this page. Reload it and try again.';
}

const AWAY: ProblemBody = {
  error: 'away',
  message: 'Loupe does not answer. Nothing was lost; try again in a moment.',
};

/** What came back, as a problem: problem JSON when it is that, else a sentence for the status. */
export function problemFrom(status: number, text: string, retryAfter: string | null): ApiProblem {
  const body = parse(text);
  if (body) return new ApiProblem(status, body, retryAfter);
  if (status === 0 || status >= 502) return new ApiProblem(status, AWAY, retryAfter);
  return new ApiProblem(
    status,
    { error: 'failed', message: `The server answered ${status} and no reason. Try again, or tell an admin.` },
    retryAfter,
  );
}

function parse(text: string): ProblemBody | null {
  try {
    const value = JSON.parse(text) as Partial<ProblemBody> | null;
    return value && typeof value.error === 'string' && typeof value.message === 'string'
      ? (value as ProblemBody)
      : null;
  } catch {
    return null;
  }
}
