import { Readable } from 'node:stream';
import type { DomainError } from '#libs/kernel/errors.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { type MadeEntry, makeZip } from '../../../../../test/support/zip-maker.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { ArtifactBlobs } from '../ports/artifact-blobs.js';
import { ArtifactDirectory } from '../ports/artifact-directory.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { VersionStore } from '../ports/version-store.js';
import { CreateArtifact, type CreateArtifactInput } from './create-artifact.js';
import { ReceiveUpload } from './receive-upload.js';
import { ReserveUpload } from './reserve-upload.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MINUTE = 60_000;
const INDEX = { 'index.html': '<h1>Hello</h1>' };

describe('creating artifacts of own code', () => {
  let db: TestDatabase;
  let rig: LibraryRig;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  const create = (input: Omit<CreateArtifactInput, 'projectId'>, actor = rig.agent) =>
    rig.get(CreateArtifact).execute(actor, { ...input, projectId: rig.projectId });

  async function count(): Promise<number> {
    const row = await db.database.one<{ n: number }>('SELECT count(*) AS n FROM artifacts.artifact');
    return row!.n;
  }

  async function refusalOf(
    input: Omit<CreateArtifactInput, 'projectId'>,
    actor = rig.agent,
  ): Promise<DomainError> {
    const before = await count();
    const error = await create(input, actor).then(
      () => new Error('It was accepted.'),
      (refusal: DomainError) => refusal,
    );
    expect(await count()).toBe(before);
    return error as DomainError;
  }

  async function upload(content: Buffer, purpose = 'source', actor = rig.agent): Promise<string> {
    const reserved = await rig.get(ReserveUpload).execute(actor, { projectId: rig.projectId, purpose });
    await put(reserved.uploadUrl, content);
    return reserved.zipUploadId;
  }

  function put(uploadUrl: string, content: Buffer) {
    const [uploadId, secret] = new URL(uploadUrl).pathname.split('/').slice(2);
    return rig.get(ReceiveUpload).execute({
      uploadId: uploadId!,
      secret: secret!,
      announcedBytes: content.length,
      content: Readable.from([content]),
    });
  }

  const zipOf = (files: Readonly<Record<string, string | Buffer>>): Buffer =>
    makeZip({ entries: Object.entries(files).map(([name, content]): MadeEntry => ({ name, content })) });

  async function pathsOf(artifactId: string): Promise<string[]> {
    const version = await rig.get(ArtifactDirectory).version(artifactId, 1);
    return (await rig.get(ArtifactDirectory).files(version!.versionId)).map(({ path }) => path);
  }

  it('artifacts 16: import returns revision, git fields and addresses, and the revision is a base', async () => {
    const made = await create({ type: 'import', name: ' Checkout ', files: INDEX });
    expect(made).toEqual({
      success: true,
      status: 'ready',
      sessionId: made.artifactId,
      artifactId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      revision: expect.stringMatching(/^[0-9a-f]{40}$/),
      name: 'Checkout',
      artifactType: 'app',
      framework: 'html',
      artifactUrl: `https://loupe.example/projects/${rig.projectId}/artifacts/${made.artifactId}`,
      playgroundUrl: expect.stringContaining('/playground'),
      previewUrl: `https://loupe.example/artifacts/${made.artifactId}/preview`,
      gitRemoteUrl: expect.stringMatching(/^https:\/\/x-token:lpg_[\w-]{43}@loupe\.example\/git\/.*\.git$/),
      access: 'rw',
      expiresAt: expect.any(Date),
      fileCount: 1,
      skippedFiles: [],
      notes: [],
      nextSteps: expect.arrayContaining([expect.stringContaining('previewUrl')]),
    });
    const stored = await rig.get(VersionStore).store({
      target: { artifactId: made.artifactId },
      files: await rig.files({ 'index.html': 'edited' }),
      notes: 'Edit',
      source: 'edit',
      maker: { kind: 'agent', personId: null },
      actor: rig.agent,
      baseRevision: made.revision!,
    });
    expect(stored.version).toBe(2);
  });

  it('empty commits a README that says how to go on, and counts no files', async () => {
    const made = await create({ type: 'empty', framework: 'react', name: 'Fresh' });
    expect(made).toMatchObject({ framework: 'react', version: 1 });
    expect(made).not.toHaveProperty('fileCount');
    expect(await pathsOf(made.artifactId)).toEqual(['README.md']);
    const document = await create({ type: 'empty', artifactType: 'markdown' });
    expect(document).toMatchObject({ name: 'Untitled project', framework: null });
    expect(document).not.toHaveProperty('playgroundUrl');
  });

  it.each<[Omit<CreateArtifactInput, 'projectId'>, string, string]>([
    [{ type: 'import' }, 'files', 'needs files, or a zipUploadId'],
    [{ type: 'import', files: INDEX, zipUploadId: 'x' }, 'files', 'not both'],
    [{ type: 'empty' }, 'framework', 'framework is required for type empty'],
    [{ type: 'empty', framework: 'vue' }, 'framework', 'must be html or react'],
    [{ type: 'empty', framework: 'html', files: INDEX }, 'files', 'only valid for type import'],
    [{ type: 'empty', framework: 'html', prompt: 'x' }, 'prompt', 'prompt is only valid for type p2c.'],
    [{ type: 'import', files: INDEX, url: 'https://x.example' }, 'url', 'only valid for type l2c'],
    [{ type: 'import', files: INDEX, nodesId: ['1:2'] }, 'nodesId', 'only valid for type f2c'],
    [{ type: 'import', files: { 'index.html': 4 } }, 'files', 'must be a text'],
    [{ type: 'import', files: {} }, 'files', 'at least one file'],
    [
      { type: 'import', files: { ...INDEX, '../x': 'x' } },
      'files',
      'files: The path "../x" has a part "..".',
    ],
    [{ type: 'app' }, 'type', 'type must be empty, import, p2c, l2c or f2c.'],
    [{ type: 'import', files: INDEX, name: 'x'.repeat(121) }, 'name', 'at most 120'],
    [{ type: 'import', files: INDEX, artifactType: 'video' }, 'artifactType', 'app, markdown or asset'],
    [{ type: 'import', files: INDEX, workspaceId: 'nope' }, 'workspaceId', 'no workspace of this project'],
    [
      { type: 'import', files: { 'a.md': '# A' }, artifactType: 'markdown', framework: 'html' },
      'framework',
      'framework does not apply to artifactType markdown.',
    ],
  ])(
    'artifacts 17: refuses %j, naming the argument, and makes nothing',
    async (input, argument, sentence) => {
      const error = await refusalOf(input);
      expect(error).toMatchObject({ kind: 'invalid', problems: [expect.objectContaining({ argument })] });
      expect(error.message).toContain(sentence);
    },
  );

  it('names all wrong arguments at once', async () => {
    const error = await refusalOf({ type: 'empty', prompt: 'x', url: 'y', name: 'a\nb' });
    expect(
      (error as unknown as { problems: { argument: string }[] }).problems.map((p) => p.argument),
    ).toEqual(['prompt', 'url', 'name', 'framework']);
  });

  it('artifacts 18: refuses 140 KB inline and names the zip, and takes 90 KB', async () => {
    const error = await refusalOf({
      type: 'import',
      files: { ...INDEX, 'big.css': 'x'.repeat(140_212 - INDEX['index.html'].length) },
    });
    expect(error).toMatchObject({ code: 'limit', detail: { argument: 'files' } });
    expect(error.message).toBe(
      'files holds 140212 bytes of text; the limit is 131072. Send a zip: call artifact_get_zip_upload_url.',
    );
    const made = await create({ type: 'import', files: { ...INDEX, 'big.css': 'é'.repeat(45_000) } });
    expect(made.fileCount).toBe(2);
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`${n}.html`, '']));
    expect((await refusalOf({ type: 'import', files: many })).message).toContain(
      'files holds 1001 entries; the limit is 1000.',
    );
  });

  it('artifacts 19: takes Markdown as markdown with a preview of the document, not as app', async () => {
    const files = { 'notes.md': `# Notes\n${'é'.repeat(5_000)}` };
    expect((await refusalOf({ type: 'import', files })).message).toContain(
      'artifactType app needs an index.html among your files. For a document pass artifactType markdown.',
    );
    const made = await create({ type: 'import', artifactType: 'markdown', files });
    expect(made).toMatchObject({ framework: null, documentPreviewTruncated: true });
    expect([...made.documentPreview!]).toHaveLength(4_000);
    const short = await create({
      type: 'import',
      artifactType: 'markdown',
      files: { 'README.md': '# Read', 'z.md': 'z' },
    });
    expect(short).toMatchObject({ documentPreview: '# Read', documentPreviewTruncated: false });
    expect((await refusalOf({ type: 'import', artifactType: 'markdown', files: INDEX })).message).toContain(
      'at least one .md file',
    );
  });

  it('artifacts 20: takes an asset from an upload for assets alone, packed or as it is', async () => {
    const refused = 'artifactType asset needs a zipUploadId reserved with purpose "asset".';
    const asset = { type: 'import', artifactType: 'asset' } as const;
    expect((await refusalOf({ ...asset, files: INDEX })).message).toContain(refused);
    expect((await refusalOf({ ...asset })).message).toContain(refused);
    const source = await upload(zipOf({ 'a.png': PNG }));
    const wrong = await refusalOf({ ...asset, zipUploadId: source });
    expect(wrong.message).toContain(refused);
    expect(wrong).toMatchObject({ problems: [{ argument: 'zipUploadId' }] });

    const packed = await create({
      ...asset,
      zipUploadId: await upload(zipOf({ 'pics/a.png': PNG }), 'asset'),
    });
    expect(packed).toMatchObject({ revision: null, artifactType: 'asset', framework: null });
    for (const absent of ['gitRemoteUrl', 'previewUrl', 'playgroundUrl'])
      expect(packed).not.toHaveProperty(absent);
    expect(await pathsOf(packed.artifactId)).toEqual(['a.png']);

    const raw = await create({ ...asset, zipUploadId: await upload(PNG, 'asset') });
    expect(await pathsOf(raw.artifactId)).toEqual(['image.png']);
    const svg = await create({
      ...asset,
      zipUploadId: await upload(Buffer.from('<svg xmlns="x"/>'), 'asset'),
    });
    expect(await pathsOf(svg.artifactId)).toEqual(['image.svg']);

    for (const bad of [
      zipOf({ 'a.png': PNG, 'b.png': PNG }),
      zipOf({ 'a.txt': 'x' }),
      Buffer.from('plain text'),
    ]) {
      expect((await refusalOf({ ...asset, zipUploadId: await upload(bad, 'asset') })).message).toContain(
        'exactly one image',
      );
    }
    const forAssets = await upload(zipOf(INDEX), 'asset');
    expect((await refusalOf({ type: 'import', zipUploadId: forAssets })).message).toContain(
      'zipUploadId was reserved with purpose "asset"',
    );
  });

  it('artifacts 21: imports a zip with binaries and lists what it left out', async () => {
    const font = Buffer.from('774f4632000100000000', 'hex');
    const made = await create({
      type: 'import',
      zipUploadId: await upload(
        zipOf({
          'site/index.html': '<p>Hi</p>',
          'site/fonts/a.woff2': font,
          'site/deploy.sh': 'echo',
          'site/tool': '#!/bin/sh\necho',
          'site/node_modules/x/index.js': 'x',
          'site/.env': 'SECRET=1',
        }),
      ),
    });
    expect(await pathsOf(made.artifactId)).toEqual(['fonts/a.woff2', 'index.html']);
    expect(made.fileCount).toBe(2);
    expect(made.skippedFiles!.map(({ path }) => path).sort()).toEqual([
      '.env',
      'deploy.sh',
      'node_modules/x/index.js',
      'tool',
    ]);
  });

  it.each<[string, Buffer, string]>([
    ['a path that climbs out', zipOf({ ...INDEX, '../x.html': 'x' }), '"../x.html"'],
    ['an absolute path', zipOf({ ...INDEX, '/etc/x': 'x' }), '"/etc/x"'],
    [
      'a symbolic link',
      makeZip({ entries: [{ name: 'l', content: '/etc/passwd', mode: 0o120777 }] }),
      'a symbolic link',
    ],
    ['an encrypted entry', makeZip({ entries: [{ name: 'e', content: 'x', flags: 1 }] }), 'encrypted'],
    [
      '3,000 entries',
      makeZip({ entries: Array.from({ length: 3_000 }, (_, n) => ({ name: `${n}` })) }),
      '3000 entries',
    ],
    ['no zip at all', Buffer.from('hello'), 'no complete zip'],
  ])(
    'artifacts 22: refuses a zip with %s, makes nothing, and keeps the upload',
    async (_what, zip, sentence) => {
      const zipUploadId = await upload(zip);
      const error = await refusalOf({ type: 'import', zipUploadId });
      expect(error).toMatchObject({ kind: 'invalid', detail: { argument: 'zipUploadId' } });
      expect(error.message).toContain(sentence);
      expect(await stateOf(zipUploadId)).toBe('uploaded');
    },
  );

  it('refuses a file in a zip that is over the limit of one file', async () => {
    rig.flags.set('artifacts.file_max_bytes', '1000');
    const error = await refusalOf({
      type: 'import',
      zipUploadId: await upload(zipOf({ ...INDEX, 'big.txt': 'x'.repeat(1_001) })),
    }).finally(() => rig.flags.set('artifacts.file_max_bytes', null));
    expect(error).toMatchObject({ code: 'limit' });
    expect(error.message).toBe('big.txt holds more than 1000 bytes, the limit of one file.');
  });

  it('artifacts 23: an upload is used once, runs out 30 minutes after its last bytes, and is of one person', async () => {
    const used = await upload(zipOf(INDEX));
    const made = await create({ type: 'import', zipUploadId: used });
    const again = await refusalOf({ type: 'import', zipUploadId: used });
    expect(again.message).toBe(`zipUploadId was already used for artifact ${made.artifactId}.`);

    const reserved = await rig.get(ReserveUpload).execute(rig.agent, { projectId: rig.projectId });
    expect((await refusalOf({ type: 'import', zipUploadId: reserved.zipUploadId })).message).toContain(
      'no bytes yet',
    );
    await put(reserved.uploadUrl, zipOf({ 'x.txt': 'replaced' }));
    rig.clock.advance(29 * MINUTE);
    await put(reserved.uploadUrl, zipOf(INDEX));
    rig.clock.advance(29 * MINUTE);
    expect(
      (
        await refusalOf(
          { type: 'import', zipUploadId: reserved.zipUploadId },
          rig.connection(rig.member.personId, rig.projectId),
        )
      ).message,
    ).toBe('zipUploadId not found or not accessible.');
    expect((await create({ type: 'import', zipUploadId: reserved.zipUploadId })).version).toBe(1);

    const late = await upload(zipOf(INDEX));
    rig.clock.advance(31 * MINUTE);
    expect((await refusalOf({ type: 'import', zipUploadId: late })).message).toContain(
      'zipUploadId has expired',
    );
  });

  it('gives one of two creates at once the upload, and removes its bytes', async () => {
    const zipUploadId = await upload(zipOf(INDEX));
    const key = (await db.database.one<{ blob_key: string }>(
      'SELECT blob_key FROM artifacts.upload WHERE id = $1',
      [zipUploadId],
    ))!.blob_key;
    const before = await count();
    const ends = await Promise.allSettled([
      create({ type: 'import', zipUploadId }),
      create({ type: 'import', zipUploadId }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = ends.find((end) => end.status === 'rejected') as PromiseRejectedResult;
    expect(lost.reason.message).toMatch(/already used for artifact/);
    expect(await count()).toBe(before + 1);
    expect(await rig.get(BlobStore).exists(key)).toBe(false);
  });

  it('tells React by package.json, and says when it cannot read it', async () => {
    const react = await create({
      type: 'import',
      files: {
        'public/index.html': '<div id="root"></div>',
        'package.json': '{"dependencies":{"react":"19"}}',
      },
    });
    expect(react).toMatchObject({ framework: 'react', notes: [] });
    const broken = await create({ type: 'import', files: { ...INDEX, 'package.json': '{oops' } });
    expect(broken).toMatchObject({ framework: 'html', notes: [expect.stringContaining('package.json')] });
    const listed = await create({ type: 'import', files: { ...INDEX, 'package.json': '["react"]' } });
    expect(listed).toMatchObject({ framework: 'html' });
  });

  it('leaves the git fields out and says why when git access is off', async () => {
    rig.flags.set('artifacts.git.enabled', 'false');
    const made = await create({ type: 'import', files: INDEX }).finally(() =>
      rig.flags.set('artifacts.git.enabled', null),
    );
    for (const absent of ['gitRemoteUrl', 'access', 'expiresAt']) expect(made).not.toHaveProperty(absent);
    expect(made.nextSteps.join(' ')).toContain('Git access to artifacts is switched off on this instance.');
    expect(made.nextSteps.join(' ')).toContain('artifact_get_git_token');
  });

  it('refuses unsafe paths among inline files as everywhere', async () => {
    for (const path of ['../x.html', '/x.html', 'a\\b.html', 'C:/x.html', 'CON.html', 'a/./b']) {
      const error = await refusalOf({ type: 'import', files: { ...INDEX, [path]: 'x' } });
      expect(error).toMatchObject({ kind: 'invalid' });
      expect(error.message).toContain(JSON.stringify(path));
    }
    const legal = await create({ type: 'import', files: { ...INDEX, '..name.txt': 'x' } });
    expect(legal.fileCount).toBe(2);
  });

  it('artifacts 14: refuses a worker session, and keeps a record of it', async () => {
    rig.get(LibraryHooks).serveWorkerSessions({ isWorkerSession: async (id) => id === 'worker' });
    rig.forget();
    const worker = { ...rig.agent, agentSessionId: 'worker' };
    expect((await refusalOf({ type: 'import', files: INDEX }, worker)).message).toBe(
      'A worker session reads artifacts and does not store them. A person stores a version with loupe artifact push.',
    );
    await expect(rig.get(ReserveUpload).execute(worker, { projectId: rig.projectId })).rejects.toMatchObject({
      code: 'worker_session',
    });
    expect(rig.audit.entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['artifact.created', 'refused'],
      ['artifact.upload_reserved', 'refused'],
    ]);
  });

  it('is for those who may contribute', async () => {
    expect(
      await refusalOf({ type: 'import', files: INDEX }, rig.connection(rig.viewer.personId, rig.projectId)),
    ).toMatchObject({
      kind: 'forbidden',
    });
    expect(
      await refusalOf({ type: 'import', files: INDEX }, rig.connection(rig.stranger.personId, rig.projectId)),
    ).toMatchObject({
      kind: 'not-found',
    });
  });

  it('refuses an upload whose bytes are too many, that ran out, was used, or has another secret', async () => {
    const { uploadUrl, zipUploadId, maxBytes } = await rig
      .get(ReserveUpload)
      .execute(rig.agent, { projectId: rig.projectId });
    expect(maxBytes).toBe(52_428_800);
    const rows = await db.database.query('SELECT * FROM artifacts.upload WHERE id = $1', [zipUploadId]);
    expect(JSON.stringify(rows)).not.toContain(new URL(uploadUrl).pathname.split('/')[3]);
    rig.flags.set('artifacts.zip_max_bytes', '100');
    try {
      await expect(put(uploadUrl, Buffer.alloc(101))).rejects.toMatchObject({ kind: 'too-large' });
      const [uploadId, secret] = new URL(uploadUrl).pathname.split('/').slice(2);
      await expect(
        rig.get(ReceiveUpload).execute({
          uploadId: uploadId!,
          secret: secret!,
          announcedBytes: null,
          content: Readable.from([Buffer.alloc(60), Buffer.alloc(60)]),
        }),
      ).rejects.toMatchObject({ kind: 'too-large' });
    } finally {
      rig.flags.set('artifacts.zip_max_bytes', null);
    }
    expect(await stateOf(zipUploadId)).toBe('reserved');
    await expect(put(uploadUrl.slice(0, -1), PNG)).rejects.toMatchObject({ kind: 'not-found' });
    await put(uploadUrl, zipOf(INDEX));
    await create({ type: 'import', zipUploadId });
    await expect(put(uploadUrl, PNG)).rejects.toMatchObject({ code: 'consumed' });
    const late = await rig.get(ReserveUpload).execute(rig.agent, { projectId: rig.projectId });
    rig.clock.advance(30 * MINUTE);
    await expect(put(late.uploadUrl, PNG)).rejects.toMatchObject({ code: 'expired' });
    await expect(
      rig.get(ReserveUpload).execute(rig.agent, { projectId: rig.projectId, purpose: 'other' }),
    ).rejects.toThrow('purpose must be source or asset');
  });

  it('keeps the bytes of a zip as they were', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const made = await create({
      type: 'import',
      zipUploadId: await upload(zipOf({ ...INDEX, 'all.bin': bytes })),
    });
    const version = await rig.get(ArtifactDirectory).version(made.artifactId, 1);
    const file = await rig.get(ArtifactDirectory).file(version!.versionId, 'all.bin');
    expect((await rig.get(ArtifactBlobs).read(file!.sha256, 1_000)).equals(bytes)).toBe(true);
  });

  async function stateOf(uploadId: string): Promise<string> {
    const row = await db.database.one<{ state: string }>('SELECT state FROM artifacts.upload WHERE id = $1', [
      uploadId,
    ]);
    return row!.state;
  }
});
