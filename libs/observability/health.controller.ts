import { Controller, Get, Header, Injectable, type OnApplicationShutdown, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { equal } from '#libs/http/session.guard.js';
import { Database } from '#libs/persistence/database.js';
import { Metrics } from './metrics.js';

const DATABASE_MILLISECONDS = 2_000;

/** Whether this process still takes new requests; turned by the graceful stop. */
@Injectable()
export class Draining implements OnApplicationShutdown {
  active = false;

  onApplicationShutdown(): void {
    this.active = true;
  }
}

/** Probes for supervisors and Prometheus (`platform.md` 11.1). */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
    private readonly metrics: Metrics,
    private readonly draining: Draining,
  ) {}

  /** The process runs; touches nothing. */
  @Get('livez')
  livez(): { status: string } {
    return { status: 'ok' };
  }

  /** The process can serve: the database answers in two seconds and no stop has begun. */
  @Get('healthz')
  @Header('Cache-Control', 'no-store')
  async healthz(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<object> {
    if (this.draining.active || !(await this.databaseAnswers())) {
      response.status(503);
      return { status: 'error' };
    }
    const token = this.configuration.values.healthProbeToken;
    const knows = token !== null && equal(request.get('loupe-probe-token') ?? '', token);
    return knows ? { status: 'ok', version } : { status: 'ok' };
  }

  @Get('metrics')
  async prometheus(@Req() request: Request, @Res() response: Response): Promise<void> {
    const token = this.configuration.values.metricsToken;
    if (token === null) {
      response.status(404).json({ error: 'not_found', message: 'Not found.' });
    } else if (!equal(request.get('authorization') ?? '', `Bearer ${token}`)) {
      response
        .status(401)
        .setHeader('WWW-Authenticate', 'Bearer')
        .json({ error: 'unauthorized', message: 'Send METRICS_TOKEN as a bearer token.' });
    } else {
      response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
    }
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
