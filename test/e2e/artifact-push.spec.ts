import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ArtifactStage } from '../support/artifact-stage.js';
import { batched, PushClient, sha256Of } from '../support/push-client.js';

const run = promisify(execFile);

/** The server's half of `loupe artifact push`, against the built server (`artifacts.md` 9). */
describe('pushing folders, from outside', () => {
  let stage: ArtifactStage;
  let client: PushClient;

  beforeAll(async () => {
    stage = await ArtifactStage.start();
    client = new PushClient(stage.server.origin, (await stage.token(['agent', 'mcp', 'projects'])).token);
  }, 120_000);

  afterAll(() => stage?.stop());

  it('artifacts 12: version 1, unchanged, and one blob for one changed file', async () => {
    const logo = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const files = { 'index.html': '<h1>Shop</h1>', 'css/site.css': 'p{}', 'img/logo.png': logo };
    const first = await client.push(stage.projectId, files, { name: 'Shop', notes: 'First' });
    expect(first).toMatchObject({ version: 1, unchanged: false, sent: 3 });
    const { artifactId } = first;
    expect(await client.push(stage.projectId, files, { artifactId })).toMatchObject({
      version: 1,
      unchanged: true,
      sent: 0,
      revision: first.revision,
    });
    const changed = { ...files, 'index.html': '<h1>Shop 2</h1>' };
    expect(await client.push(stage.projectId, changed, { artifactId })).toMatchObject({
      version: 2,
      sent: 1,
    });
    expect(await stage.versions(artifactId)).toEqual([2, 1]);
    const { status, body } = await stage.person.api<{ name: string; latestVersion: number }>(
      'GET',
      `${stage.base}/${artifactId}`,
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'Shop', latestVersion: 2 } });
  });

  it('artifacts 15: refuses unsafe names in words, and stores nothing', async () => {
    for (const path of ['../x.html', 'INDEX.html', 'a\\b.html', '/x.html']) {
      const { status, body } = await client.start(stage.projectId, { 'index.html': 'x', [path]: 'y' });
      expect([path, status, body.error]).toEqual([path, 422, 'unsafe_path']);
      expect(body.message).toContain(JSON.stringify(path));
    }
  });

  it('refuses wrong bytes, unknown pushes and other sign-ins', async () => {
    const { body } = await client.start(stage.projectId, { 'index.html': 'right' });
    expect(await client.put(body.pushId, 'wrong', sha256Of('right'))).toMatchObject({
      status: 422,
      body: { error: 'wrong_bytes' },
    });
    expect(await client.commit(body.pushId)).toMatchObject({
      status: 422,
      body: { error: 'missing', missing: [sha256Of('right')] },
    });
    const asJson = await fetch(
      `${stage.server.origin}/api/artifact-pushes/${body.pushId}/blobs/${sha256Of('right')}`,
      {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${(await stage.token(['agent', 'mcp', 'projects'])).token}`,
          'content-type': 'application/json',
        },
        body: '{"json":"is parsed on the way"}',
      },
    );
    expect(asJson.status).toBe(415);
    expect(await client.commit('00000000-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
    const mcpOnly = new PushClient(stage.server.origin, (await stage.token(['mcp', 'projects'])).token);
    expect(await mcpOnly.start(stage.projectId, { 'index.html': 'x' })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
    const nobody = new PushClient(stage.server.origin, 'x'.repeat(43));
    expect(await nobody.start(stage.projectId, { 'index.html': 'x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_token' },
    });
    await stage.db.database.query(`UPDATE artifacts.push SET expires_at = now() WHERE id = $1`, [
      body.pushId,
    ]);
    expect(await client.put(body.pushId, 'right')).toMatchObject({ status: 410, body: { error: 'gone' } });
    expect(await client.commit(body.pushId)).toMatchObject({ status: 410 });
  });

  it('takes many small files in one request, each with the checks of one, and says what it does not take', async () => {
    const files = { 'index.html': '<h1>Many</h1>', 'a.css': 'a{}', 'b.css': 'b{}', 'c.css': 'c{}' };
    const { body } = await client.start(stage.projectId, files);
    expect(body).toMatchObject({ batch: { files: 500, bytes: 8_388_608, fileBytes: 1_048_576 } });
    const { pushId } = body;
    const mixed = Buffer.concat([
      batched('a{}'),
      batched('other', sha256Of('b{}')),
      batched('of nobody'),
      batched('c{}'),
    ]);
    expect(await client.sendBatch(pushId, mixed)).toEqual({
      status: 200,
      body: {
        taken: expect.arrayContaining([sha256Of('a{}'), sha256Of('c{}')]),
        refused: [
          expect.objectContaining({ path: 'b.css', message: expect.stringContaining('b.css') }),
          expect.objectContaining({ path: null, sha256: sha256Of('of nobody') }),
        ],
      },
    });
    // What came whole before the form was lost stays.
    const lost = Buffer.concat([batched('b{}'), Buffer.from('no head at all')]);
    expect(await client.sendBatch(pushId, lost)).toMatchObject({ status: 422, body: { error: 'bad_batch' } });
    expect(await client.commit(pushId)).toMatchObject({
      status: 422,
      body: { error: 'missing', missing: [sha256Of('<h1>Many</h1>')] },
    });
    expect(await client.putTogether(pushId, ['<h1>Many</h1>', 'a{}'])).toMatchObject({ status: 200 });
    expect(await client.commit(pushId)).toMatchObject({ status: 200, body: { version: 1 } });
  });

  it('refuses a batch of another type, past the limits, of others, and out of time, in words that arrive', async () => {
    const { body } = await client.start(stage.projectId, { 'index.html': 'batch' });
    const { pushId } = body;
    expect(await client.sendBatch(pushId, batched('batch'), 'application/octet-stream')).toMatchObject({
      status: 415,
    });
    const large = Buffer.concat([batched('batch'), batched(Buffer.alloc(9_000_000))]);
    expect(await client.sendBatch(pushId, large)).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('at most 1048576 bytes') },
    });
    expect(await client.commit(pushId)).toMatchObject({ status: 200 });
    const nobody = new PushClient(stage.server.origin, 'x'.repeat(43));
    expect(await nobody.sendBatch(pushId, batched('batch'))).toMatchObject({ status: 401 });
    const unknown = '00000000-0000-7000-8000-000000000000';
    expect(await client.sendBatch(unknown, batched('batch'))).toMatchObject({ status: 404 });
    const late = await client.start(stage.projectId, { 'index.html': 'late' });
    await stage.db.database.query('UPDATE artifacts.push SET expires_at = now() WHERE id = $1', [
      late.body.pushId,
    ]);
    expect(await client.putTogether(late.body.pushId, ['late'])).toMatchObject({ status: 410 });
  });

  it('is open to the person in the browser too, with their CSRF token alone', async () => {
    const { status, body } = await stage.person.api<{ missing: string[] }>(
      'POST',
      `/projects/${stage.projectId}/artifact-pushes`,
      { files: [{ path: 'index.html', sha256: sha256Of('web'), bytes: 3 }] },
    );
    expect({ status, missing: body.missing }).toEqual({ status: 201, missing: [sha256Of('web')] });
    const bare = await stage.person.request(`/api/projects/${stage.projectId}/artifact-pushes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"files":[]}',
    });
    expect(bare.status).toBe(403);
  });

  it('gives a version back as a zip that other programs read', async () => {
    const files = {
      'index.html': '<h1>Zip</h1>',
      'Ümläut/größe 1.txt': 'ö'.repeat(3_000),
      'empty.txt': '',
      'fonts/a.woff2': Buffer.from('774f4632000100000000', 'hex'),
    };
    const { artifactId } = await client.push(stage.projectId, files, { name: 'Zürich/../Shop' });
    const answer = await stage.person.request(`/api${stage.base}/${artifactId}/versions/1.zip`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="zurich-shop-v1.zip"');
    const folder = await mkdtemp(join(tmpdir(), 'loupe-download-'));
    try {
      await writeFile(join(folder, 'v1.zip'), Buffer.from(await answer.arrayBuffer()));
      await run('python3', ['-m', 'zipfile', '-e', 'v1.zip', 'out'], { cwd: folder });
      for (const [path, content] of Object.entries(files))
        expect((await readFile(join(folder, 'out', path))).equals(Buffer.from(content))).toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    expect((await stage.person.request(`/api${stage.base}/${artifactId}/versions/9.zip`)).status).toBe(404);
    expect((await fetch(`${stage.server.origin}/api${stage.base}/${artifactId}/versions/1.zip`)).status).toBe(
      401,
    );
  });

  it('is not there while artifacts are switched off', async () => {
    await stage.setFlag('artifacts.enabled', false);
    try {
      await stage.untilSwitched(false);
      expect(await client.start(stage.projectId, { 'index.html': 'x' })).toMatchObject({
        status: 404,
        body: { error: 'switched_off' },
      });
    } finally {
      await stage.setFlag('artifacts.enabled', true);
      await stage.untilSwitched(true);
    }
  });
});
