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

export interface StatusRow extends StatusFinding {
  readonly name: string;
}

const LIMIT_MS = 2_000;

/** Contexts register their checks at start; the page lists them in that order. */
export class StatusChecks {
  private readonly checks: StatusCheck[] = [];

  register(...checks: StatusCheck[]): void {
    this.checks.push(...checks);
  }

  /** Runs all checks in parallel, each cut off after 2 s. Whoever asks must be allowed to see it. */
  async report(request: StatusRequest | null): Promise<StatusRow[]> {
    const rows = await Promise.all(
      this.checks.map(async (check): Promise<StatusRow | null> => {
        const finding = await limited(() => check.run(request));
        return finding && { name: check.name, ...finding };
      }),
    );
    return rows.filter((row) => row !== null);
  }
}

async function limited(run: () => Promise<StatusFinding | null>): Promise<StatusFinding | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StatusFinding>((done) => {
    timer = setTimeout(
      () => done({ state: 'unknown', sentence: 'The check did not answer within 2 seconds.' }),
      LIMIT_MS,
    );
  });
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : 'no reason given';
    return { state: 'failed', sentence: `The check failed: ${reason}` };
  } finally {
    clearTimeout(timer);
  }
}
