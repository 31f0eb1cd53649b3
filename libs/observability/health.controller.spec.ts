import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { Configuration } from '#libs/configuration/configuration.js';
import { version } from '#libs/configuration/version.js';
import { Database } from '#libs/persistence/database.js';
import { Draining } from './draining.js';
import { HealthController } from './health.controller.js';
import { Metrics } from './metrics.js';
import { Probes } from './probes.js';

describe('the probes', () => {
  let app: INestApplication;
  let answer: () => Promise<unknown[]>;

  const start = async (env: NodeJS.ProcessEnv = {}) => {
    const module = await Test.createTestingModule({
      controllers: [HealthController],
      providers: [
        Metrics,
        Draining,
        Probes,
        { provide: Configuration, useValue: Configuration.fromEnvironment({ APP_ENV: 'test', ...env }) },
        { provide: Database, useValue: { hot: () => answer(), connectionsInUse: 3 } },
      ],
    }).compile();
    app = await module.createNestApplication({ logger: false }).init();
    return request(app.getHttpServer());
  };

  beforeEach(() => {
    answer = async () => [];
  });

  afterEach(() => app.close());

  it('platform 19.19: /healthz is 200, and 503 without the database; /livez does not care', async () => {
    const http = await start();
    expect((await http.get('/healthz')).body).toEqual({ status: 'ok' });
    answer = () => Promise.reject(new Error('away'));
    const away = await http.get('/healthz');
    expect([away.status, away.body, away.headers['cache-control']]).toEqual([
      503,
      { status: 'error' },
      'no-store',
    ]);
    expect((await http.get('/livez')).body).toEqual({ status: 'ok' });
  });

  it('/healthz is 503 when the database says nothing for two seconds', async () => {
    const http = await start();
    answer = () => new Promise(() => undefined);
    expect((await http.get('/healthz')).status).toBe(503);
  });

  it('/healthz is 503 while the process stops', async () => {
    const http = await start();
    app.get(Draining).active = true;
    expect((await http.get('/healthz')).status).toBe(503);
  });

  it('platform 19.19: with the probe token it names the version, without it never', async () => {
    const http = await start({ HEALTH_PROBE_TOKEN: 'probe' });
    expect((await http.get('/healthz').set('Loupe-Probe-Token', 'probe')).body).toEqual({
      status: 'ok',
      version,
    });
    expect((await http.get('/healthz').set('Loupe-Probe-Token', 'other')).body).toEqual({ status: 'ok' });
    expect((await http.get('/healthz')).body).toEqual({ status: 'ok' });
  });

  it('platform 19.20: /metrics needs its token, and is 404 while none is set', async () => {
    expect((await (await start()).get('/metrics')).status).toBe(404);
    await app.close();
    const http = await start({ METRICS_TOKEN: 'scrape' });
    expect((await http.get('/metrics')).status).toBe(401);
    const metrics = await http.get('/metrics').set('Authorization', 'Bearer scrape');
    expect(metrics.status).toBe(200);
    expect(metrics.headers['content-type']).toContain('text/plain');
    const lines = metrics.text.split('\n').filter((line) => line && !line.startsWith('#'));
    for (const line of lines) expect(line).toMatch(/^[a-z0-9_]+(\{[^}]*\})? [-+0-9.eNaInf]+$/);
    expect(metrics.text).toContain('mcp_tool_calls_total');
    expect(lines).toContain('db_pool_in_use 3');
  });
});
