import type { SignalPayload, Signals } from '#libs/kernel/ports/signals.js';
import { DirectUnitOfWork } from '#libs/kernel/testing/direct-unit-of-work.js';
import { TestDatabase } from '../../test/support/test-database.js';
import { PostgresSignals } from './postgres-signals.js';
import { InMemorySignals } from './testing/in-memory-signals.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.start();
});
afterAll(() => test.stop());

const quiet = (): void => undefined;

async function until(condition: () => boolean, ms = 5_000): Promise<void> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) throw new Error('It did not happen in time.');
    await new Promise((done) => setTimeout(done, 10));
  }
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const kinds = {
  'the fake': async () => {
    const unitOfWork = new DirectUnitOfWork();
    return { signals: new InMemorySignals(unitOfWork) as Signals, unitOfWork, stop: async () => undefined };
  },
  'LISTEN/NOTIFY': async () => {
    const signals = new PostgresSignals(test.database, { directUrl: test.url, log: quiet });
    await signals.start();
    return { signals: signals as Signals, unitOfWork: test.database, stop: () => signals.stop() };
  },
};

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])('Signals, contract of %s', (kind) => {
  let subject: Awaited<ReturnType<(typeof kinds)[typeof kind]>>;
  beforeEach(async () => {
    subject = await kinds[kind]();
  });
  afterEach(() => subject.stop());

  it('delivers to every subscriber of the channel and to no other', async () => {
    const heard: [string, SignalPayload][] = [];
    subject.signals.subscribe('flags', (payload) => heard.push(['a', payload]));
    subject.signals.subscribe('flags', (payload) => heard.push(['b', payload]));
    subject.signals.subscribe('outbox', (payload) => heard.push(['other', payload]));
    await subject.signals.publish('flags', { names: ['x'] });
    await until(() => heard.length === 2);
    await pause(50);
    expect(heard).toEqual([
      ['a', { names: ['x'] }],
      ['b', { names: ['x'] }],
    ]);
  });

  it('arrives only after the commit, and never after a rollback', async () => {
    const heard: SignalPayload[] = [];
    subject.signals.subscribe('live', (payload) => heard.push(payload));
    await subject.unitOfWork
      .run(async () => {
        await subject.signals.publish('live', { id: 1 });
        throw new Error('rolled back');
      })
      .catch(quiet);
    await subject.unitOfWork.run(async () => {
      await subject.signals.publish('live', { id: 2 });
      await pause(100);
      expect(heard).toEqual([]);
    });
    await until(() => heard.length > 0);
    expect(heard).toEqual([{ id: 2 }]);
  });

  it('stops when unsubscribed', async () => {
    const heard: SignalPayload[] = [];
    const stop = subject.signals.subscribe('push', (payload) => heard.push(payload));
    stop();
    await subject.signals.publish('push', { n: 1 });
    await pause(100);
    expect(heard).toEqual([]);
  });
});

describe('PostgresSignals', () => {
  it('refuses a payload above 1,000 bytes', async () => {
    const signals = new PostgresSignals(test.database, { directUrl: test.url, log: quiet });
    await expect(signals.publish('live', { text: 'x'.repeat(1_000) })).rejects.toThrow('1000 bytes');
  });

  it('listens again after the connection was cut, and asks its users to read the state anew', async () => {
    const signals = new PostgresSignals(test.database, { directUrl: test.url, log: quiet });
    await signals.start();
    let resyncs = 0;
    const heard: SignalPayload[] = [];
    signals.onResync(() => {
      resyncs += 1;
    });
    signals.subscribe('access', (payload) => heard.push(payload));
    expect(signals.connected).toBe(true);
    await test.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'loupe-signals' AND datname = current_database()",
    );
    await until(() => !signals.connected);
    await until(() => signals.connected);
    expect(resyncs).toBe(1);
    await signals.publish('access', { person: 'p' });
    await until(() => heard.length === 1);
    await signals.stop();
    expect(signals.connected).toBe(false);
  });

  it('goes on when one handler fails', async () => {
    const failures: unknown[] = [];
    const signals = new PostgresSignals(test.database, {
      directUrl: test.url,
      log: (_message, error) => failures.push(error),
    });
    await signals.start();
    const heard: SignalPayload[] = [];
    signals.subscribe('flags', () => {
      throw new Error('bad handler');
    });
    signals.subscribe('flags', (payload) => heard.push(payload));
    await signals.publish('flags', {});
    await until(() => heard.length === 1);
    expect(failures).toEqual([new Error('bad handler')]);
    await signals.stop();
  });
});
