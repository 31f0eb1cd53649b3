import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, listed, madeFile, type PushFile } from './push-file.js';

const folder = mkdtempSync(join(tmpdir(), 'loupe-listed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function onDisk(path: string, bytes: Buffer): PushFile {
  const absolute = join(folder, path);
  writeFileSync(absolute, bytes);
  return { path, content: { kind: 'disk', absolute } };
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('the listing of a push', () => {
  it('has the hash and size of each file, in the order given', async () => {
    const large = Buffer.alloc(3_000_000, 'large ');
    const { rows } = await listed([
      onDisk('large.txt', large),
      madeFile('made.html', '<p>'),
      onDisk('empty', Buffer.alloc(0)),
    ]);
    expect(rows).toEqual([
      { path: 'large.txt', sha256: hashOf(large), bytes: 3_000_000 },
      { path: 'made.html', sha256: hashOf(Buffer.from('<p>')), bytes: 3 },
      { path: 'empty', sha256: hashOf(Buffer.alloc(0)), bytes: 0 },
    ]);
  });

  it('keeps small files as they were read, and as many as there is room for', async () => {
    const before = Buffer.alloc(1_000_000, 'before ');
    const given = Array.from({ length: 70 }, (_, at) => onDisk(`${at}.txt`, before));
    const { files } = await listed(given);
    for (const { path } of given) writeFileSync(join(folder, path), 'after');
    const read = await Promise.all(files.map(async (file) => (await bytesOf(file)).equals(before)));
    // 64 MiB of them.
    expect(read.filter(Boolean)).toHaveLength(67);
    expect(read[0]).toBe(true);
  });

  it('names a file that cannot be read', async () => {
    const gone: PushFile = {
      path: 'gone.txt',
      content: { kind: 'disk', absolute: join(folder, 'gone.txt') },
    };
    await expect(listed([gone])).rejects.toThrow('cannot read gone.txt (ENOENT)');
  });
});
