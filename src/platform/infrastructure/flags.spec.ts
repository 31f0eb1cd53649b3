import { Flags } from '#libs/kernel/ports/flags.js';
import { PostgresSignals } from '#libs/messaging/postgres-signals.js';
import { InMemorySignals } from '#libs/messaging/testing/in-memory-signals.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { until } from '../../../test/support/until.js';
import { ResetFlag } from '../application/commands/reset-flag.js';
import { SetFlag } from '../application/commands/set-flag.js';
import { FixedFlags } from '../testing/fixed-flags.js';
import { ADMIN_ID, type PlatformApp, startPlatform } from '../testing/platform-app.js';
import { CachedFlags } from './cached-flags.js';
import { SqlFlagValues } from './sql-flag-values.js';

const admin = { kind: 'person', personId: ADMIN_ID, sessionId: 's', isAdmin: true } as const;

describe('Flags in two processes', () => {
  let test: TestDatabase;
  let one: PlatformApp;
  let two: PlatformApp;

  beforeAll(async () => {
    test = await TestDatabase.start();
    one = await startPlatform(test.url, { role: 'web' });
    two = await startPlatform(test.url, { role: 'web' });
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await test.stop();
  });

  const set = (name: string, value: unknown) => one.get(SetFlag).execute(admin, { name, value });
  const timed = async (work: () => Promise<void>): Promise<number> => {
    const start = Date.now();
    await work();
    return Date.now() - start;
  };

  it('platform 19.7 and 19.35: a flag changed in one process shows in the other within 2 s', async () => {
    const heard: string[][] = [];
    const stop = two.get(Flags).onChange((names) => heard.push([...names]));
    await set('artifacts.enabled', true);
    const ms = await timed(() => until(() => two.get(Flags).isOn('artifacts.enabled')));
    expect(ms).toBeLessThan(2_000);
    expect(heard).toEqual([['artifacts.enabled']]);
    expect(two.get(Flags).refusal('artifacts.enabled')).toBe('Artifacts are switched off on this instance.');
    stop();
  });

  it('platform 19.35: with the signal connection cut, within 5 s', async () => {
    await two.get(PostgresSignals).stop();
    await set('inbox.max_open_items', 7);
    const ms = await timed(() => until(() => two.get(Flags).int('inbox.max_open_items') === 7, 6_000));
    expect(ms).toBeLessThan(5_500);
  });

  it('platform 19.9: deleting the row restores the default', async () => {
    await set('inbox.max_open_items', 9);
    await until(() => one.get(Flags).int('inbox.max_open_items') === 9);
    await one.get(ResetFlag).execute(admin, { name: 'inbox.max_open_items' });
    await until(() => one.get(Flags).int('inbox.max_open_items') === 500);
    expect(await one.get(ResetFlag).execute(admin, { name: 'inbox.max_open_items' })).toEqual({
      changed: false,
    });
  });

  it('platform 19.26: a change writes an audit row and an event; the same value again writes none', async () => {
    await test.database.query('TRUNCATE platform.audit_events');
    await test.database.query('TRUNCATE platform.outbox_events CASCADE');
    expect(await set('inbox.enabled', true)).toEqual({ changed: true });
    expect(await set('inbox.enabled', 'true')).toEqual({ changed: false });
    expect(
      await test.database.query(
        'SELECT operation, outcome, actor_kind, actor_id, channel, subject_type, subject_id FROM platform.audit_events',
      ),
    ).toEqual([
      {
        operation: 'flag.changed',
        outcome: 'success',
        actor_kind: 'person',
        actor_id: ADMIN_ID,
        channel: 'web',
        subject_type: 'flag',
        subject_id: 'inbox.enabled',
      },
    ]);
    expect(await test.database.query('SELECT type, payload FROM platform.outbox_events')).toEqual([
      { type: 'FlagChanged', payload: { names: ['inbox.enabled'] } },
    ]);
  });

  it('does not know who is no admin', async () => {
    await expect(
      one.get(SetFlag).execute({ ...admin, isAdmin: false }, { name: 'inbox.enabled', value: false }),
    ).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('refuses to read a name or type that the registry does not have', () => {
    expect(() => one.get(Flags).isOn('no.such')).toThrow('is no bool flag');
    expect(() => one.get(Flags).int('board.enabled')).toThrow('is no int flag');
  });
});

describe.each(['the fake', 'the cache'])('Flags, contract of %s', (kind) => {
  let test: TestDatabase;
  let flags: Flags;
  let store: (name: string, text: string | null) => Promise<void>;

  beforeAll(async () => {
    test = await TestDatabase.start();
    if (kind === 'the fake') {
      const fixed = new FixedFlags();
      flags = fixed;
      store = async (name, text) => fixed.set(name, text);
      return;
    }
    const values = new SqlFlagValues(test.database);
    const cached = new CachedFlags(values, new InMemorySignals());
    flags = cached;
    store = async (name, text) => {
      if (text === null) await values.remove(name);
      else await values.set({ name, value: text, updatedAt: new Date(), updatedBy: null });
      await cached.reload();
    };
  });
  afterAll(() => test.stop());

  it('reads defaults, stored values, and stored values out of range as their definition says', async () => {
    expect(flags.isOn('board.enabled')).toBe(true);
    expect(flags.int('bridge.work_request_lease_seconds')).toBe(120);
    expect(flags.text('mcp.action_and_reasoning')).toBe('optional');
    expect(flags.list('artifacts.preview_modules')).toEqual(['react', 'react-dom']);
    await store('board.enabled', 'false');
    await store('bridge.heartbeat_interval_seconds', '100');
    await store('audit.retention_days', '0');
    expect(flags.isOn('board.enabled')).toBe(false);
    expect(flags.int('bridge.work_request_lease_seconds')).toBe(200);
    expect(flags.int('audit.retention_days')).toBe(1);
    await store('board.enabled', null);
    expect(flags.isOn('board.enabled')).toBe(true);
  });

  it('tells of a change until it is told not to, and refuses unknown names', async () => {
    const heard: string[] = [];
    const stop = flags.onChange((names) => heard.push(...names));
    await store('inbox.enabled', 'true');
    stop();
    await store('inbox.enabled', null);
    expect(heard).toEqual(['inbox.enabled']);
    expect(() => flags.isOn('no.such')).toThrow('is no bool flag');
    expect(flags.refusal('inbox.enabled')).toBe('The inbox is switched off on this instance.');
  });
});
