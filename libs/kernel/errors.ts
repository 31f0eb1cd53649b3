import { requireTimeLeft } from './deadline.js';

/** How a refusal is answered; each door maps it once (HTTP status, MCP text, page). */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'rate-limited'
  | 'switched-off'
  | 'unavailable';

/** One rejected argument or field, and what is accepted instead. */
export interface Problem {
  /** Name of the argument or field, in element form where it is a list: `origins[2]`. */
  readonly argument: string;
  /** One plain sentence that says what to fix. */
  readonly sentence: string;
}

export interface RefusalDetail {
  /** The argument to fix, where one is to blame. */
  readonly argument?: string;
  /** The object as it is now, for stale writes. */
  readonly current?: unknown;
  /** Whole seconds until a repeat may succeed. */
  readonly retryAfterSeconds?: number;
  /** Further facts for the answer over HTTP, such as `currentVersion`. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/**
 * A refusal that the caller can understand and act on. Anything else that is thrown is a fault:
 * it is logged and answered with a reference id alone.
 */
export class DomainError extends Error {
  override readonly name: string = 'DomainError';

  constructor(
    readonly kind: RefusalKind,
    /** Stable lower snake case code. */
    readonly code: string,
    /** One plain sentence that says what to do next. */
    message: string,
    readonly detail: RefusalDetail = {},
  ) {
    super(message);
  }
}

/** Arguments of a wrong shape or size: all of them at once. */
export class InvalidInput extends DomainError {
  override readonly name = 'InvalidInput';

  constructor(readonly problems: readonly Problem[]) {
    super('invalid', 'invalid', problems.map(lineOf).join('\n'));
  }
}

/** A sentence that names its argument first stands as it is. */
function lineOf({ argument, sentence }: Problem): string {
  return sentence.startsWith(`${argument} `) ? sentence : `${argument}: ${sentence}`;
}

/** Unknown ids and ids of other projects get the same answer. */
export function notFound(thing: string, argument?: string): DomainError {
  return new DomainError('not-found', 'not_found', `${thing} not found or not accessible.`, { argument });
}

/** Refused by the present state of the thing. */
export function conflict(code: string, message: string, detail: RefusalDetail = {}): DomainError {
  return new DomainError('conflict', code, message, detail);
}

/** The role of the person does not allow it. */
export function forbidden(message: string, code = 'forbidden'): DomainError {
  return new DomainError('forbidden', code, message);
}

/** Collects problems so that one answer names them all. */
export class Problems {
  private readonly found: Problem[] = [];

  add(argument: string, sentence: string): void {
    this.found.push({ argument, sentence });
  }

  get any(): boolean {
    return this.found.length > 0;
  }

  has(argument: string): boolean {
    return this.found.some((p) => p.argument === argument);
  }

  /** @throws InvalidInput when anything was added; the reason why the call has to stop here, when there is one. */
  throwIfAny(): void {
    if (this.any) throw new InvalidInput(this.found);
    requireTimeLeft();
  }
}
