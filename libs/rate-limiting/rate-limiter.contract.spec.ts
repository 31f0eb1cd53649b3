import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestDatabase } from '../../test/support/test-database.js';
import { BufferedRateLimiter } from './buffered-rate-limiter.js';
import { PostgresRateLimiter } from './postgres-rate-limiter.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';
import { judge } from './sliding-window.js';
import { MemoryRateLimiter } from './testing/memory-rate-limiter.js';

const REDIS = '/usr/bin/redis-server';
const REDIS_PORT = 16_391;
/** Long enough that no test meets the edge of a window. */
const limit = { max: 3, windowSeconds: 100_000 };

describe('the sliding window', () => {
  it('counts the hits of the window before in the share that still lies within it', () => {
    const hour = { max: 100, windowSeconds: 60 };
    expect(judge({ previous: 100, current: 50, elapsedSeconds: 30 }, hour).allowed).toBe(true);
    expect(judge({ previous: 100, current: 51, elapsedSeconds: 30 }, hour).allowed).toBe(false);
    expect(judge({ previous: 100, current: 100, elapsedSeconds: 60 }, hour).allowed).toBe(true);
  });

  it('says when a repeat passes', () => {
    expect(
      judge({ previous: 100, current: 60, elapsedSeconds: 30 }, { max: 100, windowSeconds: 60 }),
    ).toEqual({
      allowed: false,
      retryAfterSeconds: 6,
    });
    const refused = judge({ previous: 0, current: 200, elapsedSeconds: 50 }, { max: 100, windowSeconds: 60 });
    expect(refused.retryAfterSeconds).toBe(40);
  });
});

describe('RateLimiter', () => {
  let test: TestDatabase;
  let redis: ChildProcess | null = null;
  let folder: string;

  beforeAll(async () => {
    test = await TestDatabase.start();
    folder = await mkdtemp(join(tmpdir(), 'loupe-redis-'));
    if (existsSync(REDIS)) {
      redis = spawn(
        REDIS,
        ['--port', String(REDIS_PORT), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
        {
          stdio: 'ignore',
        },
      );
      await new Promise((done) => setTimeout(done, 500));
    }
  });

  afterAll(async () => {
    redis?.kill();
    await rm(folder, { recursive: true });
    await test.stop();
  });

  describe.each(['the fake', 'PostgreSQL', 'Redis'])('%s', (which) => {
    const usable = which !== 'Redis' || existsSync(REDIS);
    const maybe = usable ? it : it.skip;
    let redisLimiter: RedisRateLimiter | null = null;
    const make = () => {
      if (which === 'the fake') return new MemoryRateLimiter();
      if (which === 'PostgreSQL') return new PostgresRateLimiter(test.database);
      // A fallback that fails, so that only Redis itself can pass.
      const none = new MemoryRateLimiter();
      none.count = () => Promise.reject(new Error('Redis did not answer.'));
      redisLimiter = new RedisRateLimiter(`redis://127.0.0.1:${REDIS_PORT}`, none);
      return redisLimiter;
    };
    afterEach(() => redisLimiter?.close());

    maybe('lets the limit pass and no more, for each key on its own', async () => {
      const limiter = make();
      const hits = async (key: string) => (await limiter.hit('login', key, limit)).allowed;
      expect([await hits('a'), await hits('a'), await hits('a'), await hits('a'), await hits('b')]).toEqual([
        true,
        true,
        true,
        false,
        true,
      ]);
      expect((await limiter.peek('login', 'b', limit)).allowed).toBe(true);
      expect((await limiter.peek('login', 'a', limit)).allowed).toBe(false);
    });

    maybe('counts every one of many hits at once', async () => {
      const limiter = make();
      const results = await Promise.all(Array.from({ length: 20 }, () => limiter.hit('many', 'x', limit)));
      expect(results.filter((result) => result.allowed)).toHaveLength(3);
    });
  });

  it('identity 12.33: holds across two processes without REDIS_URL', async () => {
    const many = { max: 100, windowSeconds: 100_000, buffered: true };
    const failed = jest.fn();
    const one = new BufferedRateLimiter(new PostgresRateLimiter(test.database), failed);
    const two = new BufferedRateLimiter(new PostgresRateLimiter(test.database), failed);
    for (let i = 0; i < 60; i += 1) await one.hit('api', 'address', many);
    await one.flush();
    let passed = 0;
    for (let i = 0; i < 60; i += 1) if ((await two.hit('api', 'address', many)).allowed) passed += 1;
    expect(passed).toBe(40);
    expect(failed).not.toHaveBeenCalled();
    await one.close();
    await two.close();
  });

  it('identity 12.33: with Redis stopped the limits still hold', async () => {
    const limiter = new RedisRateLimiter('redis://127.0.0.1:1', new PostgresRateLimiter(test.database));
    const results: boolean[] = [];
    for (let i = 0; i < 5; i += 1) results.push((await limiter.hit('away', 'x', limit)).allowed);
    expect(results).toEqual([true, true, true, false, false]);
    await limiter.close();
  });

  it('forgives when the store cannot be asked, and counts that', async () => {
    const failed = jest.fn();
    const broken = new MemoryRateLimiter();
    broken.hit = () => Promise.reject(new Error('away'));
    const limiter = new BufferedRateLimiter(broken, failed);
    expect((await limiter.hit('login', 'x', limit)).allowed).toBe(true);
    expect(failed).toHaveBeenCalledTimes(1);
    await limiter.close();
  });

  it('keeps a count that was made inside a transaction that failed', async () => {
    const limiter = new PostgresRateLimiter(test.database);
    await expect(
      test.database.run(async () => {
        await limiter.hit('kept', 'x', limit);
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect((await limiter.count('kept', 'x', limit.windowSeconds, 0)).current).toBe(1);
  });
});
