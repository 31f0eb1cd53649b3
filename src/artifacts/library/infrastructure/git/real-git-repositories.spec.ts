import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Configuration } from '#libs/configuration/configuration.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { gitEnvironment } from './git-process.js';
import { RealGitRepositories } from './real-git-repositories.js';

const folder = mkdtempSync(join(tmpdir(), 'loupe-git-'));
const ids = new UuidV7Ids();
const contents = new Map<string, string>();
let repositories: RealGitRepositories;
let artifactId: string;

beforeAll(() => {
  repositories = new RealGitRepositories(
    Configuration.fromEnvironment({
      APP_ENV: 'test',
      LOUPE_VAR_DIR: folder,
      DEFAULT_URI: 'https://loupe.example',
    }),
    new FixedFlags(),
  );
});
beforeEach(() => {
  artifactId = ids.next();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function files(given: Record<string, string>) {
  return Object.entries(given).map(([path, content]) => {
    contents.set(content, content);
    return { path, sha256: content, bytes: Buffer.byteLength(content) };
  });
}

async function commit(given: Record<string, string>, parent: string | null = null, removed?: string[]) {
  return repositories.write({
    artifactId,
    parent,
    message: 'A message\n\nwith two parts',
    at: new Date('2026-01-05T09:00:00Z'),
    files: files(given),
    removed,
    open: async (sha256) => Readable.from([Buffer.from(contents.get(sha256)!)]),
  });
}

async function onMain(given: Record<string, string>, parent: string | null = null, removed?: string[]) {
  const { revision, pendingRef } = await commit(given, parent, removed);
  expect(await repositories.advance(artifactId, parent, revision, pendingRef)).toBe(true);
  return revision;
}

const sha256Of = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Contents as a push brings them, large enough to be worth a pack. */
function brought(count: number, bytes = 60_000) {
  return Array.from({ length: count }, () => {
    const content = Buffer.from(randomBytes(bytes).toString('base64'));
    return { sha256: sha256Of(content), content };
  });
}

/** A commit of what was staged for a push; `opened` takes the hashes of what was not there. */
async function commitStaged(pushId: string, all: ReturnType<typeof brought>, opened: string[] = []) {
  const { revision, pendingRef } = await repositories.write({
    artifactId,
    parent: null,
    message: 'Staged',
    at: new Date('2026-01-05T09:00:00Z'),
    files: all.map(({ sha256, content }, at) => ({ path: `${at}.txt`, sha256, bytes: content.length })),
    staged: pushId,
    open: async (sha256) => {
      opened.push(sha256);
      return Readable.from([all.find((one) => one.sha256 === sha256)!.content]);
    },
  });
  expect(await repositories.advance(artifactId, null, revision, pendingRef)).toBe(true);
  const tree = await repositories.tree(artifactId, revision);
  for (const { path, oid } of tree) {
    const read = await text(await repositories.openFile(artifactId, oid));
    expect(read).toBe(all[Number.parseInt(path, 10)]!.content.toString());
  }
  expect(tree).toHaveLength(all.length);
  expect(git('fsck', '--full', '--strict')).toBe('');
}

const stagedOf = (pushId: string) => join(folder, 'git', '.pushes', pushId);

const git = (...args: string[]) =>
  execFileSync('git', ['--git-dir', repositories.pathOf(artifactId), ...args])
    .toString()
    .trim();

describe('repositories of artifacts', () => {
  it('hold what was written, byte for byte, whatever it is called', async () => {
    const given = {
      'a "quoted" name.txt': 'one',
      'deep/er/ü 🚀.md': 'zwei\n',
      empty: '',
      'looks like a command': 'data 3\nM 100644 inline x\n',
    };
    const revision = await onMain(given);
    const tree = await repositories.tree(artifactId, revision);
    const read = await Promise.all(
      tree.map(async ({ path, oid }) => [path, await text(await repositories.openFile(artifactId, oid))]),
    );
    expect(Object.fromEntries(read)).toEqual(given);
    expect(tree.every(({ kind }) => kind === 'file')).toBe(true);
    expect(await repositories.message(artifactId, revision)).toBe('A message\n\nwith two parts');
  });

  it('move main only from where it is, and drop the pending ref with it', async () => {
    const first = await onMain({ a: '1' });
    expect(await repositories.head(artifactId)).toBe(first);
    const second = await commit({ a: '2' }, first);
    const rival = await commit({ a: '3' }, first);
    expect(await repositories.advance(artifactId, first, second.revision, second.pendingRef)).toBe(true);
    expect(await repositories.advance(artifactId, first, rival.revision, rival.pendingRef)).toBe(false);
    expect(await repositories.head(artifactId)).toBe(second.revision);
    expect(git('for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/main',
      rival.pendingRef,
    ]);
    await repositories.tidy(artifactId);
    expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('write only what changed on top of a parent, and drop what is named', async () => {
    const first = await onMain({ a: '1', 'b/c': '2', keep: '3' });
    const second = await onMain({ a: 'one', b: 'now a file' }, first, ['b/c']);
    expect(git('ls-tree', '-r', '--name-only', second).split('\n')).toEqual(['a', 'b', 'keep']);
    expect(await repositories.isAncestor(artifactId, first, second)).toBe(true);
    expect(await repositories.isAncestor(artifactId, second, first)).toBe(false);
    const log = await repositories.log(artifactId, second, 0, 5);
    expect(log.map(({ revision, at }) => [revision, at.toISOString()])).toEqual([
      [second, '2026-01-05T09:00:00.000Z'],
      [first, '2026-01-05T09:00:00.000Z'],
    ]);
    expect(await repositories.matching(artifactId, second, first.slice(0, 7))).toEqual([first]);
    expect(await repositories.matching(artifactId, first, second.slice(0, 7))).toEqual([]);
  });

  it('tell links and submodules from files', async () => {
    const first = await onMain({ a: '1' });
    const work = mkdtempSync(join(tmpdir(), 'loupe-work-'));
    const env = {
      ...gitEnvironment(work),
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const run = (...args: string[]) => execFileSync('git', args, { cwd: work, env }).toString().trim();
    try {
      run('clone', '--quiet', repositories.pathOf(artifactId), '.');
      symlinkSync('/etc/passwd', join(work, 'link'));
      writeFileSync(join(work, 'run.txt'), 'x', { mode: 0o755 });
      run('add', '-A');
      run('update-index', '--add', '--cacheinfo', `160000,${first},module`);
      run('commit', '--quiet', '--message', 'x');
      run('push', '--quiet', 'origin', 'HEAD:refs/heads/other');
      const kinds = (await repositories.tree(artifactId, run('rev-parse', 'HEAD'))).map(({ path, kind }) => [
        path,
        kind,
      ]);
      expect(kinds).toEqual([
        ['a', 'file'],
        ['link', 'link'],
        ['module', 'submodule'],
        ['run.txt', 'file'],
      ]);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });

  it('take what was staged for a push without opening it, and the rest from where it is', async () => {
    const pushId = ids.next();
    const all = brought(12);
    await repositories.stage(pushId, all.slice(0, 5));
    await repositories.stage(pushId, all.slice(5, 10));
    // Too little for a pack.
    await repositories.stage(pushId, all.slice(10, 11));
    const opened: string[] = [];
    await commitStaged(pushId, all, opened);
    expect(opened.sort()).toEqual(
      all
        .slice(10)
        .map(({ sha256 }) => sha256)
        .sort(),
    );
    expect(existsSync(stagedOf(pushId))).toBe(false);
  });

  it('open all of a push whose packs another commit took', async () => {
    const pushId = ids.next();
    const all = brought(5);
    await repositories.stage(pushId, all);
    await commitStaged(pushId, all);
    artifactId = ids.next();
    const opened: string[] = [];
    await commitStaged(pushId, all, opened);
    expect(opened).toHaveLength(5);
  });

  it('leave a pack alone that a crash kept from being whole', async () => {
    const pushId = ids.next();
    const all = brought(5);
    await repositories.stage(pushId, all);
    const names = readdirSync(stagedOf(pushId)).find((entry) => entry.endsWith('.names'))!;
    rmSync(join(stagedOf(pushId), names));
    const opened: string[] = [];
    await commitStaged(pushId, all, opened);
    expect(opened).toHaveLength(5);
  });

  it('say nothing of a push that cannot be staged, and write it all the same', async () => {
    const pushId = ids.next();
    writeFileSync(stagedOf(pushId), 'a file in the place of the folder');
    const all = brought(5);
    await repositories.stage(pushId, all);
    const opened: string[] = [];
    await commitStaged(pushId, all, opened);
    expect(opened).toHaveLength(5);
  });

  it('take away what was staged for pushes that never came to a commit', async () => {
    const [old, young] = [ids.next(), ids.next()];
    await repositories.stage(old, brought(5));
    utimesSync(stagedOf(old), new Date(), new Date(Date.now() - 7_200_000));
    await repositories.stage(young, brought(5));
    await repositories.dropStaged(new Date(Date.now() - 3_600_000));
    expect([existsSync(stagedOf(old)), existsSync(stagedOf(young))]).toEqual([false, true]);
  });

  it('bring many packs into few, with all that they hold', async () => {
    const pushId = ids.next();
    const all = brought(48, 240_000);
    const packs = () =>
      readdirSync(join(repositories.pathOf(artifactId), 'objects', 'pack')).filter((entry) =>
        entry.endsWith('.pack'),
      ).length;
    for (const one of all) await repositories.stage(pushId, [one]);
    await commitStaged(pushId, all);
    expect(packs()).toBe(49);
    await repositories.gather(artifactId);
    expect(packs()).toBe(49);
    await repositories.stage(pushId, brought(5));
    const head = (await repositories.head(artifactId))!;
    await repositories.write({
      artifactId,
      parent: head,
      message: 'Nothing of it',
      at: new Date(),
      files: [],
      removed: [],
      staged: pushId,
      open: async () => Readable.from([]),
    });
    await repositories.gather(artifactId);
    expect(packs()).toBe(1);
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toHaveLength(48);
    expect(git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });

  it('refuse to be rewritten, and run no hook', async () => {
    await onMain({ a: '1' });
    const config = readFileSync(join(repositories.pathOf(artifactId), 'config'), 'utf8');
    for (const line of [
      'denyNonFastForwards = true',
      'fsckObjects = true',
      'hideRefs = refs/loupe',
      'protectNTFS = true',
    ]) {
      expect(config).toContain(line);
    }
    expect(git('config', 'core.hooksPath')).toBe('/dev/null');
  });

  it('see nothing of the environment of the server', () => {
    const environment = gitEnvironment('/nowhere');
    expect(Object.keys(environment).filter((name) => !/^(PATH|HOME|LC_ALL|GIT_)/.test(name))).toEqual([]);
    expect(environment).toMatchObject({
      HOME: '/nowhere',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    });
  });

  it('cannot be written without git, which is said in one sentence', async () => {
    const { PATH } = process.env;
    process.env.PATH = '/nowhere';
    try {
      await expect(commit({ a: '1' })).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('git 2.34 or newer is not installed'),
      });
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('that are not there have no head, and are removed without complaint', async () => {
    expect(await repositories.head(artifactId)).toBeNull();
    await repositories.remove(artifactId);
  });

  it('stop when their content is shorter than it says, and main stays', async () => {
    const first = await onMain({ a: '1' });
    await expect(
      repositories.write({
        artifactId,
        parent: first,
        message: 'x',
        at: new Date(),
        files: [{ path: 'a', sha256: 'short', bytes: 10 }],
        open: async () => Readable.from([Buffer.from('abc')]),
      }),
    ).rejects.toThrow();
    expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });
});
