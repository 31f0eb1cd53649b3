import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { isAlive } from './process-alive.js';

/** What is noted in `postgres.json` beside the data folder. */
export interface ServerNote {
  port: number;
  password: string;
  /** Processes of Loupe that use the server; the last one to leave stops it. */
  users: number[];
}

/** The note of that folder; where there is none, a new one with a free port and a new password. */
export async function readNote(varDir: string): Promise<ServerNote> {
  try {
    return JSON.parse(await readFile(join(varDir, 'postgres.json'), 'utf8')) as ServerNote;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const note = { port: await freePort(), password: randomBytes(24).toString('hex'), users: [] };
    // Written before initdb uses the password, so a kill in between leaves no server with a lost password.
    await writeNote(varDir, note);
    return note;
  }
}

/** For the owner alone: it holds the password. */
export async function writeNote(varDir: string, note: ServerNote): Promise<void> {
  const path = join(varDir, 'postgres.json');
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

/** The noted processes that run, without this one. */
export function otherUsers(note: ServerNote): number[] {
  return note.users.filter((pid) => pid !== process.pid && isAlive(pid));
}

/** Address of a database of the noted server. */
export function urlOf(note: ServerNote, database: string): string {
  return `postgres://loupe:${note.password}@127.0.0.1:${note.port}/${database}`;
}

/** Whether the noted server lets the product in. */
export async function answers(note: ServerNote): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(note, 'postgres'), connectionTimeoutMillis: 2000 });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
