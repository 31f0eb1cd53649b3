import { Injectable } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { equal } from '#libs/http/session.guard.js';
import { Database } from '#libs/persistence/database.js';
import { Draining } from './draining.js';
import { Metrics } from './metrics.js';

const DATABASE_MILLISECONDS = 2_000;

/** What a probe is answered, whichever listener it came through. */
export interface ProbeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers for supervisors and Prometheus (`platform.md` 11.1). */
@Injectable()
export class Probes {
  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly draining: Draining,
  ) {}

  /** The process runs; touches nothing. */
  livez(): ProbeAnswer {
    return json(200, { status: 'ok' });
  }

  /** The process can serve: the database answers in two seconds and no stop has begun. */
  async healthz(probeToken = ''): Promise<ProbeAnswer> {
    const uncached = { 'Cache-Control': 'no-store' };
    if (this.draining.active || !(await this.databaseAnswers()))
      return json(503, { status: 'error' }, uncached);
    const token = this.configuration.values.healthProbeToken;
    const knows = token !== null && equal(probeToken, token);
    return json(200, knows ? { status: 'ok', version } : { status: 'ok' }, uncached);
  }

  /** The metrics of this process, to whoever holds METRICS_TOKEN. */
  async prometheus(authorization = ''): Promise<ProbeAnswer> {
    const token = this.configuration.values.metricsToken;
    if (token === null) return notFound();
    if (!equal(authorization, `Bearer ${token}`)) {
      const refusal = { error: 'unauthorized', message: 'Send METRICS_TOKEN as a bearer token.' };
      return json(401, refusal, { 'WWW-Authenticate': 'Bearer' });
    }
    const { registry, poolInUse } = this.metrics;
    poolInUse.set(this.database.connectionsInUse);
    return {
      status: 200,
      headers: { 'Content-Type': registry.contentType },
      body: await registry.metrics(),
    };
  }

  private async databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((done) => {
      timer = setTimeout(() => done(false), DATABASE_MILLISECONDS);
    });
    // Past the pool: a crowd that waits for it is no reason to be taken out of service.
    const asked = this.database.hot('SELECT 1').then(
      () => true,
      () => false,
    );
    const answer = await Promise.race([asked, late]);
    clearTimeout(timer);
    return answer;
  }
}

/** For addresses that are none, and for those that are switched off. */
export function notFound(): ProbeAnswer {
  return json(404, { error: 'not_found', message: 'Not found.' });
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): ProbeAnswer {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
