import { type AddressInfo, connect, createServer } from 'node:net';
import { withDeadline } from '#libs/kernel/deadline.js';
import { notingSavedChanges, OUTCOME_UNKNOWN } from '#libs/kernel/saved-changes.js';
import { TestDatabase } from '../../test/support/test-database.js';
import { brokenConstraint, Database, sqlState } from './database.js';

describe('Database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await TestDatabase.start();
    await test.database.query('CREATE TABLE thing (id int PRIMARY KEY, name text)');
  });

  afterAll(() => test.stop());

  beforeEach(() => test.database.query('TRUNCATE thing'));

  it('keeps all writes of a unit of work, or none', async () => {
    const { database } = test;
    await expect(
      database.run(async () => {
        await database.query('INSERT INTO thing VALUES (1)');
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(await database.query('SELECT * FROM thing')).toEqual([]);
    await database.run(() => database.query('INSERT INTO thing VALUES (1)'));
    expect(await database.query('SELECT id FROM thing')).toEqual([{ id: 1 }]);
  });

  it('refuses what PostgreSQL cannot keep in plain words, in a transaction and outside', async () => {
    const { database } = test;
    const refused = {
      kind: 'invalid',
      code: 'invalid_text',
      message: expect.stringContaining('Take it out'),
    };
    for (const [text, value] of [
      ['INSERT INTO thing VALUES (1, $1)', 'a\0b'],
      ['SELECT $1::jsonb', JSON.stringify('a\0b')],
    ] as const) {
      await expect(database.query(text, [value])).rejects.toMatchObject(refused);
      await expect(database.run(() => database.query(text, [value]))).rejects.toMatchObject(refused);
    }
    expect(await database.query('SELECT * FROM thing')).toEqual([]);
  });

  it('gives the rows of UPDATE … RETURNING', async () => {
    await test.database.query("INSERT INTO thing VALUES (1, 'a')");
    expect(await test.database.query("UPDATE thing SET name = 'b' RETURNING name")).toEqual([{ name: 'b' }]);
  });

  it('counts the connections of the pool that somebody works on', async () => {
    const small = await Database.connect({ url: test.url, pool: 3, applicationName: 'loupe-test' });
    try {
      expect(small.connectionsInUse).toBe(0);
      await small.run(async () => {
        await small.outside(() => small.run(async () => expect(small.connectionsInUse).toBe(2)));
        expect(small.connectionsInUse).toBe(1);
      });
      expect(small.connectionsInUse).toBe(0);
    } finally {
      await small.close();
    }
  });

  it('answers hot statements while all connections of the pool are taken', async () => {
    const small = await Database.connect({ url: test.url, pool: 1, applicationName: 'loupe-test' });
    try {
      await small.run(async () => {
        const asked = small.outside(() => small.hot<{ one: number }>('SELECT 1 AS one'));
        expect(await asked).toEqual([{ one: 1 }]);
      });
    } finally {
      await small.close();
    }
  });

  it('says that nobody knows what became of a commit whose answer was lost', async () => {
    const cut = await cuttingProxy(test.url);
    const beyond = await Database.connect({ url: cut.url, pool: 1, applicationName: 'loupe-test' });
    try {
      const lost = beyond.run(() => beyond.query('INSERT INTO thing VALUES (7)'));
      await expect(lost).rejects.toMatchObject({ kind: 'unavailable', code: OUTCOME_UNKNOWN });
      expect(await test.database.query('SELECT id FROM thing')).toEqual([{ id: 7 }]);
      // Nothing is in doubt about a statement before it.
      cut.at('SELECT 2');
      await expect(beyond.run(() => beyond.query('SELECT 2'))).rejects.toMatchObject({ code: 'unavailable' });
      // But a request that has saved something before must not be told to try again.
      const partly = notingSavedChanges(async () => {
        await beyond.run(() => beyond.query('INSERT INTO thing VALUES (8)'));
        await beyond.query('SELECT 2');
      });
      await expect(partly).rejects.toMatchObject({ kind: 'unavailable', code: OUTCOME_UNKNOWN });
      const onlyRead = notingSavedChanges(async () => {
        await beyond.snapshot(() => beyond.query('SELECT 1'));
        await beyond.query('SELECT 2');
      });
      await expect(onlyRead).rejects.toMatchObject({ code: 'unavailable' });
    } finally {
      await beyond.close();
      cut.stop();
    }
  });

  it('is unavailable when its connection breaks between two statements of a transaction', async () => {
    const other = await Database.connect({ url: test.url, pool: 2, applicationName: 'loupe-test' });
    try {
      const broken = other.run(async () => {
        const [own] = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await test.database.query('SELECT pg_terminate_backend($1)', [own!.pid]);
        await new Promise((done) => setTimeout(done, 200));
        await other.query('INSERT INTO thing VALUES (3)');
      });
      await expect(broken).rejects.toMatchObject({ kind: 'unavailable', code: 'unavailable' });
    } finally {
      await other.close();
    }
  });

  it('says the same of a request that has saved something when the server falls silent', async () => {
    const cut = await cuttingProxy(test.url);
    const beyond = await Database.connect({ url: cut.url, pool: 2, applicationName: 'loupe-test' });
    try {
      cut.at('nothing');
      const request = notingSavedChanges(async () => {
        await beyond.run(() => beyond.query('INSERT INTO thing VALUES (9)'));
        cut.silence();
        await beyond.query('SELECT 3');
      });
      await expect(request).rejects.toMatchObject({ kind: 'unavailable', code: OUTCOME_UNKNOWN });
    } finally {
      cut.stop();
      await beyond.close();
    }
  });

  it('joins a running unit of work, and runs what waits for the commit only after it', async () => {
    const { database } = test;
    const seen: number[] = [];
    await database.run(async () => {
      await database.run(async () => {
        await database.query('INSERT INTO thing VALUES (1)');
        database.afterCommit(async () => {
          seen.push((await database.query('SELECT * FROM thing')).length);
        });
      });
      expect(seen).toEqual([]);
    });
    await new Promise((done) => setTimeout(done, 50));
    expect(seen).toEqual([1]);
  });

  it('runs a unit of work again when it and another wait for each other, once', async () => {
    const { database } = test;
    await database.query("INSERT INTO thing VALUES (1, ''), (2, '')");
    let arrived = 0;
    let both: () => void = () => undefined;
    const met = new Promise<void>((resolve) => {
      both = resolve;
    });
    let runs = 0;
    const write = (first: number, second: number) =>
      database.run(async () => {
        runs += 1;
        await database.query('UPDATE thing SET name = name || $1 WHERE id = $2', ['x', first]);
        arrived += 1;
        if (arrived === 2) both();
        await met;
        await database.query('UPDATE thing SET name = name || $1 WHERE id = $2', ['x', second]);
      });
    await Promise.all([write(1, 2), write(2, 1)]);
    expect(runs).toBe(3);
    expect(await database.query('SELECT name FROM thing')).toEqual([{ name: 'xx' }, { name: 'xx' }]);
  });

  it('shows all statements of a snapshot the same state, and lets none of them write', async () => {
    const { database } = test;
    const counts: number[] = [];
    await database.snapshot(async () => {
      const count = async () => counts.push((await database.query('SELECT * FROM thing')).length);
      await count();
      await database.outside(() => database.query('INSERT INTO thing VALUES (1)'));
      await count();
    });
    expect(counts).toEqual([0, 0]);
    const write = database.snapshot(() => database.query('INSERT INTO thing VALUES (2)'));
    await expect(write).rejects.toThrow('read-only');
  });

  it('undoes the writes of a failed savepoint alone', async () => {
    const { database } = test;
    await database.run(async () => {
      await database.query('INSERT INTO thing VALUES (1)');
      const failed = await database
        .savepoint(() => database.query('INSERT INTO thing VALUES (1)'))
        .catch((error: unknown) => error);
      expect(sqlState(failed)).toBe('23505');
      expect(brokenConstraint(failed)).toBe('thing_pkey');
      await database.query('INSERT INTO thing VALUES (2)');
    });
    expect(await database.query('SELECT id FROM thing ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe('work whose time is up', () => {
  let late: TestDatabase;
  beforeAll(async () => {
    late = await TestDatabase.start({ migrated: false });
  });
  afterAll(() => late.stop());

  it('does not commit, so that nobody is told "nothing was changed" about a change that stayed', async () => {
    await late.database.query('CREATE TABLE marks (id int)');
    const cut = new AbortController();
    const work = withDeadline(cut.signal, () =>
      late.database.run(async () => {
        await late.database.query('INSERT INTO marks VALUES (1)');
        cut.abort(new Error('Too late.'));
      }),
    );
    await expect(work).rejects.toThrow('Too late.');
    expect(await late.database.query('SELECT id FROM marks')).toEqual([]);
  });
});

/** Passes everything on to the server, but closes a connection instead of its answer to a COMMIT, or to other words. */
async function cuttingProxy(url: string): Promise<{
  url: string;
  at(words: string): void;
  /** From now on nothing comes back, over no connection. */
  silence(): void;
  stop(): void;
}> {
  const target = new URL(url);
  let words = 'COMMIT';
  let silent = false;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    let cut = false;
    client.on('data', (data) => {
      cut ||= data.includes(words);
      server.write(data);
    });
    server.on('data', (data) => {
      if (cut) client.destroy();
      else if (!silent) client.write(data);
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    for (const end of [client, server]) end.on('error', () => undefined);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const through = new URL(url);
  through.port = String((proxy.address() as AddressInfo).port);
  return {
    url: through.href,
    at: (given) => {
      words = given;
    },
    silence: () => {
      silent = true;
    },
    stop: () => proxy.close(),
  };
}
