import type { Failure } from './failure.js';

export interface OutputChoices {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly debug: boolean;
  readonly noInput: boolean;
}

interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** Where a command writes: results to stdout, everything else to stderr. */
export class Terminal {
  constructor(
    private readonly stdout: Sink,
    private readonly stderr: Sink,
    readonly choices: OutputChoices,
    private readonly environment: Readonly<Record<string, string | undefined>>,
  ) {}

  /** May a person be asked? */
  get asks(): boolean {
    return !this.choices.noInput && process.stdin.isTTY === true && this.stderr.isTTY === true;
  }

  /** May lines be drawn over? */
  get animates(): boolean {
    return !this.choices.quiet && !this.choices.json && this.stderr.isTTY === true;
  }

  /** One line of the result; silent with `--json`, where `report` speaks. */
  result(line: string): void {
    if (!this.choices.json) this.stdout.write(`${line}\n`);
  }

  /** The one JSON object of `--json`. */
  report(value: object): void {
    if (this.choices.json) this.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** Something on the way that a person may want to know. */
  note(line: string): void {
    if (!this.choices.quiet) this.stderr.write(`${line}\n`);
  }

  /** Something that a person must see, also with `--quiet`. */
  say(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  debug(line: string): void {
    if (this.choices.debug) this.stderr.write(`debug: ${line}\n`);
  }

  /** Draws a line that the next one replaces; only on a terminal. */
  progress(line: string): void {
    if (this.animates) this.stderr.write(`\r\u001b[2K${line}`);
  }

  endProgress(): void {
    if (this.animates) this.stderr.write('\r\u001b[2K');
  }

  fail(failure: Failure): void {
    this.stderr.write(`${this.colour('error:', 31)} ${failure.message}\n`);
    if (this.choices.debug && failure.detail) this.stderr.write(`${failure.detail}\n`);
  }

  private colour(text: string, code: number): string {
    const plain = this.stderr.isTTY !== true || (this.environment.NO_COLOR ?? '') !== '';
    return plain ? text : `\u001b[${code}m${text}\u001b[0m`;
  }
}
