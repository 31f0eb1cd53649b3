import type { INestApplication } from '@nestjs/common';
import type { DomainEvent, EventListener } from '#libs/kernel/domain-event.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { Database } from '#libs/persistence/database.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { pause, until } from '../../../test/support/until.js';
import { DiscardEvents } from '../application/commands/discard-events.js';
import { EmptyQueue } from '../application/commands/empty-queue.js';
import { RedispatchEvents } from '../application/commands/redispatch-events.js';
import { type PlatformApp, startPlatform } from '../testing/platform-app.js';
import { EventDelivery } from './event-delivery.js';
import { deliveryJob, OutboxRelay } from './outbox-relay.js';

const actor = { kind: 'system', jobName: 'test' } as const;

/** A listener that keeps what it handled, and does what the test says with it. */
class KeepingListener implements EventListener {
  readonly handled: DomainEvent[] = [];
  react: (event: DomainEvent) => Promise<void> = async () => undefined;

  constructor(
    readonly name: string,
    readonly types = ['CardMoved', 'CardCreated'],
  ) {}

  async handle(event: DomainEvent): Promise<void> {
    await this.react(event);
    this.handled.push(event);
  }
}

describe('Outbox', () => {
  let test: TestDatabase;
  const running: PlatformApp[] = [];

  beforeEach(async () => {
    test = await TestDatabase.start();
  });
  afterEach(async () => {
    for (const app of running.splice(0)) await app.stop();
    await test.stop();
  });

  const start = async (role: 'web' | 'worker', ...listeners: EventListener[]): Promise<PlatformApp> => {
    const app = await startPlatform(test.url, {
      role,
      before: (made: INestApplication) => {
        for (const listener of listeners) made.get(EventListeners, { strict: false }).register(listener);
      },
    });
    running.push(app);
    return app;
  };

  const publish = (app: PlatformApp, aggregateId: string, n: number, type = 'CardMoved'): Promise<void> =>
    app
      .get(Database)
      .run(() => app.get(Outbox).publish(actor, { type, aggregateId, projectId: null, payload: { n } }));

  it('refuses to publish outside of a unit of work, names of another form, and payloads above 64 KB', async () => {
    const app = await start('web');
    const event = { type: 'CardMoved', aggregateId: 'a', payload: {} };
    await expect(app.get(Outbox).publish(actor, event)).rejects.toThrow('No unit of work');
    const inWork = (changes: object) =>
      app.get(Database).run(() => app.get(Outbox).publish(actor, { ...event, ...changes }));
    await expect(inWork({ type: 'card.moved' })).rejects.toThrow('no name of an event');
    await expect(inWork({ payload: { text: 'x'.repeat(65_536) } })).rejects.toThrow('larger than 65536');
  });

  it('hands an event to every listener of its type, with actor and facts, and to no other', async () => {
    const a = new KeepingListener('a-listens');
    const b = new KeepingListener('b-listens');
    const other = new KeepingListener('other', ['CardDeleted']);
    const app = await start('worker', a, b, other);
    await publish(app, 'card-1', 1);
    await until(() => a.handled.length === 1 && b.handled.length === 1);
    expect(a.handled[0]).toMatchObject({
      type: 'CardMoved',
      version: 1,
      aggregateId: 'card-1',
      projectId: null,
      personId: null,
      actor: { kind: 'system', id: 'test' },
      payload: { n: 1 },
      occurredAt: expect.any(Date),
    });
    expect(other.handled).toEqual([]);
  });

  it('is fast: a signal wakes the relay before its poll', async () => {
    const a = new KeepingListener('a-listens');
    const app = await start('worker', a);
    await pause(300);
    const begun = Date.now();
    for (let n = 0; n < 5; n += 1) {
      await publish(app, `card-${n}`, n);
      await until(() => a.handled.length === n + 1);
    }
    expect(Date.now() - begun).toBeLessThan(2_500);
  });

  it('writes nothing when the change is rolled back', async () => {
    const a = new KeepingListener('a-listens');
    const app = await start('worker', a);
    await expect(
      app.get(Database).run(async () => {
        await app.get(Outbox).publish(actor, { type: 'CardMoved', aggregateId: 'x', payload: {} });
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    expect(await test.database.query('SELECT 1 FROM platform.outbox_events')).toEqual([]);
  });

  it('platform 19.18: an event of a process that died right after its commit is delivered, once in effect', async () => {
    // What such a process leaves behind: the committed row, and nobody who was told.
    await test.database.query(
      `INSERT INTO platform.outbox_events (id, type, version, aggregate_id, actor_kind, actor_id, payload, occurred_at)
       VALUES ('0195c0de-0000-7000-8000-000000000001', 'CardMoved', 1, 'card-1', 'system', 'x', '{"n":1}', now())`,
    );
    const a = new KeepingListener('a-listens');
    const app = await start('worker', a);
    await until(() => a.handled.length === 1);
    const delivery = app.get(EventDelivery);
    const job = deliveryJob('0195c0de-0000-7000-8000-000000000001', 'a-listens');
    // At least once is what the queue promises; repeats, also two at once, have no effect.
    await Promise.all([1, 2, 3].map(() => delivery.handle({ ...job, attempt: 1 })));
    expect(a.handled).toHaveLength(1);
  });

  it('a process killed between dispatch and queue loses nothing either', async () => {
    const a = new KeepingListener('a-listens');
    const web = await start('web', a);
    await publish(web, 'card-1', 1);
    // The relay committed its dispatch, and died before the queue heard of the job.
    const [event] = await test.database.query<{ id: string }>('SELECT id FROM platform.outbox_events');
    await test.database.query(
      `INSERT INTO platform.listener_records (event_id, listener, aggregate_id, position, dispatched_at)
       SELECT id, 'b-listens', aggregate_id, position, now() FROM platform.outbox_events`,
    );
    await test.database.query('UPDATE platform.outbox_events SET dispatched_at = now()');
    await test.database.query(
      `INSERT INTO platform.job_outbox (id, queue, job_id, name, data, created_at)
       VALUES ('0195c0de-0000-7000-8000-000000000002', 'events', $1, 'deliver', $2, now() - interval '6 seconds')`,
      [`evt_${event!.id}_b-listens`, JSON.stringify({ eventId: event!.id, listener: 'b-listens' })],
    );
    const b = new KeepingListener('b-listens');
    await start('worker', b);
    await until(() => b.handled.length === 1, 10_000);
  });

  it('undoes the writes of a listener that fails, and tries it again', async () => {
    await test.database.query('CREATE TABLE seen (n int)');
    const a = new KeepingListener('a-listens');
    const app = await start('worker', a);
    let tries = 0;
    a.react = async () => {
      await app.get(Database).query('INSERT INTO seen VALUES (1)');
      tries += 1;
      if (tries === 1) throw new Error('not yet');
    };
    await publish(app, 'card-1', 1);
    await until(() => a.handled.length === 1, 12_000);
    expect(tries).toBe(2);
    expect(await test.database.query('SELECT n FROM seen')).toEqual([{ n: 1 }]);
  });

  it('keeps the order of each aggregate, with two workers and slow handlers', async () => {
    const order: Record<string, number[]> = {};
    const make = (): KeepingListener => {
      const listener = new KeepingListener('a-listens');
      listener.react = async (event) => {
        await pause(Math.random() * 20);
        const list = order[event.aggregateId] ?? [];
        order[event.aggregateId] = list;
        list.push(event.payload.n as number);
      };
      return listener;
    };
    const app = await start('worker', make());
    await start('worker', make());
    for (let n = 1; n <= 12; n += 1) {
      for (const card of ['card-1', 'card-2', 'card-3']) await publish(app, card, n);
    }
    const all = Array.from({ length: 12 }, (_, n) => n + 1);
    await until(() => Object.values(order).flat().length >= 36, 30_000);
    expect(order).toEqual({ 'card-1': all, 'card-2': all, 'card-3': all });
  });

  it('an event that a listener gave up does not keep the later ones of its aggregate waiting', async () => {
    const a = new KeepingListener('a-listens');
    const app = await start('worker', a);
    a.react = async (event) => {
      if (event.payload.n === 1) throw new Error('poison');
    };
    await publish(app, 'card-1', 1);
    await until(
      async () => (await test.database.query('SELECT 1 FROM platform.listener_records')).length > 0,
    );
    const record = await test.database.one<{ event_id: string }>(
      'SELECT event_id FROM platform.listener_records',
    );
    await test.database.query(
      `INSERT INTO platform.dead_jobs (id, queue, job_id, name, data, error, stack, attempts, failed_at)
       VALUES ('0195c0de-0000-7000-8000-000000000003', 'events', 'x', 'deliver', $1, 'poison', '', 4, now())`,
      [JSON.stringify({ eventId: record!.event_id, listener: 'a-listens' })],
    );
    await publish(app, 'card-1', 2);
    await until(() => a.handled.length === 1);
    expect(a.handled[0]!.payload).toEqual({ n: 2 });
  });

  it('deletes events 7 days after their dispatch, and keeps those that wait', async () => {
    const app = await start('web');
    await publish(app, 'old', 1);
    await test.database.query("UPDATE platform.outbox_events SET dispatched_at = now() - interval '8 days'");
    await publish(app, 'waits', 2);
    await test.database.query(
      "UPDATE platform.outbox_events SET occurred_at = now() - interval '90 seconds' WHERE dispatched_at IS NULL",
    );
    const relay = app.get(OutboxRelay);
    await relay.purge();
    expect(await test.database.query('SELECT aggregate_id FROM platform.outbox_events')).toEqual([
      { aggregate_id: 'waits' },
    ]);
    expect(await relay.lagSeconds()).toBeGreaterThan(85);
  });

  it('queues undelivered events of a longer time again by hand, and discards those of before a restore', async () => {
    const a = new KeepingListener('a-listens');
    const web = await start('web', a);
    await publish(web, 'lost', 1);
    await web.get(OutboxRelay).pass();
    await test.database.query(
      "UPDATE platform.listener_records SET dispatched_at = now() - interval '3 hours'",
    );
    await publish(web, 'old-mail', 2);
    await test.database.query(
      "UPDATE platform.outbox_events SET occurred_at = now() - interval '2 days' WHERE dispatched_at IS NULL",
    );
    const operator = { kind: 'console', osUser: 'root' } as const;
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000);
    await web.get(EmptyQueue).execute(operator);
    expect(await web.get(DiscardEvents).execute(operator, { before: hours(24) })).toEqual({
      events: 1,
      mails: 0,
    });
    expect(await web.get(RedispatchEvents).execute(operator, { since: hours(1) })).toEqual({ queued: 0 });
    expect(await web.get(RedispatchEvents).execute(operator, { since: hours(4) })).toEqual({ queued: 1 });
    const late = new KeepingListener('a-listens');
    await start('worker', late);
    await until(() => late.handled.length === 1);
    expect(late.handled[0]!.payload).toEqual({ n: 1 });
    expect(
      await test.database.query('SELECT operation, actor_name FROM platform.audit_events ORDER BY operation'),
    ).toEqual([
      { operation: 'events.discarded', actor_name: 'root' },
      { operation: 'events.redispatched', actor_name: 'root' },
      { operation: 'jobs.reset', actor_name: 'root' },
    ]);
  });

  it('refuses two listeners of one name', async () => {
    const app = await start('web', new KeepingListener('a-listens'));
    expect(() => app.get(EventListeners).register(new KeepingListener('a-listens'))).toThrow(
      'Two listeners are called a-listens',
    );
    expect(() => app.get(EventListeners).register(new KeepingListener('a:b'))).toThrow(
      'no name of a listener',
    );
  });
});
