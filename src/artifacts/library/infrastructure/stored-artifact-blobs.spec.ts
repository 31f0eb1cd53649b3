import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { Configuration } from '#libs/configuration/configuration.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { LocalBlobStore } from '#libs/storage/local-blob-store.js';
import { MemoryBlobStore } from '#libs/storage/testing/memory-blob-store.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { blobKey, StoredArtifactBlobs } from './stored-artifact-blobs.js';

let testDatabase: TestDatabase;
const folder = mkdtempSync(join(tmpdir(), 'loupe-artifact-blobs-'));
const max = { maxBytes: 50_000_000 };
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
});
afterAll(async () => {
  await testDatabase?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ['local files', () => new LocalBlobStore(Configuration.fromEnvironment({ BLOB_STORAGE_DIR: folder }))],
  ['memory', () => new MemoryBlobStore()],
])('artifacts 62: bytes of artifacts in %s', (_name, make) => {
  const clock = new FixedClock();
  let store: ReturnType<typeof make>;
  let blobs: StoredArtifactBlobs;

  beforeEach(() => {
    store = make();
    blobs = new StoredArtifactBlobs(store, testDatabase.database, clock);
  });

  it('lie under their hash, however they came, and once', async () => {
    const content = randomBytes(3_000_000);
    const whole = await blobs.put(content, max);
    const streamed = await blobs.put(Readable.from([content.subarray(0, 10), content.subarray(10)]), max);
    expect(streamed).toEqual(whole);
    expect(whole).toEqual({ sha256: sha256(content), bytes: 3_000_000, kind: 'binary', sniffedType: null });
    expect(await store.exists(blobKey(whole.sha256))).toBe(true);
    // Byte by byte, a matcher takes seconds.
    expect((await buffer(await blobs.open(whole.sha256))).equals(content)).toBe(true);
    expect(await buffer(await blobs.open(whole.sha256, { start: 5, end: 9 }))).toEqual(
      content.subarray(5, 10),
    );
    expect((await blobs.describe([whole.sha256, '0'.repeat(64)])).get(whole.sha256)).toEqual(whole);
  });

  it('past the limit are refused, and nothing is kept of them, nor of the file that they waited in', async () => {
    const content = Buffer.alloc(2_500_000, 'x');
    const refused = { kind: 'too-large' };
    await expect(blobs.put(Readable.from([content]), { maxBytes: 2_000_000 })).rejects.toMatchObject(refused);
    await expect(blobs.put(content, { maxBytes: 10 })).rejects.toMatchObject(refused);
    expect((await blobs.describe([sha256(content)])).size).toBe(0);
    expect(readdirSync(join(tmpdir(), 'loupe-artifact-drafts'))).toEqual([]);
  });

  it('are read whole within a limit, and in parts', async () => {
    const content = Buffer.from('a text of some length');
    const { sha256: hash, bytes } = await blobs.put(content, max);
    expect((await blobs.read(hash, 100)).toString()).toBe('a text of some length');
    await expect(blobs.read(hash, 5)).rejects.toMatchObject({ kind: 'too-large' });
    for (let round = 0; round < 2; round += 1) {
      expect((await blobs.slice(hash, bytes, 2, 6)).toString()).toBe('text');
      expect(await text(await blobs.open(hash, { start: 2, end: 5 }))).toBe('text');
    }
    const large = Buffer.alloc(2_500_000, 'y');
    const kept = await blobs.put(large, max);
    expect(await blobs.slice(kept.sha256, kept.bytes, 2_499_990, 2_500_000)).toEqual(Buffer.alloc(10, 'y'));
  });

  it('that are gone are damaged, in every way of reading', async () => {
    const content = randomBytes(64);
    const { sha256: hash } = await blobs.put(content, max);
    await store.delete(blobKey(hash));
    const damaged = { kind: 'unavailable', message: 'A stored file is damaged.' };
    await expect(blobs.read(hash, 100)).rejects.toMatchObject(damaged);
    await expect(blobs.slice(hash, 64, 0, 10)).rejects.toMatchObject(damaged);
    await expect(blobs.open(hash).then((stream) => buffer(stream))).rejects.toMatchObject(damaged);
    await blobs.put(content, max);
    expect(await blobs.read(hash, 100)).toEqual(content);
  });

  it('brought by many at once are stored once', async () => {
    const content = randomBytes(100_000);
    const all = await Promise.all(Array.from({ length: 8 }, () => blobs.put(Readable.from([content]), max)));
    expect(new Set(all.map((blob) => blob.sha256)).size).toBe(1);
    expect((await buffer(await blobs.open(all[0]!.sha256))).equals(content)).toBe(true);
  });

  it('brought together are as if each came alone; those of another hash are left out', async () => {
    const before = await blobs.put(Buffer.from('there before'), max);
    const contents = ['there before', 'plain', '', '\x89PNG\r\n\x1a\n\0', 'plain'].map((latin1) => {
      const content = Buffer.from(latin1, 'latin1');
      return { sha256: sha256(content), content };
    });
    const wrong = { sha256: sha256(Buffer.from('right')), content: Buffer.from('wrong') };
    const kept = await blobs.putNamed([...contents, wrong]);
    expect([...kept.keys()].sort()).toEqual([...new Set(contents.map((one) => one.sha256))].sort());
    expect(kept.get(before.sha256)).toEqual(before);
    expect(await blobs.describe([...kept.keys(), wrong.sha256])).toEqual(kept);
    for (const { sha256: hash, content } of contents) {
      expect(await buffer(await blobs.open(hash))).toEqual(content);
      expect(kept.get(hash)).toEqual(await blobs.put(content, max));
    }
    expect(await store.exists(blobKey(sha256(Buffer.from('wrong'))))).toBe(false);
  });

  it('brought together again come back when the store had lost them', async () => {
    const contents = [randomBytes(40), randomBytes(50)].map((content) => ({
      sha256: sha256(content),
      content,
    }));
    await blobs.putNamed(contents);
    await store.delete(blobKey(contents[1]!.sha256));
    await blobs.putNamed(contents);
    for (const { sha256: hash, content } of contents)
      expect(await buffer(await blobs.open(hash))).toEqual(content);
  });

  it('that two bring together in another order do not block each other', async () => {
    const contents = Array.from({ length: 60 }, () => randomBytes(30)).map((content) => ({
      sha256: sha256(content),
      content,
    }));
    const ends = await Promise.all([
      blobs.putNamed(contents),
      blobs.putNamed([...contents].reverse()),
      blobs.putNamed(contents.slice(20)),
    ]);
    expect(ends.map(({ size }) => size)).toEqual([60, 60, 40]);
  });

  it('stay when the unit of work around them is undone', async () => {
    const content = randomBytes(50);
    await testDatabase.database
      .run(async () => {
        await blobs.put(content, max);
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect((await blobs.describe([sha256(content)])).size).toBe(1);
  });
});
