import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { S3Server } from '#libs/storage/testing/s3-server.js';
import { ArtifactStage, type MadeArtifact } from '../support/artifact-stage.js';
import { GitClient } from '../support/git-client.js';
import { PushClient } from '../support/push-client.js';
import { until } from '../support/until.js';
import { makeZip } from '../support/zip-maker.js';

/** More than one part of an upload to the bucket. */
const LARGE = randomBytes(6 * 1024 * 1024);
const INDEX = '<h1>One</h1>';

interface Check {
  readonly name: string;
  readonly state: string;
  readonly sentence: string;
}

/** The built server with its files in a bucket (`artifacts.md` 15, scenario 62). */
describe('artifacts in an S3-compatible bucket, from outside', () => {
  let s3: S3Server;
  let stage: ArtifactStage;
  let git: GitClient;
  let made: MadeArtifact;
  let token: string;

  /** Address of a file of several parts. */
  let large: string;

  beforeAll(async () => {
    s3 = await S3Server.start();
    stage = await ArtifactStage.start({ env: s3.env });
    git = await GitClient.start();
    token = (await stage.token(['mcp'])).token;
    made = await stage.import({ 'index.html': INDEX, 'css/site.css': 'p { color: red }' });
  }, 120_000);

  afterAll(async () => {
    await git?.stop();
    await stage?.stop();
    await s3?.stop();
  });

  const local = (address: string): string => address.replace(stage.server.url, stage.server.origin);

  const read = async (artifactId = made.artifactId): Promise<string> =>
    (await stage.tool(token, 'artifact_read', { artifactId, path: 'index.html' })).text;

  async function preview(path: string, headers: Record<string, string> = {}): Promise<Response> {
    const { status, body } = await stage.person.api<{ baseUrl: string }>(
      'GET',
      `${stage.base}/${made.artifactId}/preview-ticket`,
    );
    expect(status).toBe(200);
    return fetch(new URL(path, local(body.baseUrl)), { headers });
  }

  async function storageCheck(): Promise<Check> {
    const { body } = await stage.person.api<{ checks: Check[] }>('GET', '/admin/status');
    return body.checks.find(({ name }) => name === 'Blob storage')!;
  }

  it('artifacts 62: imports, reads and previews, with every file in the bucket and none on the disk', async () => {
    expect(await read()).toBe(INDEX);
    const page = await preview('index.html');
    expect([page.status, await page.text()]).toEqual([200, INDEX]);
    const style = await preview('css/site.css', { range: 'bytes=2-8' });
    expect([style.status, await style.text()]).toEqual([206, '{ color']);
    expect(s3.keys.length).toBeGreaterThanOrEqual(2);
    expect(s3.keys.filter((key) => !key.startsWith('team/artifacts/'))).toEqual([]);
    expect(existsSync(join(stage.server.varDir, 'blobs'))).toBe(false);
    expect((await storageCheck()).state).toBe('ok');
  });

  it('artifacts 62: an uploaded zip becomes an artifact and leaves the bucket', async () => {
    const reserved = await stage.tool(token, 'artifact_get_zip_upload_url', { purpose: 'source' });
    const { zipUploadId, uploadUrl } = reserved.data as { zipUploadId: string; uploadUrl: string };
    const zip = makeZip({ entries: [{ name: 'index.html', content: '<h1>Zip</h1>' }] });
    const put = await fetch(local(uploadUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/zip' },
      body: zip as unknown as RequestInit['body'],
    });
    expect(put.status).toBe(200);
    const { data, isError } = await stage.tool(token, 'artifact_create', { type: 'import', zipUploadId });
    expect({ isError, data }).toMatchObject({ isError: false, data: { version: 1 } });
    expect(await read(data.sessionId as string)).toBe('<h1>Zip</h1>');
  });

  it('artifacts 62: a pushed folder with a file of several parts comes back as it was', async () => {
    const wide = await stage.token(['agent', 'mcp', 'projects']);
    const client = new PushClient(stage.server.origin, wide.token);
    const files = { 'index.html': '<h1>Pushed</h1>', 'data/large.bin': LARGE };
    const pushed = await client.push(stage.projectId, files, { name: 'Pushed' });
    expect(pushed).toMatchObject({ version: 1, sent: 2 });
    large = `/api${stage.base}/${pushed.artifactId}/files/1?raw=1&path=${encodeURIComponent('data/large.bin')}`;
    const answer = await stage.person.request(large);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(LARGE)).toBe(true);
    expect(s3.openUploads).toBe(0);
  }, 30_000);

  it('artifacts 62: a clone has the files, and what is pushed from it is read', async () => {
    const other = await stage.import({ 'index.html': INDEX });
    const folder = await git.clone(local(other.gitRemoteUrl), 'in-s3');
    expect(await readFile(join(folder, 'index.html'), 'utf8')).toBe(INDEX);
    await writeFile(join(folder, 'index.html'), '<h1>Two</h1>');
    await git.commit(folder, 'Two');
    expect((await git.run(folder, 'push', 'origin', 'main')).code).toBe(0);
    expect(await read(other.artifactId)).toBe('<h1>Two</h1>');
  });

  it('artifacts 62: the zip of a version holds its files', async () => {
    const answer = await stage.person.request(`/api${stage.base}/${made.artifactId}/versions/1.zip`);
    expect(answer.status).toBe(200);
    expect(await unzipped(Buffer.from(await answer.arrayBuffer()))).toEqual({
      'index.html': INDEX,
      'css/site.css': 'p { color: red }',
    });
  });

  it('artifacts 62: a store that is away is said, harms nothing, and is back by itself', async () => {
    await s3.goAway();
    const refused = await stage.person.api<{ error: string }>('POST', stage.base, {
      type: 'import',
      files: { 'index.html': 'while it is away' },
      name: 'Away',
    });
    expect([refused.status, refused.body.error]).toEqual([503, 'blob_storage_unavailable']);
    // What was read lately is small enough to be in memory; the large file never is.
    expect((await preview('index.html')).status).toBe(200);
    expect((await stage.person.request(large)).status).toBe(503);
    const found = await storageCheck();
    expect(found).toMatchObject({
      state: 'failed',
      sentence: expect.stringContaining('BLOB_STORAGE_ENDPOINT'),
    });
    await s3.comeBack();
    await until(async () => (await storageCheck()).state === 'ok');
    expect(await read()).toBe(INDEX);
    expect(stage.server.log).not.toContain(s3.env.BLOB_STORAGE_SECRET);
  }, 60_000);

  it('artifacts 62: everything is there after a restart', async () => {
    await stage.server.terminate();
    stage.server = await stage.server.restarted();
    expect(await read()).toBe(INDEX);
    expect(await (await preview('index.html')).text()).toBe(INDEX);
    expect(await stage.versions(made.artifactId)).toEqual([1]);
  }, 60_000);
});

async function unzipped(zip: Buffer): Promise<Record<string, string>> {
  const archive = await yauzl.fromBufferPromise(zip);
  const files: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    files[entry.fileName] = (await buffer(await archive.openReadStreamPromise(entry))).toString();
  }
  return files;
}
