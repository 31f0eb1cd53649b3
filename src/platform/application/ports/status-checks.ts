export type StatusState = 'ok' | 'warning' | 'failed' | 'unknown';

export interface StatusFinding {
  readonly state: StatusState;
  /** What is the case, and what to do when it is not well. */
  readonly sentence: string;
}

/** The request that asked, for checks that compare it with the configuration; null at the console. */
export interface StatusRequest {
  readonly protocol: string;
  readonly host: string;
  readonly clientAddress: string;
  readonly forwardedFor: string | null;
}

/** A row of the status page. Null leaves the row out. Slower than 2 s counts as unknown. */
export interface StatusCheck {
  readonly name: string;
  run(request: StatusRequest | null): Promise<StatusFinding | null>;
}

/** Contexts register their checks at start; the page lists them in that order. */
export class StatusChecks {
  private readonly checks: StatusCheck[] = [];

  register(...checks: StatusCheck[]): void {
    this.checks.push(...checks);
  }

  get all(): readonly StatusCheck[] {
    return this.checks;
  }
}
