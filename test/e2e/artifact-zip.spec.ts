import { constants, deflateRawSync } from 'node:zlib';
import { ArtifactStage } from '../support/artifact-stage.js';
import { until } from '../support/until.js';
import { type MadeEntry, makeZip } from '../support/zip-maker.js';

const MEBIBYTE = 1024 * 1024;
const INDEX = { name: 'index.html', content: '<h1>Zip</h1>' };

interface Reserved {
  readonly zipUploadId: string;
  readonly uploadUrl: string;
  readonly maxBytes: number;
}

/** Own code over MCP and by upload, against the built server (`artifacts.md` 15, scenarios 16 to 23 and 25). */
describe('creating artifacts, from outside', () => {
  let stage: ArtifactStage;
  let token: string;

  beforeAll(async () => {
    stage = await ArtifactStage.start();
    token = (await stage.token(['mcp'])).token;
  }, 120_000);

  afterAll(() => stage?.stop());

  async function reserve(purpose = 'source'): Promise<Reserved> {
    const { data } = await stage.tool(token, 'artifact_get_zip_upload_url', { purpose });
    return data as unknown as Reserved;
  }

  const put = (uploadUrl: string, body: Buffer): Promise<Response> =>
    fetch(uploadUrl.replace(stage.server.url, stage.server.origin), {
      method: 'PUT',
      headers: { 'content-type': 'application/zip' },
      body: body as unknown as RequestInit['body'],
    });

  async function uploaded(zip: Buffer, purpose?: string): Promise<string> {
    const { zipUploadId, uploadUrl } = await reserve(purpose);
    const answer = await put(uploadUrl, zip);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ bytes: zip.length, validUntil: expect.any(String) });
    return zipUploadId;
  }

  async function count(): Promise<number> {
    const row = await stage.db.database.one<{ n: number }>('SELECT count(*) AS n FROM artifacts.artifact');
    return row!.n;
  }

  it('artifacts 16 and 25: import gives what the next step needs, under both names', async () => {
    for (const name of ['artifact_create', 'artifact-create']) {
      const { data, isError } = await stage.tool(token, name, {
        type: 'import',
        name: 'Prototype',
        files: { 'index.html': '<h1>One</h1>' },
      });
      expect({ isError, data }).toMatchObject({
        isError: false,
        data: {
          success: true,
          status: 'ready',
          version: 1,
          revision: expect.stringMatching(/^[0-9a-f]{40}$/),
          gitRemoteUrl: expect.stringContaining('lpg_'),
          access: 'rw',
          previewUrl: expect.stringContaining('/preview'),
        },
      });
      const edit = await stage.tool(token, 'artifact_edit', {
        sessionId: data.sessionId,
        baseRevision: data.revision,
        commitMessage: 'Heading',
        changes: [{ op: 'str_replace', path: 'index.html', oldText: 'One', newText: 'Two' }],
      });
      expect(edit.data).toMatchObject({ success: true, version: 2 });
    }
  });

  it('artifacts 17 to 19: refusals name the argument and make nothing', async () => {
    const before = await count();
    const cases: [object, string, string][] = [
      [{ type: 'import' }, 'files', 'needs files, or a zipUploadId'],
      [
        { type: 'import', files: { 'a.html': 'x' }, zipUploadId: '00000000-0000-7000-8000-000000000000' },
        'files',
        'not both',
      ],
      [{ type: 'empty' }, 'framework', 'framework is required'],
      [{ type: 'import', files: { 'a.md': '# A' } }, 'files', 'needs an index.html among your files'],
      [
        { type: 'import', artifactType: 'markdown', framework: 'html', files: { 'a.md': '# A' } },
        'framework',
        'framework does not apply to artifactType markdown.',
      ],
      [
        { type: 'import', files: { 'index.html': 'x'.repeat(140_000) } },
        'files',
        'artifact_get_zip_upload_url',
      ],
    ];
    for (const [args, argument, sentence] of cases) {
      const { isError, text, data } = await stage.tool(token, 'artifact_create', args);
      expect({ isError, data }).toMatchObject({
        isError: true,
        data: { success: false, error: { argument } },
      });
      expect(text).toContain(sentence);
    }
    expect(await count()).toBe(before);
  });

  it('artifacts 21: a zip with binaries; what is left out cannot be read', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const zipUploadId = await uploaded(
      makeZip({
        entries: [
          INDEX,
          { name: 'logo.png', content: png },
          { name: 'deploy.sh', content: 'echo' },
          { name: 'node_modules/a/index.js', content: 'x' },
          { name: '.env', content: 'SECRET=1' },
        ],
      }),
    );
    const { data } = await stage.tool(token, 'artifact_create', { type: 'import', zipUploadId });
    expect(data).toMatchObject({ success: true, fileCount: 2 });
    expect((data.skippedFiles as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      '.env',
      'deploy.sh',
      'node_modules/a/index.js',
    ]);
    const { artifactId } = data;
    expect((await stage.tool(token, 'artifact_read', { artifactId, path: 'index.html' })).text).toBe(
      '<h1>Zip</h1>',
    );
    for (const path of ['.env', 'deploy.sh', 'node_modules/a/index.js'])
      expect(await stage.tool(token, 'artifact_read', { artifactId, path })).toMatchObject({ isError: true });
  });

  it('artifacts 22: hostile zips are refused in under 5 s, the server stays small, nothing is made', async () => {
    const block = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH });
    const packed = Buffer.concat([...Array<Buffer>(10_240).fill(block), deflateRawSync(Buffer.alloc(0))]);
    const hostile: [string, MadeEntry[], string][] = [
      ['climbs out', [INDEX, { name: '../x.html', content: 'x' }], '"../x.html"'],
      ['absolute', [INDEX, { name: '/etc/cron.d/x', content: 'x' }], '"/etc/cron.d/x"'],
      ['link', [{ name: 'l', content: '/etc/passwd', mode: 0o120777 }, INDEX], 'symbolic link'],
      ['encrypted', [INDEX, { name: 'e.txt', content: 'x', flags: 1 }], 'encrypted'],
      ['bomb', [{ name: 'bomb.txt', packed, claimedBytes: 0xfffffffe, claimedCrc: 0 }], '"bomb.txt"'],
      [
        'lying bomb',
        [{ name: 'bomb.txt', packed, claimedBytes: 20 * MEBIBYTE, claimedCrc: 0 }],
        '"bomb.txt"',
      ],
      ['entries', Array.from({ length: 3_000 }, (_, at) => ({ name: `${at}.html` })), '3000 entries'],
    ];
    const before = await count();
    const memory = await rss();
    for (const [what, entries, sentence] of hostile) {
      const zipUploadId = await uploaded(makeZip({ entries }));
      const started = Date.now();
      const { isError, text, data } = await stage.tool(token, 'artifact_create', {
        type: 'import',
        zipUploadId,
      });
      expect(text).toContain(sentence);
      expect({ what, isError, data }).toMatchObject({
        isError: true,
        data: { error: { code: 'INVALID_ARGUMENT', argument: 'zipUploadId' } },
      });
      expect(Date.now() - started).toBeLessThan(5_000);
    }
    expect(await count()).toBe(before);
    expect((await rss()) - memory).toBeLessThan(150 * MEBIBYTE);
  });

  it('artifacts 23: an upload is used once; its address says what became of it', async () => {
    const { zipUploadId, uploadUrl } = await reserve();
    expect((await put(uploadUrl.slice(0, -2), Buffer.from('x'))).status).toBe(404);
    expect((await put(uploadUrl, makeZip({ entries: [INDEX] }))).status).toBe(200);
    const first = await stage.tool(token, 'artifact_create', { type: 'import', zipUploadId });
    const second = await stage.tool(token, 'artifact_create', { type: 'import', zipUploadId });
    expect(second).toMatchObject({
      isError: true,
      data: { error: { code: 'CONFLICT', argument: 'zipUploadId' } },
    });
    expect(second.text).toBe(`zipUploadId was already used for artifact ${first.data.artifactId}.`);
    expect((await put(uploadUrl, Buffer.from('x'))).status).toBe(409);
    const late = await reserve();
    await stage.db.database.query('UPDATE artifacts.upload SET expires_at = now() WHERE id = $1', [
      late.zipUploadId,
    ]);
    expect((await put(late.uploadUrl, Buffer.from('x'))).status).toBe(410);
    // The secret of an address is in no line of the log.
    expect(stage.server.log).not.toContain(uploadUrl.split('/').at(-1)!);
  });

  it('cuts an upload off at the limit, announced or not', async () => {
    await stage.setFlag('artifacts.zip_max_bytes', 1_000);
    try {
      await until(async () => (await reserve()).maxBytes === 1_000);
      const { uploadUrl, zipUploadId } = await reserve();
      expect((await put(uploadUrl, Buffer.alloc(1_001))).status).toBe(413);
      const unannounced = await fetch(uploadUrl.replace(stage.server.url, stage.server.origin), {
        method: 'PUT',
        duplex: 'half',
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.alloc(600));
            controller.enqueue(Buffer.alloc(600));
            controller.close();
          },
        }),
      } as RequestInit);
      expect(unannounced.status).toBe(413);
      const row = await stage.db.database.one('SELECT state FROM artifacts.upload WHERE id = $1', [
        zipUploadId,
      ]);
      expect(row).toEqual({ state: 'reserved' });
    } finally {
      await stage.setFlag('artifacts.zip_max_bytes', 52_428_800);
    }
  });

  /** Memory of the server, in bytes. */
  async function rss(): Promise<number> {
    const { readFile } = await import('node:fs/promises');
    const status = await readFile(`/proc/${stage.server.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) * 1024;
  }
});
