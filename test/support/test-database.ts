import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Database } from '#libs/persistence/database.js';
import { acquireEmbeddedPostgres, type RunningPostgres } from '#libs/persistence/embedded-postgres.js';
import { migrate, migrationFiles } from '#libs/persistence/migrations.js';
import { sharedVarDir } from './shared-var-dir.js';

/** A fresh, migrated database of its own for one suite, on a real PostgreSQL. */
export class TestDatabase {
  private constructor(
    /** Address of this database. */
    readonly url: string,
    readonly database: Database,
    private readonly adminUrl: string,
    private readonly name: string,
    private readonly server: RunningPostgres | null,
    private readonly ownFolder: string | null,
  ) {}

  /**
   * Uses `TEST_DATABASE_URL` when it is set (a server where databases may be created), else the embedded one.
   * `alone`: on a server of its own, for what also the transactions in other databases of a server show in.
   */
  static async start(
    options: { migrated?: boolean; pool?: number; alone?: boolean } = {},
  ): Promise<TestDatabase> {
    const folder = options.alone ? await mkdtemp(join(tmpdir(), 'loupe-postgres-')) : sharedVarDir;
    const shared = options.alone ? undefined : process.env.TEST_DATABASE_URL;
    const server = shared ? null : await embeddedServer(folder);
    const adminUrl = shared ?? server!.url;
    const name = `test_${randomBytes(8).toString('hex')}`;
    const template = options.migrated === false ? 'template1' : await migratedTemplate(adminUrl);
    await asAdmin(adminUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
    const url = withDatabase(adminUrl, name);
    const database = await Database.connect({ url, pool: options.pool ?? 5, applicationName: 'loupe-test' });
    const ownFolder = options.alone ? folder : null;
    return new TestDatabase(url, database, adminUrl, name, server, ownFolder);
  }

  async stop(): Promise<void> {
    await this.database.close();
    await asAdmin(this.adminUrl, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`),
    );
    await this.server?.release();
    if (this.ownFolder) await rm(this.ownFolder, { recursive: true, force: true });
  }
}

async function embeddedServer(varDir: string): Promise<RunningPostgres> {
  await mkdir(varDir, { recursive: true });
  await chmod(varDir, 0o755);
  return acquireEmbeddedPostgres({ varDir, durable: false, log: () => undefined });
}

/** Migrating once and copying is much faster than migrating for each suite. */
async function migratedTemplate(adminUrl: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await migrationFiles()) {
    hash.update(file).update(await readFile(join(applicationRoot, 'migrations', file)));
  }
  const template = `template_${hash.digest('hex').slice(0, 24)}`;
  await asAdmin(adminUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock(42)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    await migrate(withDatabase(adminUrl, draft));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}

function withDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.toString();
}

async function asAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
