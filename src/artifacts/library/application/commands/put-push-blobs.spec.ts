import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Actor } from '#libs/kernel/actor.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { RealGitRepositories } from '../../infrastructure/git/real-git-repositories.js';
import { LibraryRig } from '../../testing/library-rig.js';
import type { NamedContent } from '../ports/artifact-blobs.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { CommitPush } from './commit-push.js';
import { PutPushBlob } from './put-push-blob.js';
import { PutPushBlobs } from './put-push-blobs.js';
import { StartPush } from './start-push.js';

const HOUR = 3_600_000;

type Files = Readonly<Record<string, string>>;

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
const named = (content: string, sha256 = hashOf(content)): NamedContent => ({
  sha256,
  content: Buffer.from(content),
});

async function* flowing(contents: readonly NamedContent[], end?: Error): AsyncGenerator<NamedContent> {
  yield* contents;
  if (end) throw end;
}

describe('many files of a push in one request', () => {
  let db: TestDatabase;
  let rig: LibraryRig;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
    rig.get(LibraryHooks).serveWorkerSessions({ isWorkerSession: async (id) => id === 'worker-session' });
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  const start = async (files: Files) => {
    const listed = Object.entries(files).map(([path, content]) => ({
      path,
      sha256: hashOf(content),
      bytes: Buffer.byteLength(content),
    }));
    const input = { projectId: rig.projectId, files: listed };
    return (await rig.get(StartPush).execute(rig.owner, input)).pushId;
  };
  const put = (pushId: string, contents: AsyncIterable<NamedContent>, actor: Actor = rig.owner) =>
    rig.get(PutPushBlobs).execute(actor, { pushId, contents });
  const commit = (pushId: string) => rig.get(CommitPush).execute(rig.owner, { pushId });
  const git = (artifactId: string, ...args: string[]) =>
    execFileSync('git', ['--git-dir', rig.get(RealGitRepositories).pathOf(artifactId), ...args]).toString();

  it('are stored, and make the version that they make one by one', async () => {
    const files = { 'index.html': '<h1>Many</h1>', 'a.css': 'p{}', 'copy.css': 'p{}', 'empty.txt': '' };
    const pushId = await start(files);
    const contents = ['<h1>Many</h1>', 'p{}', ''].map((content) => named(content));
    expect(await put(pushId, flowing(contents))).toEqual({
      taken: expect.arrayContaining(contents.map(({ sha256 }) => sha256)),
      refused: [],
    });
    expect(await commit(pushId)).toMatchObject({ version: 1, unchanged: false });
  });

  it('are refused by name when they are others, and the rest is stored', async () => {
    const pushId = await start({ 'index.html': 'good', 'long.css': 'long', 'wrong.css': 'right' });
    const { taken, refused } = await put(
      pushId,
      flowing([
        named('longer', hashOf('long')),
        named('wrong', hashOf('right')),
        named('of nobody'),
        named('good'),
      ]),
    );
    expect(taken).toEqual([hashOf('good')]);
    const sentence = (path: string) =>
      `These are not the bytes that were announced for ${path}. It may have changed: push again.`;
    expect(refused).toEqual([
      { sha256: hashOf('long'), path: 'long.css', error: 'wrong_bytes', message: sentence('long.css') },
      {
        sha256: hashOf('of nobody'),
        path: null,
        error: 'wrong_bytes',
        message: 'No file of this push has this hash.',
      },
      { sha256: hashOf('right'), path: 'wrong.css', error: 'wrong_bytes', message: sentence('wrong.css') },
    ]);
    await expect(commit(pushId)).rejects.toMatchObject({
      code: 'missing',
      detail: { facts: { missing: [hashOf('long'), hashOf('right')] } },
    });
    await put(pushId, flowing([named('long'), named('right')]));
    expect((await commit(pushId)).version).toBe(1);
  });

  it('stay when the rest is cut off, and may come again, also one by one', async () => {
    const pushId = await start({ 'index.html': 'first', 'b.css': 'second', 'c.css': 'third' });
    const cut = put(pushId, flowing([named('first'), named('second')], new Error('The client has gone.')));
    await expect(cut).rejects.toThrow('The client has gone.');
    await expect(commit(pushId)).rejects.toMatchObject({
      detail: { facts: { missing: [hashOf('third')] } },
    });
    const again = flowing([named('second'), named('third'), named('third')]);
    expect((await put(pushId, again)).refused).toEqual([]);
    await rig.get(PutPushBlob).execute(rig.owner, {
      pushId,
      sha256: hashOf('first'),
      content: Readable.from([Buffer.from('first')]),
    });
    expect((await commit(pushId)).version).toBe(1);
  });

  it('are stored in rounds, so that little waits in memory', async () => {
    const texts = Array.from({ length: 6 }, (_, at) => String(at).repeat(900_000));
    const pushId = await start(
      Object.fromEntries([
        ['index.html', 'x'],
        ...texts.map((text, at) => [`${at}.txt`, text] as [string, string]),
      ]),
    );
    const stored = async () =>
      (await db.database.query('SELECT 1 FROM artifacts.push_blob WHERE push_id = $1', [pushId])).length;
    const seen: number[] = [];
    async function* watched(): AsyncGenerator<NamedContent> {
      for (const text of texts) {
        seen.push(await stored());
        yield named(text);
      }
    }
    expect((await put(pushId, watched())).taken).toHaveLength(6);
    // Two make a round. While it is stored the next one is read, and no further.
    expect(Math.max(...seen.map((count, at) => at - count))).toBeLessThanOrEqual(3);
    expect(await stored()).toBe(6);
  });

  it('come into the repository as they are, but for what a version leaves out', async () => {
    const texts = Array.from({ length: 8 }, () => randomBytes(60_000).toString('base64'));
    const program = `#!/bin/sh\n${texts[0]}`;
    const files = {
      'index.html': 'x',
      ...Object.fromEntries(texts.map((text, at) => [`${at}.txt`, text])),
      'again.txt': texts[0]!,
      program,
    };
    const pushId = await start(files);
    // Some come twice, also in one request.
    await put(pushId, flowing([...texts, program, texts[0]!].map((text) => named(text))));
    await put(pushId, flowing(['x', ...texts.slice(4)].map((text) => named(text))));
    const { artifactId, revision, skippedFiles } = await commit(pushId);
    expect(skippedFiles).toEqual([{ path: 'program', reason: 'executable' }]);
    const repositories = rig.get(GitRepositories);
    const tree = await repositories.tree(artifactId, revision!);
    expect(tree.map(({ path }) => path)).toEqual([
      '0.txt',
      '1.txt',
      '2.txt',
      '3.txt',
      '4.txt',
      '5.txt',
      '6.txt',
      '7.txt',
      'again.txt',
      'index.html',
    ]);
    for (const { path, oid } of tree)
      expect(await text(await repositories.openFile(artifactId, oid))).toBe(
        files[path as keyof typeof files],
      );
    const objects = git(artifactId, 'cat-file', '--batch-all-objects', '--batch-check').trim().split('\n');
    // Nine different contents, one tree, one commit; the program is in none of the packs.
    expect(objects).toHaveLength(11);
    expect(git(artifactId, 'fsck', '--full', '--strict')).toBe('');
  });

  it('are there for a commit that comes again after one that was cut short', async () => {
    const texts = Array.from({ length: 8 }, () => randomBytes(60_000).toString('base64'));
    const files = {
      'index.html': 'x',
      ...Object.fromEntries(texts.map((text, at) => [`${at}.txt`, text])),
    };
    const pushId = await start(files);
    await put(pushId, flowing(['x', ...texts].map((text) => named(text))));
    rig.flags.set('artifacts.project_max_artifacts', '0');
    await expect(commit(pushId)).rejects.toMatchObject({ code: 'limit' });
    rig.flags.set('artifacts.project_max_artifacts', '1000');
    const { artifactId, revision } = await commit(pushId);
    expect(await rig.get(GitRepositories).tree(artifactId, revision!)).toHaveLength(9);
    expect(git(artifactId, 'fsck', '--full', '--strict')).toBe('');
  });

  it('are the same for two who bring them at once', async () => {
    const texts = Array.from({ length: 40 }, (_, at) => `text ${at}`);
    const files = Object.fromEntries([
      ['index.html', 'together'],
      ...texts.map((text, at) => [`${at}.txt`, text] as [string, string]),
    ]);
    const [one, two] = [await start(files), await start(files)];
    const contents = ['together', ...texts].map((text) => named(text));
    await Promise.all([put(one, flowing(contents)), put(two, flowing([...contents].reverse()))]);
    const ends = await Promise.all([commit(one), commit(two)]);
    expect(ends.map(({ version }) => version)).toEqual([1, 1]);
  });

  it('are for the one who began the push, within its hour, and not for workers', async () => {
    const pushId = await start({ 'index.html': 'mine' });
    const contents = () => flowing([named('mine')]);
    await expect(put(pushId, contents(), rig.member)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(put(rig.ids.next(), contents())).rejects.toMatchObject({ kind: 'not-found' });
    const worker: Actor = {
      ...rig.connection(rig.owner.personId, rig.projectId),
      agentSessionId: 'worker-session',
    };
    await expect(put(pushId, contents(), worker)).rejects.toMatchObject({ kind: 'forbidden' });
    rig.clock.advance(HOUR);
    await expect(put(pushId, contents())).rejects.toMatchObject({ code: 'expired' });
  });
});
