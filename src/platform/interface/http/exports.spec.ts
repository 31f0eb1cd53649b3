import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import request from 'supertest';
import yauzl from 'yauzl';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { BuildExport } from '../../application/commands/build-export.js';
import { ExpireExports } from '../../application/commands/expire-exports.js';
import { DataExports } from '../../application/ports/data-exports.js';
import { ExportContributors, type ExportedFile } from '../../application/ports/export-contributors.js';
import { WhenPersonDeleted } from '../../application/reactions/when-person-deleted.js';
import { as, PERSON_ID, type PlatformApp, startPlatform } from '../../testing/platform-app.js';

const SYSTEM = { kind: 'system', jobName: 'build-export' } as const;
const ROWS = Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'x'.repeat(100) }));

/** Data exports without a worker: the test runs the job by hand (`platform.md` 12). */
describe('Data exports', () => {
  let test: TestDatabase;
  let platform: PlatformApp;
  let files: () => Iterable<ExportedFile> | AsyncIterable<ExportedFile>;
  const http = () => request(platform.url);

  beforeAll(async () => {
    test = await TestDatabase.start();
    platform = await startPlatform(test.url, { role: 'web' });
    platform.get(ExportContributors).register({ name: 'test', files: () => files() });
  });
  afterAll(async () => {
    await platform?.stop();
    await test?.stop();
  });
  beforeEach(async () => {
    files = () => [rowsOf('rows.json', ROWS)];
    await test.database.query('DELETE FROM platform.exports');
    for (const key of await archives()) await platform.get(BlobStore).delete(key);
  });

  const rowsOf = (name: string, rows: readonly unknown[]): ExportedFile => ({
    name,
    write: async (emit) => {
      for (const row of rows) await emit(row);
    },
  });

  async function asked(): Promise<string> {
    const id = crypto.randomUUID();
    expect(await platform.get(DataExports).add(id, PERSON_ID)).toBe(true);
    return id;
  }

  const build = (exportId: string, attempt = 1) =>
    platform.get(BuildExport).execute(SYSTEM, { exportId, attempt });

  async function listed(): Promise<Record<string, unknown>[]> {
    const { status, body } = await http().get('/api/account/exports').set(as('person'));
    expect(status).toBe(200);
    return body.exports;
  }

  const archives = async () => (await platform.get(BlobStore).list('exports/')).keys;

  it('platform 12: makes one at a time, and says so', async () => {
    const first = await http().post('/api/account/exports').set(as('person'));
    expect(first.status).toBe(202);
    const second = await http().post('/api/account/exports').set(as('person'));
    expect([second.status, second.body.error]).toEqual([409, 'export_running']);
    expect(await listed()).toMatchObject([{ id: first.body.id, state: 'pending', downloadPath: null }]);
    const { body } = await http().get('/api/account/exports').set(as('person'));
    expect(body.workerSeemsDown).toBe(true);
    expect((await http().delete(`/api/account/exports/${first.body.id}`).set(as('admin'))).status).toBe(404);
    expect((await http().delete(`/api/account/exports/${first.body.id}`).set(as('person'))).status).toBe(204);
    expect(await listed()).toEqual([]);
  });

  it('platform 12: the archive holds every file, and a manifest that counts them', async () => {
    const id = await asked();
    await build(id);
    const [row] = await listed();
    expect(row).toMatchObject({ id, state: 'ready', bytes: expect.any(Number) });
    const answer = await fetch(`${platform.url}${row!.downloadPath}`, { headers: as('person') });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
    const unzipped = await filesOf(Buffer.from(await answer.arrayBuffer()));
    expect(Object.keys(unzipped)).toEqual(expect.arrayContaining(['rows.json', 'audit_log.json']));
    expect(Object.keys(unzipped).at(-1)).toBe('manifest.json');
    expect(JSON.parse(unzipped['rows.json']!)).toEqual(ROWS);
    expect(JSON.parse(unzipped['manifest.json']!)).toMatchObject({
      schemaVersion: 1,
      personId: PERSON_ID,
      counts: { 'rows.json': 5_000 },
    });
    const records = await test.database.query(
      "SELECT 1 FROM platform.audit_events WHERE operation = 'export.downloaded' AND subject_id = $1",
      [id],
    );
    expect(records).toHaveLength(1);
    expect(await build(id)).toBeUndefined();
    expect(await archives()).toHaveLength(1);
  });

  it('platform 19.15: needs the owner, the token and the time', async () => {
    const id = await asked();
    await build(id);
    const path = String((await listed())[0]!.downloadPath);
    const status = async (address: string, headers: Record<string, string>) =>
      (await fetch(`${platform.url}${address}`, { headers })).status;
    expect(await status(path, {})).toBe(401);
    expect(await status(path, as('admin'))).toBe(404);
    expect(await status(path.replace(/token=.*/, 'token=x'), as('person'))).toBe(404);
    expect(await status(path.replace(/\?.*/, ''), as('person'))).toBe(404);
    expect(await status(path.replace(id, crypto.randomUUID()), as('person'))).toBe(404);
    expect(await status(path.replace(id, 'x'), as('person'))).toBe(404);
    const [kept] = await test.database.query<Record<string, unknown>>('SELECT * FROM platform.exports');
    expect(JSON.stringify(kept)).not.toContain(path.split('token=')[1]);
    await test.database.query("UPDATE platform.exports SET expires_at = now() - interval '1 second'");
    expect(await status(path, as('person'))).toBe(404);
    expect(await platform.get(ExpireExports).execute(SYSTEM)).toEqual({ deleted: 1 });
    expect([await listed(), await archives()]).toEqual([[], []]);
  });

  it('platform 12: a run that fails is tried again, and the fourth one is the last', async () => {
    files = () => [
      {
        name: 'broken.json',
        write: async (emit) => {
          await emit({ half: true });
          throw new Error('no more rows');
        },
      },
    ];
    const id = await asked();
    await expect(build(id, 3)).rejects.toThrow('no more rows');
    expect(await listed()).toMatchObject([{ state: 'pending' }]);
    expect(await build(id, 4)).toBeUndefined();
    expect(await listed()).toMatchObject([{ state: 'failed', downloadPath: null }]);
    expect(await archives()).toEqual([]);
    const records = await test.database.query(
      "SELECT 1 FROM platform.audit_events WHERE operation = 'export.failed' AND subject_id = $1",
      [id],
    );
    expect(records).toHaveLength(1);
    // A failed one stands in nobody's way.
    await asked();
  });

  it('platform 12: a second run waits for the lease, and takes over from a lost worker', async () => {
    const id = await asked();
    expect(await platform.get(DataExports).claim(id, crypto.randomUUID())).toMatchObject({ kind: 'yours' });
    const answer = await build(id);
    expect(answer!.again.getTime()).toBeGreaterThan(Date.now());
    await test.database.query("UPDATE platform.exports SET held_until = now() - interval '1 second'");
    expect(await build(id)).toBeUndefined();
    expect(await listed()).toMatchObject([{ state: 'ready' }]);
  });

  it('platform 12: a run whose export was deleted meanwhile leaves no archive', async () => {
    const id = await asked();
    files = () => [
      {
        name: 'slow.json',
        write: async (emit) => {
          await emit({});
          await http().delete(`/api/account/exports/${id}`).set(as('person')).expect(204);
        },
      },
    ];
    await build(id);
    expect([await listed(), await archives()]).toEqual([[], []]);
  });

  it('fails instead of waiting when storage fails amid an archive', async () => {
    const id = await asked();
    const store = platform.get(BlobStore);
    const put = jest.spyOn(store, 'put').mockImplementation(async (_key, content) => {
      for await (const _chunk of content) throw new Error('storage is full');
      throw new Error('nothing came');
    });
    try {
      await expect(build(id)).rejects.toThrow('storage is full');
    } finally {
      put.mockRestore();
    }
    expect(await listed()).toMatchObject([{ state: 'pending' }]);
  });

  it('ends amid a file whose content breaks off', async () => {
    const id = await asked();
    files = () => [
      {
        name: 'content.bin',
        content: Readable.from(
          (async function* () {
            yield Buffer.alloc(1_000);
            throw new Error('content is gone');
          })(),
        ),
      },
    ];
    await expect(build(id)).rejects.toThrow('content is gone');
    expect([(await listed())[0]!.state, await archives()]).toEqual(['pending', []]);
  });

  it('takes away what a lost worker left, and leaves what is being made and what is ready', async () => {
    const store = platform.get(BlobStore);
    const ready = await asked();
    await build(ready);
    const running = await asked();
    await platform.get(DataExports).claim(running, crypto.randomUUID());
    const kept = [...(await archives()), `exports/${running}/${crypto.randomUUID()}`];
    const left = [
      `exports/${ready}/${crypto.randomUUID()}`,
      `exports/${crypto.randomUUID()}/${crypto.randomUUID()}`,
    ];
    for (const key of [kept[1]!, ...left]) {
      await store.put(key, Readable.from(['x']), { maxBytes: 1, contentType: 'application/zip' });
    }
    await platform.get(ExpireExports).execute(SYSTEM);
    expect(await archives()).toEqual([...kept].sort());
  });

  it('exports go with the person', async () => {
    const id = await asked();
    await build(id);
    const event = { personId: PERSON_ID } as Parameters<WhenPersonDeleted['handle']>[0];
    await platform.get(WhenPersonDeleted).handle(event);
    expect([await listed(), await archives()]).toEqual([[], []]);
  });

  it('platform 12: three a day', async () => {
    const answers: number[] = [];
    for (let at = 0; at < 4; at++) {
      const { status, body } = await http().post('/api/account/exports').set(as('admin'));
      answers.push(status);
      if (status === 202) await http().delete(`/api/account/exports/${body.id}`).set(as('admin')).expect(204);
    }
    expect(answers).toEqual([202, 202, 202, 429]);
    const rows = await test.database.query('SELECT 1 FROM platform.exports');
    expect(rows).toEqual([]);
  });
});

async function filesOf(zip: Buffer): Promise<Record<string, string>> {
  const archive = await yauzl.fromBufferPromise(zip);
  const found: Record<string, string> = {};
  for await (const entry of archive.eachEntry()) {
    found[entry.fileName] = await text(await archive.openReadStreamPromise(entry));
  }
  return found;
}
