import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { sharedVarDir } from './shared-var-dir.js';

const run = promisify(execFile);

/**
 * Puts an empty database with all migrations into a var folder, as the first start makes it: making one takes seconds, a
 * copy does not. `port` is what its server will listen on.
 */
export async function copyPreparedDatabase(varDir: string, port: number): Promise<void> {
  const prepared = await preparedVarDir();
  // Keeps the owner of the data, who is no root.
  await run('cp', ['-a', join(prepared, 'postgres'), varDir]);
  const note = JSON.parse(await readFile(join(prepared, 'postgres.json'), 'utf8')) as object;
  await writeFile(join(varDir, 'postgres.json'), JSON.stringify({ ...note, port, users: [] }), {
    mode: 0o600,
  });
}

/** Stays between runs, like the server that the suites of adapters share. */
async function preparedVarDir(): Promise<string> {
  const path = join(sharedVarDir, `prepared-${await hashOfSchema()}`);
  if (await stat(path).catch(() => null)) return path;
  const draft = `${path}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  for (const folder of [sharedVarDir, draft]) await chmod(folder, 0o755);
  await run(process.execPath, ['dist/server/console.js', 'migrate'], {
    cwd: applicationRoot,
    env: { PATH: process.env.PATH ?? '', APP_ENV: 'test', LOUPE_VAR_DIR: draft },
  });
  // Another worker may have been first; both made the same.
  await rename(draft, path).catch(() => rm(draft, { recursive: true }));
  return path;
}

/** What the schema is made from: our migrations, and the library that brings the queue's. */
async function hashOfSchema(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(applicationRoot, 'package-lock.json')));
  const folder = join(applicationRoot, 'migrations');
  for (const file of (await readdir(folder)).sort())
    hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 24);
}
