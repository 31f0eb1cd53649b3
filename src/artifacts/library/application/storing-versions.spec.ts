import { execFileSync } from 'node:child_process';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { RealGitRepositories } from '../infrastructure/git/real-git-repositories.js';
import { LibraryRig } from '../testing/library-rig.js';
import { ArtifactDirectory } from './ports/artifact-directory.js';
import { GitRepositories } from './ports/git-repositories.js';

let testDatabase: TestDatabase;
let rig: LibraryRig;

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
  rig = await LibraryRig.start(testDatabase.database);
});
afterAll(async () => {
  await rig?.stop();
  await testDatabase?.stop();
});

const versionsOf = (artifactId: string) =>
  testDatabase.database.query<{ number: number; revision: string; source: string; notes: string }>(
    'SELECT number, revision, source, notes FROM artifacts.version WHERE artifact_id = $1 ORDER BY number',
    [artifactId],
  );
const git = (artifactId: string, ...args: string[]) =>
  execFileSync('git', ['--git-dir', rig.get(RealGitRepositories).pathOf(artifactId), ...args])
    .toString()
    .trim();

describe('storing versions', () => {
  it('writes version 1 with its commit on main, signed by Loupe and never by a person', async () => {
    const stored = await rig.create({ 'index.html': '<h1>Hi</h1>', 'css/a b.css': 'p{}', 'ü "q".txt': 'x' });
    expect(stored).toMatchObject({ version: 1, unchanged: false, entryPath: 'index.html', fileCount: 3 });
    expect(git(stored.artifactId, 'rev-parse', 'main')).toBe(stored.revision);
    expect(git(stored.artifactId, 'show', `${stored.revision}:ü "q".txt`)).toBe('x');
    expect(git(stored.artifactId, 'log', '-1', '--format=%an <%ae> %cn %s')).toBe(
      'Loupe <noreply@loupe.example> Loupe First',
    );
    expect(git(stored.artifactId, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('stores what changed as version 2 on top of version 1, and nothing when the files are the same', async () => {
    const first = await rig.create({ 'index.html': 'one', 'old.txt': 'old', 'same.txt': 'same' });
    const second = await rig.push(first.artifactId, {
      'index.html': 'two',
      'new.txt': 'new',
      'same.txt': 'same',
    });
    expect(second).toMatchObject({
      version: 2,
      previousRevision: first.revision,
      changedFiles: ['index.html', 'new.txt', 'old.txt'],
    });
    expect(git(first.artifactId, 'ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'index.html',
      'new.txt',
      'same.txt',
    ]);
    expect(git(first.artifactId, 'rev-parse', 'main^')).toBe(first.revision);
    const third = await rig.push(first.artifactId, {
      'index.html': 'two',
      'new.txt': 'new',
      'same.txt': 'same',
    });
    expect(third).toMatchObject({ version: 2, unchanged: true, revision: second.revision });
    expect(await versionsOf(first.artifactId)).toHaveLength(2);
  });

  it('artifacts 34: refuses a stale base with the paths that changed since', async () => {
    const first = await rig.create({ 'index.html': 'one', 'a.txt': 'a' });
    const second = await rig.push(first.artifactId, { 'index.html': 'two', 'a.txt': 'a' });
    await expect(
      rig.push(first.artifactId, { 'index.html': 'three' }, { baseRevision: first.revision! }),
    ).rejects.toMatchObject({
      code: 'revision_conflict',
      detail: { facts: { currentRevision: second.revision, changedSinceBase: ['index.html'] } },
    });
    expect(await versionsOf(first.artifactId)).toHaveLength(2);
  });

  it('numbers the versions of writers at the same moment without gaps', async () => {
    const { artifactId } = await rig.create();
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => rig.push(artifactId, { 'index.html': text })),
    );
    const versions = await versionsOf(artifactId);
    expect(versions.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(git(artifactId, 'rev-parse', 'main')).toBe(versions.at(-1)!.revision);
    expect(git(artifactId, 'rev-list', '--count', 'main')).toBe('7');
  });

  it('keeps programs, secrets and dependencies out, and says so', async () => {
    const stored = await rig.create({
      'index.html': 'x',
      'deploy.sh': 'rm',
      '.env': 'KEY=1',
      'node_modules/a/b.js': '1',
      'run.txt': '#!/bin/sh\n',
      tool: Buffer.from('\x7fELF\0\0', 'latin1'),
    });
    expect(stored.fileCount).toBe(1);
    expect(Object.fromEntries(stored.skippedFiles.map(({ path, reason }) => [path, reason]))).toEqual({
      'deploy.sh': 'executable',
      '.env': 'may hold secrets',
      'node_modules/a/b.js': 'dependencies',
      'run.txt': 'executable',
      tool: 'executable',
    });
  });

  it.each([
    ['../x', 'has a part ".."'],
    ['/etc/passwd', 'is an absolute path'],
    ['a\\b', 'holds a backslash'],
    ['.GIT/config', 'names the folder of git'],
  ])('artifacts 15: refuses a set with the path %s as a whole', async (path, why) => {
    const before = await testDatabase.database.query('SELECT 1 FROM artifacts.artifact');
    await expect(rig.create({ 'index.html': 'x', [path]: 'y' })).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(why),
    });
    expect(await testDatabase.database.query('SELECT 1 FROM artifacts.artifact')).toHaveLength(before.length);
  });

  it('has no repository and no revision for an asset', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0', 'latin1');
    const stored = await rig.create({ 'logo.png': png }, { artifactType: 'asset', framework: null });
    expect(stored).toMatchObject({ revision: null, entryPath: 'logo.png' });
    const next = await rig.push(stored.artifactId, { 'logo.png': Buffer.concat([png, png]) });
    expect(next).toMatchObject({ version: 2, revision: null });
    expect(await rig.get(GitRepositories).head(stored.artifactId)).toBeNull();
  });

  it('refuses the quota of the project in the last step and stores nothing', async () => {
    const { artifactId } = await rig.create({ 'index.html': 'quota' });
    rig.flags.set('artifacts.project_max_bytes', '10');
    try {
      await expect(rig.push(artifactId, { 'index.html': 'many more bytes than ten' })).rejects.toMatchObject({
        code: 'limit',
      });
    } finally {
      rig.flags.set('artifacts.project_max_bytes', null);
    }
    expect(await versionsOf(artifactId)).toHaveLength(1);
    expect(git(artifactId, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  it('tells others what was stored, once', async () => {
    rig.forget();
    const { artifactId } = await rig.create();
    expect(rig.outbox.events.map(({ type }) => type)).toEqual(['ArtifactCreated', 'ArtifactVersionStored']);
    expect(rig.audit.entries.map(({ operation }) => operation)).toEqual([
      'artifact.created',
      'artifact.version_stored',
    ]);
    expect(rig.live.sent).toEqual([
      { topic: `project:${rig.projectId}:artifacts`, type: 'list', subjectId: artifactId, version: 1 },
    ]);
    const facts = await rig.get(ArtifactDirectory).find(artifactId);
    expect(facts).toMatchObject({ status: 'ready', latestVersion: 1, archived: false });
  });
});
