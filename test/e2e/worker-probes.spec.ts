import { freePort } from '#libs/configuration/loopback-ports.js';
import { version } from '#libs/configuration/version.js';
import { ended } from '../support/built-program.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';

const TOKENS = { METRICS_TOKEN: 'scrape', HEALTH_PROBE_TOKEN: 'probe' };

describe('the probes of a worker', () => {
  let web: LoupeServer;
  let worker: LoupeServer;

  beforeAll(async () => {
    web = await LoupeServer.start({ env: { ...adminEnv, ...TOKENS, LOUPE_ROLE: 'web' } });
    const port = await freePort();
    worker = await LoupeServer.start({
      beside: web,
      port,
      env: { ...TOKENS, LOUPE_ROLE: 'worker', PORT: '0', WORKER_PORT: String(port) },
    });
  }, 180_000);

  afterAll(async () => {
    await worker?.stop();
    await web?.stop();
  });

  const metricsOf = async ({ origin }: LoupeServer): Promise<string> => {
    const answer = await fetch(`${origin}/metrics`, { headers: { authorization: 'Bearer scrape' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    return answer.text();
  };
  const jobsDone = /^job_duration_seconds_count\{.*\} [1-9]/m;

  it('say that it runs and works, with the version only for whoever knows the probe token', async () => {
    expect((await fetch(`${worker.origin}/livez`)).status).toBe(200);
    const health = await fetch(`${worker.origin}/healthz`);
    expect([health.status, await health.json(), health.headers.get('cache-control')]).toEqual([
      200,
      { status: 'ok' },
      'no-store',
    ]);
    const known = await fetch(`${worker.origin}/healthz`, { headers: { 'loupe-probe-token': 'probe' } });
    expect(await known.json()).toEqual({ status: 'ok', version });
  });

  it('hold the figures of its jobs, which the web process does not have, for the token alone', async () => {
    expect((await fetch(`${worker.origin}/metrics`)).status).toBe(401);
    const admin = await signedIn(web.origin);
    expect((await admin.api('POST', '/account/exports')).status).toBeLessThan(300);
    await until(async () => jobsDone.test(await metricsOf(worker)), 60_000, 'No job was counted.');
    expect(await metricsOf(web)).not.toMatch(jobsDone);
  });

  it('are all that it answers', async () => {
    for (const path of ['/', '/login', '/api/session', '/install', '/docs', '/assets/x.js']) {
      expect([path, (await fetch(worker.origin + path)).status]).toEqual([path, 404]);
    }
    const called = await fetch(`${worker.origin}/mcp`, { method: 'POST', body: '{}' });
    expect(called.status).toBe(404);
  });

  it('need a port of their own, and the start names the variable', async () => {
    const other = await ended('main', {
      APP_ENV: 'test',
      LOUPE_VAR_DIR: web.varDir,
      LOUPE_ROLE: 'worker',
      WORKER_PORT: String(worker.port),
      LOG_LEVEL: 'warn',
    });
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('Set WORKER_PORT to a free port.'),
    ]);
  });

  it('go with it', async () => {
    expect(await worker.terminate()).toBe(0);
    await expect(fetch(`${worker.origin}/livez`)).rejects.toThrow();
  });
});
