import { freePort } from '#libs/configuration/loopback-ports.js';
import { RedisServer, redisBinary } from '#libs/messaging/testing/redis-server.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, newProject, signedIn, sql } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const binary = redisBinary();

// The other suites run with Redis too when they are started with TEST_REDIS=on.
(binary ? describe : describe.skip)('platform 19.34: the queue in Redis', () => {
  let redis: RedisServer;
  let redisPort: number;
  let server: LoupeServer;
  let admin: Visitor;
  const servers: LoupeServer[] = [];

  beforeAll(async () => {
    redisPort = await freePort();
    redis = await RedisServer.start(binary!, redisPort);
    server = await LoupeServer.start({ env: { ...adminEnv, REDIS_URL: redis.url } });
    servers.push(server);
    admin = await signedIn(server.origin);
  }, 180_000);

  afterAll(async () => {
    for (const one of servers.slice(1)) await one.kill();
    await servers[0]?.stop();
    await redis?.stop();
  }, 180_000);

  /** The same instance as before, started in another way. */
  async function again(env: Record<string, string>): Promise<void> {
    server = await LoupeServer.start({
      beside: servers[0]!,
      port: servers[0]!.port,
      env: { ...adminEnv, ...env },
    });
    servers.push(server);
  }

  const exports = async (): Promise<string[]> =>
    (await admin.api<{ exports: { state: string }[] }>('GET', '/account/exports')).body.exports.map(
      ({ state }) => state,
    );

  const ready = (count: number) =>
    until(
      async () => (await exports()).filter((state) => state === 'ready').length === count,
      120_000,
      'The export was not made.',
    );

  const delivered = () =>
    until(
      async () => {
        const [row] = await sql<{ n: string }>(
          server,
          `SELECT (SELECT count(*) FROM platform.outbox_events WHERE dispatched_at IS NULL)
                + (SELECT count(*) FROM platform.listener_records WHERE delivered_at IS NULL) AS n`,
        );
        return row!.n === '0';
      },
      120_000,
      'Events wait.',
    );

  it('carries events and jobs, and the status page says so', async () => {
    await newProject(admin, 'With Redis');
    await admin.api('POST', '/account/exports');
    await ready(1);
    await delivered();
    const { body } = await admin.api<{ checks: { name: string; state: string; sentence: string }[] }>(
      'GET',
      '/admin/status',
    );
    expect(body.checks.find(({ name }) => name === 'Queue backend')).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/kept in Redis 7/),
    });
  }, 300_000);

  it('is filled again from PostgreSQL when Redis is replaced by an empty one', async () => {
    await server.kill();
    // Nobody works yet, so the job lies in Redis when that goes away.
    await again({ REDIS_URL: redis.url, LOUPE_ROLE: 'web' });
    await newProject(admin, 'Before the loss');
    await admin.api('POST', '/account/exports');
    await server.kill();
    await redis.stop();
    redis = await RedisServer.start(binary!, redisPort);
    await again({ REDIS_URL: redis.url });
    await ready(2);
    await delivered();
  }, 300_000);

  it('needs no key of Redis: the same work is done without it', async () => {
    await server.kill();
    await again({ REDIS_URL: redis.url, LOUPE_ROLE: 'web' });
    await newProject(admin, 'Before the change');
    await admin.api('POST', '/account/exports');
    await server.kill();
    await redis.stop();
    await again({});
    await ready(3);
    await delivered();
  }, 300_000);
});
