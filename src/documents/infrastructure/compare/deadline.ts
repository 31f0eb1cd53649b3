import { DomainError } from '#libs/kernel/errors.js';

/** Longest time that a comparison may take, in milliseconds. */
export const COMPARE_LIMIT_MS = 3_000;

/** The refusal of a comparison that takes too long (`documents.md` 10). */
export function tooLargeToCompare(): DomainError {
  return new DomainError(
    'too-large',
    'too_large_to_compare',
    'Too large to compare here. Use the Markdown view.',
  );
}

/** Stops a comparison in time. */
export class Deadline {
  private readonly end: number;

  constructor(limitMs = COMPARE_LIMIT_MS) {
    this.end = performance.now() + limitMs;
  }

  /** Milliseconds left, at least 1 so that it can be given to a library as a limit. */
  get left(): number {
    return Math.max(1, this.end - performance.now());
  }

  /** @throws DomainError `too_large_to_compare` */
  check(): void {
    if (performance.now() > this.end) throw tooLargeToCompare();
  }
}
