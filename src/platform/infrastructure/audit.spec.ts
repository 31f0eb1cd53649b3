import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { SystemClock } from '#libs/kernel/clock.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { withRequestFacts } from '#libs/kernel/request-context.js';
import { CountingIds } from '#libs/kernel/testing/counting-ids.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { PurgeAudit } from '../application/commands/purge-audit.js';
import { ActorNames } from '../application/ports/actor-names.js';
import { FixedFlags } from '../testing/fixed-flags.js';
import { SqlAudit } from './sql-audit.js';
import { SqlAuditRecords } from './sql-audit-records.js';

const person: PersonActor = {
  kind: 'person',
  personId: '0195c0de-0000-7000-8000-00000000000b',
  sessionId: 's',
  isAdmin: false,
};
const connection: ConnectionActor = {
  kind: 'connection',
  connectionId: '0195c0de-0000-7000-8000-00000000000c',
  personId: person.personId,
  clientId: 'client',
  scopes: ['mcp'],
  boundProjectId: null,
  projectId: null,
  agentSessionId: 'session-7',
  channel: 'mcp',
};

describe('Audit', () => {
  let test: TestDatabase;
  let audit: SqlAudit;
  const names = new ActorNames();

  beforeAll(async () => {
    test = await TestDatabase.start();
    audit = new SqlAudit(test.database, new CountingIds(), new FixedClock(), names);
  });
  afterAll(() => test.stop());
  beforeEach(() => test.database.query('TRUNCATE platform.audit_events'));

  const rows = () => test.database.query('SELECT * FROM platform.audit_events ORDER BY id');

  it('says who did it, over which channel and from where, with null while nobody knows the name', async () => {
    await withRequestFacts({ traceId: 't', ip: '192.0.2.7', channel: 'oauth' }, () =>
      audit.record(person, {
        operation: 'project.updated',
        subjectType: 'project',
        subjectId: 'p',
        projectId: '0195c0de-0000-7000-8000-0000000000f1',
        context: { fields: ['name'] },
      }),
    );
    expect(await rows()).toEqual([
      {
        id: '00000000-0000-7000-8000-000000000001',
        at: new Date('2026-01-05T09:00:00.000Z'),
        operation: 'project.updated',
        outcome: 'success',
        actor_kind: 'person',
        actor_id: person.personId,
        actor_name: null,
        channel: 'oauth',
        connection_id: null,
        agent_session_id: null,
        ip: '192.0.2.7',
        subject_type: 'project',
        subject_id: 'p',
        project_id: '0195c0de-0000-7000-8000-0000000000f1',
        context: { fields: ['name'] },
      },
    ]);
  });

  it('keeps the names of the time', async () => {
    names.register({
      personNames: async () => new Map([[person.personId, 'Grace']]),
      connectionName: async () => 'Agent',
    });
    await audit.record(connection, { operation: 'card.created' });
    await audit.record({ kind: 'console', osUser: 'root' }, { operation: 'audit.purged' });
    await audit.record({ kind: 'system', jobName: 'purge-audit' }, { operation: 'audit.purged' });
    expect(
      (await rows()).map(({ actor_kind, actor_id, actor_name, channel, connection_id, agent_session_id }) => [
        actor_kind,
        actor_id,
        actor_name,
        channel,
        connection_id,
        agent_session_id,
      ]),
    ).toEqual([
      ['connection', person.personId, 'Grace (Agent)', 'mcp', connection.connectionId, 'session-7'],
      ['console', null, 'root', 'console', null, null],
      ['system', null, 'purge-audit', 'system', null, null],
    ]);
  });

  it('goes with the change when that is rolled back; a refusal stays', async () => {
    await test.database
      .run(async () => {
        await audit.record(person, { operation: 'card.created' });
        await audit.record(person, { operation: 'card.deleted', outcome: 'refused' });
        throw new Error('refused');
      })
      .catch(() => undefined);
    expect((await rows()).map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['card.deleted', 'refused'],
    ]);
  });

  it('keeps the parts of one change in their order, and refuses all of them for one of another form', async () => {
    await audit.record(
      person,
      { operation: 'card.moved', subjectType: 'card', subjectId: 'a', context: { number: 1 } },
      {
        operation: 'card.moved',
        subjectType: 'card',
        subjectId: 'b',
        context: { number: 2 },
        channel: 'oauth',
      },
      { operation: 'column.deleted' },
    );
    expect((await rows()).map((row) => [row.operation, row.subject_id, row.context, row.channel])).toEqual([
      ['card.moved', 'a', { number: 1 }, 'web'],
      ['card.moved', 'b', { number: 2 }, 'oauth'],
      ['column.deleted', null, {}, 'web'],
    ]);
    await expect(audit.record(person, { operation: 'a.b' }, { operation: 'Wrong' })).rejects.toThrow();
    expect(await rows()).toHaveLength(3);
    await audit.record(person);
    expect(await rows()).toHaveLength(3);
  });

  it('is append-only', async () => {
    await audit.record(person, { operation: 'card.created' });
    await expect(test.database.query("UPDATE platform.audit_events SET operation = 'x.y'")).rejects.toThrow(
      'never changed',
    );
  });

  it('refuses a context above 4 KB and an operation of another form', async () => {
    await expect(
      audit.record(person, { operation: 'card.created', context: { text: 'x'.repeat(4_096) } }),
    ).rejects.toThrow('larger than 4096');
    await expect(audit.record(person, { operation: 'CardCreated' })).rejects.toThrow('no audit operation');
  });

  it('purges records older than the retention in batches, and says how many', async () => {
    await test.database.query(
      `INSERT INTO platform.audit_events (id, at, operation, outcome, actor_kind, channel, context)
       SELECT gen_random_uuid(), now() - interval '31 days', 'a.b', 'success', 'system', 'system', '{}'
       FROM generate_series(1, 5001)`,
    );
    await test.database.query(
      `INSERT INTO platform.audit_events (id, at, operation, outcome, actor_kind, channel, context)
       VALUES (gen_random_uuid(), now() - interval '29 days', 'keep.me', 'success', 'system', 'system', '{}')`,
    );
    const purge = new PurgeAudit(
      new SqlAuditRecords(test.database),
      new FixedFlags({ 'audit.retention_days': '30' }),
      test.database,
      // The database judges the age of records, so this one needs its time.
      new SqlAudit(test.database, new UuidV7Ids(), new SystemClock(), names),
    );
    const actor = { kind: 'system', jobName: 'purge-audit' } as const;
    expect(await purge.execute(actor)).toEqual({ purged: 5001 });
    expect(await purge.execute(actor)).toEqual({ purged: 0 });
    expect(
      await test.database.query('SELECT operation, context FROM platform.audit_events ORDER BY operation'),
    ).toEqual([
      { operation: 'audit.purged', context: { count: 5001, days: 30 } },
      { operation: 'keep.me', context: {} },
    ]);
  });
});
