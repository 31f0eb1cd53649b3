import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { gitEnvironment } from '../infrastructure/git/git-process.js';
import { RealGitRepositories } from '../infrastructure/git/real-git-repositories.js';
import { PostgresArtifactRepository } from '../infrastructure/postgres-artifact-repository.js';
import { LibraryRig } from '../testing/library-rig.js';
import { ArtifactRepository } from './ports/artifact-repository.js';
import { GitRepositories } from './ports/git-repositories.js';
import { PushedTips } from './ports/pushed-tips.js';
import { RepositoryBundles } from './ports/repository-bundles.js';
import { RepositoryReconciler } from './ports/repository-reconciler.js';
import { WriteLeases } from './ports/write-leases.js';

/** A process that is gone from one step on: what it does after that never happens, not even tidying up. */
class Gone extends Error {}

let testDatabase: TestDatabase;
let rig: LibraryRig;
/** Step before which the process dies, or null. */
let dies: 'commit' | 'row' | 'ref' | null = null;

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
  rig = await LibraryRig.start(
    testDatabase.database,
    new Map<unknown, (rig: LibraryRig) => unknown>([
      [GitRepositories, (r) => new DyingRepositories(r.configuration, r.flags)],
      [ArtifactRepository, () => new DyingRows(testDatabase.database)],
    ]),
  );
});
afterEach(() => {
  dies = null;
});
afterAll(async () => {
  await rig?.stop();
  await testDatabase?.stop();
});

class DyingRepositories extends RealGitRepositories {
  override async write(commit: Parameters<RealGitRepositories['write']>[0]) {
    if (dies === 'commit') throw new Gone();
    return super.write(commit);
  }

  override async advance(...args: Parameters<RealGitRepositories['advance']>) {
    if (dies === 'ref') throw new Gone();
    return super.advance(...args);
  }

  override async dropPending(...args: Parameters<RealGitRepositories['dropPending']>) {
    if (dies !== null) throw new Gone();
    return super.dropPending(...args);
  }
}

class DyingRows extends PostgresArtifactRepository {
  override async addVersion(...args: Parameters<PostgresArtifactRepository['addVersion']>) {
    await super.addVersion(...args);
    if (dies === 'row') throw new Gone();
  }
}

const git = (artifactId: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', rig.get(RealGitRepositories).pathOf(artifactId), ...args])
    .toString()
    .trim();
const main = (artifactId: string) => git(artifactId, 'rev-parse', 'main');
const versions = (artifactId: string) =>
  testDatabase.database.query<{ number: number; revision: string; source: string; maker: string | null }>(
    `SELECT number, revision, source, created_by AS maker FROM artifacts.version
     WHERE artifact_id = $1 ORDER BY number`,
    [artifactId],
  );
const reconcile = (artifactId: string) =>
  rig
    .get(WriteLeases)
    .hold(artifactId, (lease) => rig.get(RepositoryReconciler).reconcile(artifactId, lease));

/** A commit on top of `main`, as a push over git brings it; `ref` is moved to it. */
function pushed(artifactId: string, files: Record<string, string>, ref = 'main', parent?: string): string {
  const work = mkdtempSync(join(tmpdir(), 'loupe-push-'));
  const env = {
    ...gitEnvironment(work),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  const run = (...args: string[]) => execFileSync('git', args, { cwd: work, env }).toString().trim();
  try {
    run('clone', '--quiet', rig.get(RealGitRepositories).pathOf(artifactId), '.');
    if (parent) run('checkout', '--quiet', parent);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(work, path), text);
    run('add', '-A');
    run('commit', '--quiet', '--message', 'By git');
    run('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${ref}`);
    return run('rev-parse', 'HEAD');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

describe('a write that a crash cuts short', () => {
  it.each(['commit', 'row'] as const)(
    'artifacts 13: leaves no version when it ends before the %s, and the next write goes on',
    async (step) => {
      const first = await rig.create({ 'index.html': 'one' });
      dies = step;
      await expect(rig.push(first.artifactId, { 'index.html': 'lost' })).rejects.toThrow(Gone);
      dies = null;
      expect(await versions(first.artifactId)).toHaveLength(1);
      expect(main(first.artifactId)).toBe(first.revision);
      const next = await rig.push(first.artifactId, { 'index.html': 'two' });
      expect(next).toMatchObject({ version: 2, previousRevision: first.revision });
      expect(main(first.artifactId)).toBe(next.revision);
    },
  );

  it('artifacts 13: keeps the version when it ends before the ref, which the next access moves', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    dies = 'ref';
    await expect(rig.push(first.artifactId, { 'index.html': 'two' })).rejects.toThrow(Gone);
    dies = null;
    const stored = await versions(first.artifactId);
    expect(stored.map(({ number }) => number)).toEqual([1, 2]);
    expect(main(first.artifactId)).toBe(first.revision);
    expect(await reconcile(first.artifactId)).toBeNull();
    expect(main(first.artifactId)).toBe(stored[1]!.revision);
    const next = await rig.push(first.artifactId, { 'index.html': 'three' });
    expect(next).toMatchObject({ version: 3, previousRevision: stored[1]!.revision });
  });

  it.each(['commit', 'row', 'ref'] as const)(
    'keeps what was packed for it before, when it ends before the %s',
    async (step) => {
      const first = await rig.create({ 'index.html': 'one' });
      const texts = Array.from({ length: 6 }, () => randomBytes(60_000).toString('base64'));
      const files = Object.fromEntries(texts.map((text, at) => [`${at}.txt`, text]));
      const staged = rig.ids.next();
      await rig.get(GitRepositories).stage(
        staged,
        texts.map((text) => ({
          sha256: createHash('sha256').update(text).digest('hex'),
          content: Buffer.from(text),
        })),
      );
      const push = () => rig.push(first.artifactId, { 'index.html': 'two', ...files }, { staged });
      dies = step;
      await expect(push()).rejects.toThrow(Gone);
      dies = null;
      // After the row it is stored, and the repeat changes nothing.
      expect(await push()).toMatchObject({ version: 2, unchanged: step === 'ref' });
      for (const [path, text] of Object.entries(files))
        expect(git(first.artifactId, 'show', `main:${path}`)).toBe(text);
      expect(git(first.artifactId, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
    },
  );

  it('leaves nothing of a new artifact that ends before its row', async () => {
    const before = await testDatabase.database.query('SELECT 1 FROM artifacts.artifact');
    dies = 'row';
    await expect(rig.create({ 'index.html': 'x' })).rejects.toThrow(Gone);
    expect(await testDatabase.database.query('SELECT 1 FROM artifacts.artifact')).toHaveLength(before.length);
  });

  it('is not waited for longer than its lease lasts', async () => {
    const { artifactId } = await rig.create({ 'index.html': 'one' });
    await testDatabase.database.query(
      `INSERT INTO artifacts.write_lease VALUES ($1, gen_random_uuid(), clock_timestamp() + interval '2 s')`,
      [artifactId],
    );
    const started = Date.now();
    await rig.push(artifactId, { 'index.html': 'two' });
    expect(Date.now() - started).toBeGreaterThan(1_500);
  });
});

describe('a push over git', () => {
  it('artifacts 42: whose last step was lost shows as a version at the next access, once, and is still of who pushed', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    const tip = pushed(first.artifactId, { 'index.html': 'two', '.env': 'KEY=1' });
    await rig.get(PushedTips).note(first.artifactId, tip, { kind: 'person', personId: rig.member.personId });
    expect(await reconcile(first.artifactId)).toMatchObject({ version: 2, revision: tip, fileCount: 1 });
    expect(await reconcile(first.artifactId)).toBeNull();
    expect(await versions(first.artifactId)).toEqual([
      expect.objectContaining({ number: 1 }),
      { number: 2, revision: tip, source: 'git', maker: rig.member.personId },
    ]);
    const next = await rig.push(first.artifactId, { 'index.html': 'three' });
    expect(next).toMatchObject({ version: 3, previousRevision: tip });
    // What a version leaves out stays in the commits that follow.
    expect(git(first.artifactId, 'show', 'main:.env')).toBe('KEY=1');
  });

  it('is stored before the write that comes next, which then has to know it', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    const tip = pushed(first.artifactId, { 'index.html': 'two' });
    await expect(
      rig.push(first.artifactId, { 'index.html': 'three' }, { baseRevision: first.revision! }),
    ).rejects.toMatchObject({ code: 'revision_conflict', detail: { facts: { currentRevision: tip } } });
    expect(await versions(first.artifactId)).toHaveLength(2);
  });

  it('that contradicts the latest version is kept aside', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    const second = await rig.push(first.artifactId, { 'index.html': 'two' });
    git(first.artifactId, 'config', 'receive.denyNonFastForwards', 'false');
    const other = pushed(first.artifactId, { 'index.html': 'other' }, 'main', first.revision!);
    expect(await reconcile(first.artifactId)).toBeNull();
    expect(main(first.artifactId)).toBe(second.revision);
    expect(git(first.artifactId, 'rev-parse', `refs/loupe/orphan/${other}`)).toBe(other);
    expect(await versions(first.artifactId)).toHaveLength(2);
  });
});

describe('a lost repository', () => {
  it('comes back from its last pack before the next write', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    await rig.get(RepositoryBundles).store(first.artifactId);
    await rig.get(GitRepositories).remove(first.artifactId);
    const next = await rig.push(first.artifactId, { 'index.html': 'two' });
    expect(next).toMatchObject({ version: 2, previousRevision: first.revision });
    expect(git(first.artifactId, 'rev-list', '--count', 'main')).toBe('2');
  });

  it.each(['no pack', 'an older pack'])(
    'with %s goes on with the stored files of the latest version',
    async (pack) => {
      const first = await rig.create({ 'index.html': 'one', 'kept.txt': 'kept' });
      if (pack === 'an older pack') await rig.get(RepositoryBundles).store(first.artifactId);
      const second = await rig.push(first.artifactId, { 'index.html': 'two', 'kept.txt': 'kept' });
      await rig.get(GitRepositories).remove(first.artifactId);
      // Who knows the lost revision alone is told the new one, as after anybody else's write.
      await expect(
        rig.push(first.artifactId, { 'index.html': 'three' }, { baseRevision: second.revision! }),
      ).rejects.toMatchObject({ code: 'revision_conflict', detail: { facts: { changedSinceBase: [] } } });
      const again = (await versions(first.artifactId)).at(-1)!;
      expect(again).toMatchObject({ number: 3, source: 'restore', revision: main(first.artifactId) });
      expect(git(first.artifactId, 'show', 'main:index.html')).toBe('two');
      const next = await rig.push(
        first.artifactId,
        { 'index.html': 'three', 'kept.txt': 'kept' },
        { baseRevision: again.revision! },
      );
      expect(next).toMatchObject({ version: 4, changedFiles: ['index.html'] });
      expect(git(first.artifactId, 'show', 'main:kept.txt')).toBe('kept');
      expect(git(first.artifactId, 'rev-list', '--count', 'main')).toBe(pack === 'no pack' ? '2' : '3');
    },
  );

  it('that loses the step after its new version is stored is put right at the next access', async () => {
    const first = await rig.create({ 'index.html': 'one' });
    await rig.get(GitRepositories).remove(first.artifactId);
    jest.spyOn(rig.get(GitRepositories), 'advance').mockRejectedValueOnce(new Error('killed'));
    await expect(reconcile(first.artifactId)).rejects.toThrow('killed');
    jest.restoreAllMocks();
    expect(await reconcile(first.artifactId)).toBeNull();
    expect(await versions(first.artifactId)).toHaveLength(2);
    expect(main(first.artifactId)).toBe((await versions(first.artifactId)).at(-1)!.revision);
  });
});
