import pg from 'pg';
import { TestDatabase } from '../../test/support/test-database.js';
import { migrate, migrationFiles, pendingMigrations } from './migrations.js';

describe('migrate', () => {
  let empty: TestDatabase;

  beforeEach(async () => {
    empty = await TestDatabase.start({ migrated: false });
  });

  afterEach(() => empty.stop());

  it('platform 19.22: the second run does nothing', async () => {
    const files = await migrationFiles();
    expect(await pendingMigrations(empty.url)).toHaveLength(files.length);
    expect(await migrate(empty.url)).toHaveLength(files.length);
    expect(await pendingMigrations(empty.url)).toEqual([]);
    expect(await migrate(empty.url)).toEqual([]);
  });

  it('platform 19.22: of two at once, one waits and finds nothing left to do', async () => {
    const ran = await Promise.all([migrate(empty.url), migrate(empty.url)]);
    expect(ran.map((names) => names.length).sort((a, b) => a - b)).toEqual([
      0,
      (await migrationFiles()).length,
    ]);
  });

  it('runs the migrations of libraries after its own, each time', async () => {
    const seen: number[] = [];
    const foreign = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('SELECT count(*)::int AS count FROM schema_migrations');
      seen.push(rows[0].count);
      await client.end();
    };
    await migrate(empty.url, [foreign]);
    await migrate(empty.url, [foreign]);
    const { length } = await migrationFiles();
    expect(seen).toEqual([length, length]);
  });

  it('platform 19.23: a schema that is newer than this release has nothing pending', async () => {
    await migrate(empty.url);
    await empty.database.query(
      "INSERT INTO schema_migrations (timestamp, name) VALUES (9999999999999, 'documents-later-9999999999999')",
    );
    expect(await pendingMigrations(empty.url)).toEqual([]);
  });
});
