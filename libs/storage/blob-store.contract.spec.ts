import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Configuration } from '#libs/configuration/configuration.js';
import type { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { MemoryBlobStore } from './testing/memory-blob-store.js';

const options = { maxBytes: 1_000, contentType: 'text/plain' };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loupe-blobs-'));
});
afterAll(() => rm(folder, { recursive: true }));

const stores: [string, () => BlobStore][] = [
  ['the local driver', () => new LocalBlobStore(Configuration.fromEnvironment({ BLOB_STORAGE_DIR: folder }))],
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

  it.each(['../x', 'a/../../x', '/etc/x', 'a', 'a/.'])('takes no key such as %s', async (key) => {
    await expect(store().exists(key)).rejects.toThrow('no key');
  });
});
