import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Actor } from '#libs/kernel/actor.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { CommitPush } from './commit-push.js';
import { PutPushBlob } from './put-push-blob.js';
import { StartPush, type StartPushInput } from './start-push.js';

const HOUR = 3_600_000;
const WORKER_SENTENCE =
  'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.';

type Files = Readonly<Record<string, string>>;

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');

describe('pushing folders', () => {
  let db: TestDatabase;
  let rig: LibraryRig;
  const cards = new Map<number, { cardId: string; number: number; title: string }>();

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
    for (const number of [7, 8])
      cards.set(number, { cardId: rig.ids.next(), number, title: `Card ${number}` });
    rig.get(LibraryHooks).serveCardFacts({
      byIds: async (_projectId, ids) =>
        new Map(
          [...cards.values()].filter((card) => ids.includes(card.cardId)).map((card) => [card.cardId, card]),
        ),
      byNumbers: async (_projectId, numbers) =>
        new Map(
          numbers.flatMap((number) => (cards.has(number) ? [[number, cards.get(number)!] as const] : [])),
        ),
    });
    rig.get(LibraryHooks).serveWorkerSessions({ isWorkerSession: async (id) => id === 'worker-session' });
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  const manifest = (files: Files) =>
    Object.entries(files).map(([path, content]) => ({
      path,
      sha256: hashOf(content),
      bytes: Buffer.byteLength(content),
    }));

  const start = (files: Files, more: Partial<StartPushInput> = {}, actor: Actor = rig.owner) =>
    rig.get(StartPush).execute(actor, { projectId: rig.projectId, files: manifest(files), ...more });

  const put = (pushId: string, content: string, sha256 = hashOf(content), actor: Actor = rig.owner) =>
    rig.get(PutPushBlob).execute(actor, { pushId, sha256, content: Readable.from([Buffer.from(content)]) });

  const commit = (pushId: string, actor: Actor = rig.owner) => rig.get(CommitPush).execute(actor, { pushId });

  async function push(files: Files, more: Partial<StartPushInput> = {}, actor: Actor = rig.owner) {
    const { pushId, missing } = await start(files, more, actor);
    for (const content of new Set(Object.values(files)))
      if (missing.includes(hashOf(content))) await put(pushId, content, undefined, actor);
    return { ...(await commit(pushId, actor)), missing: missing.length, pushId };
  }

  async function versions(artifactId: string): Promise<number> {
    const row = await db.database.one<{ n: number }>(
      'SELECT count(*) AS n FROM artifacts.version WHERE artifact_id = $1',
      [artifactId],
    );
    return row!.n;
  }

  it('artifacts 12: makes version 1, says unchanged, and then asks for the one changed file', async () => {
    const files = { 'index.html': '<h1>Shop</h1>', 'a.css': 'p{}', 'b.css': 'p{}' };
    const first = await push(files, { name: 'Shop', notes: 'Tighter' });
    expect(first).toMatchObject({
      version: 1,
      unchanged: false,
      missing: 2,
      revision: expect.stringMatching(/^[0-9a-f]{40}$/),
      url: `https://loupe.example/projects/${rig.projectId}/artifacts/${first.artifactId}`,
      previewUrl: `https://loupe.example/artifacts/${first.artifactId}/preview`,
      skippedFiles: [],
    });
    const { artifactId } = first;
    expect(await push(files, { artifactId })).toMatchObject({ version: 1, unchanged: true, missing: 0 });
    expect(await versions(artifactId)).toBe(1);
    const second = await push({ ...files, 'index.html': '<h1>Shop 2</h1>' }, { artifactId });
    expect(second).toMatchObject({ version: 2, unchanged: false, missing: 1 });
    expect((await rig.get(ArtifactDirectory).find(artifactId))!).toMatchObject({
      name: 'Shop',
      origin: 'push',
    });
  });

  it('artifacts 14: refuses a worker session at every step', async () => {
    const worker: Actor = {
      ...rig.connection(rig.owner.personId, rig.projectId),
      agentSessionId: 'worker-session',
    };
    const refusal = { kind: 'forbidden', message: WORKER_SENTENCE };
    await expect(start({ 'index.html': 'x' }, {}, worker)).rejects.toMatchObject(refusal);
    const { pushId } = await start({ 'index.html': 'worker' });
    await expect(put(pushId, 'worker', undefined, worker)).rejects.toMatchObject(refusal);
    await expect(commit(pushId, worker)).rejects.toMatchObject(refusal);
  });

  it.each<[string, Files]>([
    ['a path that climbs out', { 'index.html': 'x', '../x.html': 'y' }],
    ['names that differ in case', { 'index.html': 'x', 'Index.html': 'y' }],
    ['an absolute path', { 'index.html': 'x', '/etc/x': 'y' }],
    ['a file that is a folder too', { 'index.html': 'x', 'index.html/a': 'y' }],
  ])('artifacts 15: refuses %s, naming it, and stores nothing', async (_what, files) => {
    const before = await db.database.query('SELECT id FROM artifacts.push');
    await expect(start(files)).rejects.toMatchObject({ kind: 'invalid', code: 'unsafe_path' });
    expect(await db.database.query('SELECT id FROM artifacts.push')).toHaveLength(before.length);
  });

  it('tells the type by the files, and refuses a folder with nothing to show', async () => {
    const document = await push({ 'README.md': '# Hi', 'a.css': 'x' });
    expect(await rig.get(ArtifactDirectory).find(document.artifactId)).toMatchObject({
      artifactType: 'markdown',
    });
    const app = await push({ 'page.html': 'x', 'README.md': '# Hi' }, { entryPath: 'page.html' });
    expect(await rig.get(ArtifactDirectory).find(app.artifactId)).toMatchObject({
      artifactType: 'app',
      framework: 'html',
      latestEntryPath: 'page.html',
    });
    const react = await push({ 'index.html': 'x', 'package.json': '{"dependencies":{"react":"1"}}' });
    expect(await rig.get(ArtifactDirectory).find(react.artifactId)).toMatchObject({ framework: 'react' });
    await expect(start({ 'a.css': 'x' })).rejects.toThrow(
      'Nothing to show: the folder holds no .html and no .md file.',
    );
    await expect(start({ 'index.html': 'x' }, { entryPath: 'other.html' })).rejects.toThrow(
      'is none of the files',
    );
  });

  it('leaves out what is not stored, and does not ask for its bytes when the name tells', async () => {
    const files = { 'index.html': 'kept', '.env': 'SECRET', 'run.sh': 'rm', tool: '#!/bin/sh\n' };
    const { pushId, missing } = await start(files);
    expect([...missing].sort()).toEqual([hashOf('kept'), hashOf('#!/bin/sh\n')].sort());
    await put(pushId, 'kept');
    await put(pushId, '#!/bin/sh\n');
    const { skippedFiles } = await commit(pushId);
    expect(skippedFiles.map(({ path }) => path).sort()).toEqual(['.env', 'run.sh', 'tool']);
  });

  it('tells nothing about what other projects hold', async () => {
    const secret = 'a text that another project holds';
    await push({ 'index.html': secret }, { projectId: rig.otherProjectId }, rig.stranger);
    const { pushId, missing } = await start({ 'index.html': secret });
    expect(missing).toEqual([hashOf(secret)]);
    await expect(commit(pushId)).rejects.toMatchObject({
      code: 'missing',
      detail: { facts: { missing: [hashOf(secret)] } },
    });
    expect((await push({ 'index.html': secret })).version).toBe(1);
  });

  it('takes only the bytes that were announced', async () => {
    const { pushId } = await start({ 'index.html': 'right' });
    await expect(put(pushId, 'wrong', hashOf('right'))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(put(pushId, 'right and more', hashOf('right'))).rejects.toMatchObject({ kind: 'invalid' });
    await expect(put(pushId, 'other')).rejects.toThrow('No file of this push has this hash.');
    await expect(commit(pushId)).rejects.toMatchObject({ code: 'missing' });
    await put(pushId, 'right');
    await put(pushId, 'right');
    expect((await commit(pushId)).version).toBe(1);
  });

  it('answers a repeated commit with the same, one after another and at once', async () => {
    const { pushId } = await start({ 'index.html': 'once' });
    await put(pushId, 'once');
    const [one, two] = await Promise.all([commit(pushId), commit(pushId)]);
    expect(two).toEqual(one);
    expect(await commit(pushId)).toEqual(one);
    expect(await versions(one.artifactId)).toBe(1);
    rig.clock.advance(2 * HOUR);
    expect(await commit(pushId)).toEqual(one);
    // The repository of the answer is whole, and no other was left behind.
    expect((await push({ 'index.html': 'twice' }, { artifactId: one.artifactId })).version).toBe(2);
    const made = await db.database.query('SELECT id FROM artifacts.artifact WHERE id = $1', [one.artifactId]);
    expect(made).toHaveLength(1);
  });

  it('makes two versions of two pushes at once', async () => {
    const { artifactId } = await push({ 'index.html': 'base' });
    const ends = await Promise.all([
      push({ 'index.html': 'left' }, { artifactId }),
      push({ 'index.html': 'right' }, { artifactId }),
    ]);
    expect(ends.map(({ version }) => version).sort()).toEqual([2, 3]);
    expect(ends.every(({ unchanged }) => !unchanged)).toBe(true);
  });

  it('runs out after an hour, and is of the one who began it', async () => {
    const { pushId, expiresAt } = await start({ 'index.html': 'late' });
    expect(expiresAt.getTime()).toBe(rig.clock.now().getTime() + HOUR);
    await expect(put(pushId, 'late', undefined, rig.member)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(commit(rig.ids.next())).rejects.toMatchObject({ kind: 'not-found' });
    await expect(commit('x')).rejects.toMatchObject({ kind: 'not-found' });
    rig.clock.advance(HOUR);
    await expect(put(pushId, 'late')).rejects.toMatchObject({ code: 'expired' });
    await expect(commit(pushId)).rejects.toMatchObject({ code: 'expired' });
  });

  it('refuses an archived artifact, also when it was archived while the push was open', async () => {
    const { artifactId } = await push({ 'index.html': 'archived' });
    const { pushId } = await start({ 'index.html': 'archived 2' }, { artifactId });
    await put(pushId, 'archived 2');
    await db.database.query('UPDATE artifacts.artifact SET archived_at = now() WHERE id = $1', [artifactId]);
    const refusal = { code: 'archived', message: 'Artifact is archived. Call artifact_unarchive first.' };
    await expect(commit(pushId)).rejects.toMatchObject(refusal);
    await expect(start({ 'index.html': 'archived 3' }, { artifactId })).rejects.toMatchObject(refusal);
    expect(await versions(artifactId)).toBe(1);
  });

  it('refuses what goes over a limit, before bytes are sent where the manifest tells', async () => {
    const cases: [string, string, Files, string][] = [
      [
        'artifacts.file_max_bytes',
        '4',
        { 'index.html': '12345' },
        'index.html holds 5 bytes; the limit of one file is 4.',
      ],
      ['artifacts.version_max_bytes', '6', { 'index.html': '1234', 'b.css': '567' }, 'hold 7 bytes together'],
      [
        'artifacts.version_max_files',
        '1',
        { 'index.html': 'x', 'b.css': 'y' },
        'has 2 files; the limit is 1',
      ],
    ];
    for (const [flag, value, files, sentence] of cases) {
      rig.flags.set(flag, value);
      const end = start(files);
      await expect(end).rejects.toMatchObject({ kind: 'conflict', code: 'limit' });
      await expect(end).rejects.toThrow(sentence);
      rig.flags.set(flag, null);
    }
  });

  it('stores nothing when the quota of the project is reached in the last step', async () => {
    rig.flags.set('artifacts.project_max_bytes', '1');
    const { pushId } = await start({ 'index.html': 'over the quota' });
    await put(pushId, 'over the quota');
    const before = (await db.database.query('SELECT id FROM artifacts.artifact')).length;
    await expect(commit(pushId)).rejects.toMatchObject({ code: 'limit' });
    expect(await db.database.query('SELECT id FROM artifacts.artifact')).toHaveLength(before);
    rig.flags.set('artifacts.project_max_bytes', null);
    expect((await commit(pushId)).version).toBe(1);
  });

  it('links cards beside those that are linked, also when nothing else changed', async () => {
    const { artifactId } = await push({ 'index.html': 'cards' }, { cardNumbers: [7] });
    rig.forget();
    expect(await push({ 'index.html': 'cards' }, { artifactId, cardNumbers: [8, 7] })).toMatchObject({
      unchanged: true,
    });
    const links = await db.database.query<{ card_id: string }>(
      'SELECT card_id FROM artifacts.card_link WHERE artifact_id = $1 ORDER BY position',
      [artifactId],
    );
    expect(links.map((link) => link.card_id)).toEqual([cards.get(7)!.cardId, cards.get(8)!.cardId]);
    expect(rig.outbox.events).toEqual([
      expect.objectContaining({
        type: 'ArtifactCardsChanged',
        aggregateId: artifactId,
        payload: expect.objectContaining({ added: [cards.get(8)!.cardId] }),
      }),
    ]);
    await expect(start({ 'index.html': 'x' }, { cardNumbers: [7, 99] })).rejects.toThrow(
      'cardNumbers[1] names no card of this project.',
    );
  });

  it('puts a new artifact into a workspace by id or name, and refuses an unknown one', async () => {
    const { artifactId } = await push({ 'index.html': 'shelf' }, { workspaceId: 'general' });
    expect(await rig.get(ArtifactDirectory).find(artifactId)).toMatchObject({
      workspaceId: await rig.chosen(),
    });
    await expect(start({ 'index.html': 'x' }, { workspaceId: 'Nowhere' })).rejects.toThrow(
      'names no workspace of this project',
    );
  });

  it('is for those who may contribute, to artifacts of the project', async () => {
    await expect(start({ 'index.html': 'x' }, {}, rig.viewer)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(start({ 'index.html': 'x' }, {}, rig.stranger)).rejects.toMatchObject({ kind: 'not-found' });
    const foreign = await rig.create(undefined, { projectId: rig.otherProjectId }, rig.stranger);
    await expect(start({ 'index.html': 'x' }, { artifactId: foreign.artifactId })).rejects.toThrow(
      'Artifact not found or not accessible.',
    );
  });

  it('lists every wrong part of a manifest', async () => {
    const end = rig.get(StartPush).execute(rig.owner, {
      projectId: rig.projectId,
      files: [{ path: 'index.html', sha256: 'ABC', bytes: -1 }],
      notes: 'x'.repeat(2_001),
    });
    await expect(end).rejects.toMatchObject({
      problems: [
        { argument: 'files[0].sha256', sentence: expect.any(String) },
        { argument: 'files[0].bytes', sentence: expect.any(String) },
        { argument: 'notes', sentence: expect.any(String) },
      ],
    });
  });
});
