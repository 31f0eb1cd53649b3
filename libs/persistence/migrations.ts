import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { applicationRoot } from '#libs/configuration/application-root.js';

const LOCK = 7_215_001;
const LOCK_PAUSE_MS = 200;
const TABLE = 'schema_migrations';
/** In a file of which each statement runs by itself. Each must be safe to repeat, as a killed run leaves some done. */
const BY_ITSELF = /^-- @outside-transaction: \S/m;

/** Runs after the migrations of the contexts, under the same lock: the queue library brings its own. */
export type ForeignMigration = (databaseUrl: string) => Promise<void>;

/**
 * Brings the schema up to date (`platform.md` 16.3): waits for whoever migrates at the moment, runs what is pending in
 * order of name, each file in one transaction unless it says `@outside-transaction`, then the migrations of libraries.
 * @returns names of the files that ran.
 */
export async function migrate(
  databaseUrl: string,
  foreign: readonly ForeignMigration[] = [],
): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await lock(client);
    const source = await migrationSource(databaseUrl);
    try {
      const ran = await source.runMigrations({ transaction: 'each' });
      for (const run of foreign) await run(databaseUrl);
      return ran.map((migration) => migration.name);
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}

/** Asks again and again: a statement that waits would be what an index that is built beside the writers waits for. */
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
    if ((rows[0] as { taken: boolean }).taken) return;
    await new Promise((done) => setTimeout(done, LOCK_PAUSE_MS));
  }
}

/** Names of the migrations that this release needs and the database lacks. A newer schema has none. */
export async function pendingMigrations(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const names = (await migrationFiles()).map(nameOf);
    const { rows: tables } = await client.query("SELECT to_regclass('public.schema_migrations') AS name");
    if (tables[0].name === null) return names;
    const { rows } = await client.query(`SELECT name FROM ${TABLE}`);
    const done = new Set(rows.map((row: { name: string }) => row.name));
    return names.filter((name) => !done.has(name));
  } finally {
    await client.end();
  }
}

async function migrationSource(url: string): Promise<DataSource> {
  const migrations = await Promise.all((await migrationFiles()).map(migrationOf));
  const source = new DataSource({ type: 'postgres', url, migrations, migrationsTableName: TABLE });
  return source.initialize();
}

/** Files of the folder `migrations/` in the order in which they run. */
export async function migrationFiles(): Promise<string[]> {
  const entries = await readdir(join(applicationRoot, 'migrations'));
  return entries.filter((entry) => entry.endsWith('.sql')).sort();
}

/** TypeORM wants names that end in a time; the file names begin with one. */
function nameOf(file: string): string {
  const [stamp, ...words] = file.replace(/\.sql$/, '').split('-');
  return `${words.join('-')}-${stamp}0`;
}

async function migrationOf(file: string): Promise<new () => MigrationInterface> {
  const sql = await readFile(join(applicationRoot, 'migrations', file), 'utf8');
  return class SqlFileMigration implements MigrationInterface {
    readonly name = nameOf(file);
    readonly transaction = !BY_ITSELF.test(sql);

    async up(runner: QueryRunner): Promise<void> {
      // Several statements in one message would be one transaction.
      const statements = this.transaction ? [sql] : sql.split(/;\s*$/m).filter((text) => text.trim() !== '');
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error('Migrations only go forward; restore a backup to go back.');
    }
  };
}
