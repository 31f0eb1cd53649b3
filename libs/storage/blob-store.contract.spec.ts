import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Configuration } from '#libs/configuration/configuration.js';
import type { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';
import { MemoryBlobStore } from './testing/memory-blob-store.js';
import { S3Server } from './testing/s3-server.js';

const options = { maxBytes: 1_000, contentType: 'text/plain' };
let folder: string;
let s3: S3Server;
const buckets: S3BlobStore[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-blobs-'));
  s3 = await S3Server.start();
});
afterAll(async () => {
  for (const store of buckets) store.onApplicationShutdown();
  await s3.stop();
  await rm(folder, { recursive: true });
});

function inBucket(): S3BlobStore {
  const store = new S3BlobStore(s3.bucket());
  buckets.push(store);
  return store;
}

const stores: [string, () => BlobStore][] = [
  ['the local driver', () => new LocalBlobStore(Configuration.fromEnvironment({ BLOB_STORAGE_DIR: folder }))],
  ['the driver for S3', inBucket],
  ['the fake', () => new MemoryBlobStore()],
];

describe.each(stores)('BlobStore: %s', (_name, make) => {
  let store: BlobStore;

  beforeEach(() => {
    store = make();
  });

  it('gives back what was put, whole and in part', async () => {
    const stored = await store.put('artifacts/a/b.txt', Readable.from(['hello ', 'world']), options);
    expect(stored).toEqual({
      bytes: 11,
      sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
    });
    expect(await text(await store.open('artifacts/a/b.txt'))).toBe('hello world');
    expect(await text(await store.open('artifacts/a/b.txt', { start: 6, end: 8 }))).toBe('wor');
  });

  it('gives nothing of a range behind the end, and all up to the end of one that reaches past it', async () => {
    await store.put('artifacts/range', Readable.from(['hello']), options);
    expect(await text(await store.open('artifacts/range', { start: 5, end: 9 }))).toBe('');
    expect(await text(await store.open('artifacts/range', { start: 3, end: 9 }))).toBe('lo');
    expect(await text(await store.open('artifacts/range', { start: 4 }))).toBe('o');
  });

  it('keeps an empty content', async () => {
    expect(await store.put('artifacts/empty', Readable.from([]), options)).toMatchObject({ bytes: 0 });
    expect(await store.exists('artifacts/empty')).toBe(true);
    expect(await text(await store.open('artifacts/empty'))).toBe('');
  });

  it('replaces a content, and deletes it', async () => {
    await store.put('artifacts/twice', Readable.from(['one']), options);
    await store.put('artifacts/twice', Readable.from(['two']), options);
    expect(await text(await store.open('artifacts/twice'))).toBe('two');
    await store.delete('artifacts/twice');
    expect(await store.exists('artifacts/twice')).toBe(false);
    await expect(store.open('artifacts/twice')).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('takes many small contents together, empty ones and such as are there already too', async () => {
    await store.put('many-at-once/7', Readable.from(['old']), options);
    const blobs = Array.from({ length: 40 }, (_, at) => ({
      key: `many-at-once/${at}`,
      content: Buffer.from(at === 3 ? '' : `content ${at}`),
    }));
    await store.putAll(blobs, options);
    for (const { key, content } of blobs) expect(await text(await store.open(key))).toBe(content.toString());
    await store.putAll([], options);
  });

  it('passes on the fault of a content that breaks off, and keeps nothing of it', async () => {
    const broken = Readable.from(
      (async function* () {
        yield 'half';
        throw new Error('gone');
      })(),
    );
    await expect(store.put('artifacts/broken', broken, options)).rejects.toThrow('gone');
    expect(await store.exists('artifacts/broken')).toBe(false);
  });

  it('lists more keys than fit into one answer by the cursor', async () => {
    const names = Array.from({ length: 1_003 }, (_, at) => `many/${String(at).padStart(4, '0')}`);
    const waiting = [...names];
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (let key = waiting.pop(); key; key = waiting.pop())
          await store.put(key, Readable.from(['']), options);
      }),
    );
    const first = await store.list('many/');
    expect(first).toEqual({ keys: names.slice(0, 1_000), nextCursor: 'many/0999' });
    expect(await store.list('many/', first.nextCursor!)).toEqual({
      keys: names.slice(1_000),
      nextCursor: null,
    });
  }, 60_000);

  it('keeps nothing of a content past the limit, and the old content stays', async () => {
    await store.put('artifacts/limit', Readable.from(['old']), options);
    await expect(
      store.put('artifacts/limit', Readable.from(['x'.repeat(1_001)]), options),
    ).rejects.toMatchObject({
      kind: 'too-large',
    });
    expect(await text(await store.open('artifacts/limit'))).toBe('old');
  });

  it('refuses to open what is not there, and deletes it without complaint', async () => {
    await expect(store.open('artifacts/none')).rejects.toMatchObject({ kind: 'not-found' });
    await store.delete('artifacts/none');
    expect(await store.exists('artifacts/none')).toBe(false);
  });

  it('lists the keys of a prefix in order', async () => {
    for (const key of ['exports/b', 'exports/a', 'exports/c/d', 'feedback/x']) {
      await store.put(key, Readable.from(['']), options);
    }
    expect((await store.list('exports/')).keys).toEqual(['exports/a', 'exports/b', 'exports/c/d']);
    expect((await store.list('exports/', 'exports/a')).keys).toEqual(['exports/b', 'exports/c/d']);
  });
});

describe('LocalBlobStore', () => {
  const store = () => new LocalBlobStore(Configuration.fromEnvironment({ BLOB_STORAGE_DIR: folder }));

  it('leaves no draft behind when the content breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield 'half';
        throw new Error('gone');
      })(),
    );
    await expect(store().put('drafts/x', broken, options)).rejects.toThrow('gone');
    expect(await readdir(join(folder, 'drafts'))).toEqual([]);
  });

  it('keeps the others, and no draft, when one of many cannot be written', async () => {
    await mkdir(join(folder, 'together', 'taken', 'inner'), { recursive: true });
    const blobs = ['one', 'taken', 'two'].map((name) => ({
      key: `together/${name}`,
      content: Buffer.from(name),
    }));
    await expect(store().putAll(blobs)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    expect((await readdir(join(folder, 'together'))).sort()).toEqual(['one', 'taken', 'two']);
    expect(await text(await store().open('together/one'))).toBe('one');
  });

  it.each(['../x', 'a/../../x', '/etc/x', 'a', 'a/.'])('takes no key such as %s', async (key) => {
    await expect(store().exists(key)).rejects.toThrow('no key');
  });
});
