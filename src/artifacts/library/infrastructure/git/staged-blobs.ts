import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { eachAtMost } from '#libs/kernel/each-at-most.js';
import type { NamedContent } from '../../application/ports/artifact-blobs.js';
import { packOf } from './blob-pack.js';

/** What is smaller together is written with its commit as quickly. */
const WORTHWHILE_BYTES = 256 * 1024;
/** Beside a pack: which content has which id. Written last, so a pack without it is not whole. */
const NAMES = '.names';
/** Packs that are moved at the same time. */
const MOVED_AT_ONCE = 4;
const NAME = /^([0-9a-f]{64}) ([0-9a-f]{40})$/;

/**
 * Contents of pushes as packs of git, made while further ones arrive: `.pushes/<push>/pack-<checksum>.pack` beside the
 * repositories. They spare the commit time and nothing else: whatever is not here is taken from the blob store.
 */
export class StagedBlobs {
  private readonly folder: string;
  private readonly logger = new Logger('artifacts');

  /** `root`: the folder of the repositories. */
  constructor(root: string) {
    this.folder = join(root, '.pushes');
  }

  /** The contents are different ones and have the hashes that they are named by. Never throws. */
  async add(pushId: string, contents: readonly NamedContent[]): Promise<void> {
    if (contents.reduce((sum, { content }) => sum + content.length, 0) < WORTHWHILE_BYTES) return;
    const folder = join(this.folder, pushId);
    try {
      await mkdir(folder, { recursive: true });
      const { pack, index, checksum, oids } = await packOf(contents.map(({ content }) => content));
      const base = join(folder, `pack-${checksum}`);
      await Promise.all([onDisk(`${base}.pack`, pack), onDisk(`${base}.idx`, [index])]);
      const names = contents.map(({ sha256 }, at) => `${sha256} ${oids[at]}\n`);
      await writeFile(`${base}${NAMES}`, names.join(''));
    } catch (error) {
      this.logger.warn(`Contents of push ${pushId} wait for its commit: ${(error as Error).message}`);
    }
  }

  /**
   * Moves the packs of a push into a repository. @returns git's ids by SHA-256 of what is there now; another commit of the
   * same push may have been first with the rest.
   */
  async moveInto(repository: string, pushId: string): Promise<Map<string, string>> {
    const folder = join(this.folder, pushId);
    const packs = join(repository, 'objects', 'pack');
    const contents = new Map<string, string>();
    const shared = new Set<string>();
    const whole = (await entries(folder)).filter((entry) => entry.endsWith(NAMES));
    await eachAtMost(MOVED_AT_ONCE, whole, async (entry) => {
      const name = entry.slice(0, -NAMES.length);
      const names = await readFile(join(folder, entry), 'utf8').catch(() => '');
      if (!(await moved(join(folder, name), join(packs, name)))) return;
      for (const line of names.split('\n')) {
        const [, sha256, oid] = NAME.exec(line) ?? [];
        if (sha256 === undefined || oid === undefined) continue;
        if ((contents.get(oid) ?? sha256) !== sha256) shared.add(oid);
        contents.set(oid, sha256);
      }
    });
    if (contents.size > 0) await namesOnDisk(packs);
    await rm(folder, { recursive: true, force: true });
    // Two contents made to share an id go to git itself, which refuses them.
    return new Map([...contents].filter(([oid]) => !shared.has(oid)).map(([oid, sha256]) => [sha256, oid]));
  }

  /** Takes away what pushes left that nothing was added to since `before`. */
  async drop(before: Date): Promise<void> {
    for (const pushId of await entries(this.folder)) {
      const folder = join(this.folder, pushId);
      const last = await stat(folder).catch(() => null);
      if (last && last.mtime < before) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** False when another one has taken the pack. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    // Git looks for packs by their index, so that comes last.
    await rename(`${from}.pack`, `${to}.pack`);
    await rename(`${from}.idx`, `${to}.idx`);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** A new file, as git leaves those of packs: nobody writes to it. */
async function onDisk(path: string, parts: readonly Buffer[]): Promise<void> {
  const file = await open(path, 'wx', 0o444);
  try {
    // Unlike `writev`, it goes on after a part, and fails when the disk is full.
    await file.writeFile(Buffer.concat(parts));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A commit that is on the disk has its contents there too. */
async function namesOnDisk(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

async function entries(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
