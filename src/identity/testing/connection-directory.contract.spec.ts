import { TestDatabase } from '../../../test/support/test-database.js';
import type { ConnectionDirectory } from '../application/ports/connection-directory.js';
import { Connection } from '../domain/connection.js';
import { SqlConnectionDirectory } from '../infrastructure/oauth/sql-connection-directory.js';
import { SqlConnections } from '../infrastructure/oauth/sql-connections.js';
import { InMemoryConnectionDirectory, type KnownConnection } from './in-memory-connection-directory.js';

const id = (n: number): string => `0190cccc-0000-7000-8000-${String(n).padStart(12, '0')}`;
const at = (hour: number): Date => new Date(`2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`);
const [PERSON, OTHER, FERRY, HARBOUR] = [id(1), id(2), id(11), id(12)] as [string, string, string, string];

const cli = (n: number, changes: Partial<KnownConnection>): KnownConnection => ({
  connectionId: id(100 + n),
  personId: PERSON,
  label: `machine ${n}`,
  clientId: 'loupe-cli',
  clientName: 'Loupe CLI',
  signedInAt: at(1),
  lastSeenAt: null,
  projectId: null,
  ...changes,
});

const CONNECTIONS: readonly KnownConnection[] = [
  cli(1, { lastSeenAt: at(5), uses: { [FERRY]: at(4), [HARBOUR]: at(5) } }),
  cli(2, { signedInAt: at(6) }),
  cli(3, { projectId: FERRY, label: null, lastSeenAt: at(3), uses: { [FERRY]: at(3) } }),
  cli(4, { lastSeenAt: at(9), uses: { [FERRY]: at(9) }, ended: true }),
  cli(5, { personId: OTHER, lastSeenAt: at(2), uses: { [FERRY]: at(2) } }),
];

describe.each(['in memory', 'in PostgreSQL'])('connections for other contexts, %s', (kind) => {
  let test: TestDatabase | undefined;
  let directory: ConnectionDirectory;

  beforeAll(async () => {
    if (kind === 'in memory') {
      directory = new InMemoryConnectionDirectory(...CONNECTIONS);
      return;
    }
    test = await TestDatabase.start();
    const { database } = test;
    for (const personId of [PERSON, OTHER]) {
      await database.query(
        `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, created_at, updated_at)
         VALUES ($1, $2, $2, 'P', 'x', now(), now())`,
        [personId, `${personId}@example.com`],
      );
    }
    const connections = new SqlConnections(database);
    for (const known of CONNECTIONS) {
      const { connectionId, signedInAt, lastSeenAt, uses = {}, ended } = known;
      const connection = Connection.grant(
        {
          id: connectionId,
          personId: known.personId,
          clientId: known.clientId,
          clientName: known.clientName,
          clientUri: null,
          scopes: known.projectId ? ['mcp'] : ['agent', 'mcp', 'projects'],
          projectId: known.projectId,
          origin: null,
          label: known.label,
          audience: 'http://loupe.example',
        },
        signedInAt,
      );
      await connections.insert(connection);
      await database.query('UPDATE identity.connections SET last_used_at = $2 WHERE id = $1', [
        connectionId,
        lastSeenAt,
      ]);
      for (const [projectId, time] of Object.entries(uses)) {
        await database.query('INSERT INTO identity.connection_project_uses VALUES ($1, $2, $3, $3)', [
          connectionId,
          projectId,
          time,
        ]);
      }
      if (ended) {
        connection.revoke('person', PERSON, at(10));
        await connections.save(connection);
      }
    }
    directory = new SqlConnectionDirectory(database);
  });

  afterAll(() => test?.stop());

  it('lists the live connections of a person that may act on a project, last seen first', async () => {
    const machines = await directory.ofPerson(PERSON, FERRY);
    expect(machines.map(({ label, usedThisProjectAt }) => [label, usedThisProjectAt])).toEqual([
      ['machine 2', null],
      ['machine 1', at(4)],
      [null, at(3)],
    ]);
    expect(machines[0]).toEqual({
      connectionId: id(102),
      label: 'machine 2',
      clientId: 'loupe-cli',
      clientName: 'Loupe CLI',
      signedInAt: at(6),
      lastSeenAt: null,
      usedThisProjectAt: null,
    });
    expect((await directory.ofPerson(PERSON, HARBOUR)).map(({ label }) => label)).toEqual([
      'machine 2',
      'machine 1',
    ]);
    expect(await directory.ofPerson(id(9), FERRY)).toEqual([]);
  });

  it('remembers the last use of a project, also by connections that have ended', async () => {
    expect(await directory.lastUseOf(FERRY)).toEqual(at(9));
    expect(await directory.lastUseOf(HARBOUR)).toEqual(at(5));
    expect(await directory.lastUseOf(id(9))).toBeNull();
  });
});
