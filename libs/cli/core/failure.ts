import { ExitCode } from './exit-codes.js';

/**
 * Ends a command. `what` says what went wrong, `fix` what to do next; both without a final full stop, since they are
 * shown as one line `error: <what>: <fix>`. `detail` is shown with `--debug` only.
 */
export class Failure extends Error {
  constructor(
    readonly exitCode: ExitCode,
    readonly what: string,
    readonly fix: string,
    readonly detail: string | null = null,
  ) {
    super(`${what}: ${fix}`);
    this.name = 'Failure';
  }
}

export function notSignedIn(url: string): Failure {
  return new Failure(ExitCode.notSignedIn, `not signed in to ${url}`, 'run `loupe login`');
}

export function loginRefused(why: string): Failure {
  return new Failure(ExitCode.notSignedIn, why, 'Run `loupe login` again');
}

export function wrongUse(what: string, fix: string): Failure {
  return new Failure(ExitCode.wrongUse, what, fix);
}

export function failed(what: string, fix: string, detail: string | null = null): Failure {
  return new Failure(ExitCode.failed, what, fix, detail);
}

/** Text of whatever was thrown, on one line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message || codeOf(error.cause)})` : '';
  return `${error.message}${cause}`.replace(/\s+/g, ' ');
}

/** The `code` of a system error, or an empty text. */
export function codeOf(error: unknown): string {
  return (error as { code?: string } | null)?.code ?? '';
}
