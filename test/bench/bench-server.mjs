// The built product inside the process of a bench, on an embedded PostgreSQL of its own. Needs `npm run build:server`.
import 'reflect-metadata';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts it; `stop` also removes its data. */
export async function startBenchServer({ role = 'web' } = {}) {
  const { Configuration } = await import('#libs/configuration/configuration.js');
  const { Database } = await import('#libs/persistence/database.js');
  const { startServer } = await import('#src/server.js');
  const varDir = mkdtempSync(join(tmpdir(), 'loupe-bench-'));
  chmodSync(varDir, 0o755);
  const configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    PORT: '0',
    DEFAULT_URI: 'http://localhost:3000',
    LOUPE_VAR_DIR: varDir,
    LOUPE_ROLE: role,
    LOG_LEVEL: 'silent',
    APP_SECRET: 'a secret of the bench, long enough',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  const running = await startServer(configuration);
  const get = (type) => running.app.get(type, { strict: false });
  const database = get(Database);
  return {
    configuration,
    varDir,
    app: running.app,
    database,
    get,
    /** A new person, as the actor of use cases. */
    async person(name) {
      const personId = crypto.randomUUID();
      await database.query(
        `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
         VALUES ($1, $2, $2, $3, 'none', now(), now(), now())`,
        [personId, `${name.toLowerCase()}@example.com`, name],
      );
      return { kind: 'person', personId, sessionId: 'bench', isAdmin: false };
    },
    async stop() {
      await running.stop();
      rmSync(varDir, { recursive: true, force: true });
    },
  };
}
