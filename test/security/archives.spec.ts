import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, deflateRawSync } from 'node:zlib';
import { DomainError } from '#libs/kernel/errors.js';
import { archiveRules } from '#src/artifacts/library/application/archive-rules.js';
import type { ArchiveLimits } from '#src/artifacts/library/application/ports/archive-reader.js';
import type { SkippedFile } from '#src/artifacts/library/domain/artifact-types.js';
import { ZipArchiveReader } from '#src/artifacts/library/infrastructure/zip/zip-archive-reader.js';
import { type MadeEntry, type MadeZip, makeZip } from '../support/zip-maker.js';

const MEBIBYTE = 1024 * 1024;
const LIMITS: ArchiveLimits = { maxEntries: 2_000, maxInflatedBytes: 200 * MEBIBYTE, maxRatio: 200 };
const INDEX: MadeEntry = { name: 'index.html', content: '<p>Hello</p>' };
const LINK = 0o120777;

interface Unpacked {
  readonly files: Map<string, string>;
  readonly skipped: SkippedFile[];
}

async function unpack(zip: Buffer, limits = LIMITS): Promise<Unpacked> {
  const files = new Map<string, string>();
  const skipped = await new ZipArchiveReader().unpack(
    Readable.from([zip]),
    limits,
    archiveRules,
    async (path, content) => {
      files.set(path, (await buffer(content)).toString('utf8'));
    },
  );
  return { files, skipped };
}

async function refusalOf(zip: Buffer, limits = LIMITS): Promise<string> {
  try {
    await unpack(zip, limits);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).kind).toBe('invalid');
    expect((error as DomainError).detail.argument).toBe('zipUploadId');
    return (error as DomainError).message;
  }
  throw new Error('The archive was accepted.');
}

const refused = (entries: readonly MadeEntry[], rest: Omit<MadeZip, 'entries'> = {}): Promise<string> =>
  refusalOf(makeZip({ entries, ...rest }));

describe('hostile archives', () => {
  it('reads an honest archive, whether packed or stored', async () => {
    const { files } = await unpack(
      makeZip({
        entries: [
          INDEX,
          { name: 'css/' },
          { name: 'css/a.css', content: 'p{}', method: 0 },
          { name: 'empty.txt' },
        ],
      }),
    );
    expect(Object.fromEntries(files)).toEqual({
      'index.html': '<p>Hello</p>',
      'css/a.css': 'p{}',
      'empty.txt': '',
    });
  });

  it.each([
    ['a path that climbs out', '../x.html', 'has a part ".."'],
    ['a path that climbs out later', 'a/../../x.html', 'has a part ".."'],
    ['a path that climbs out with backslashes', '..\\x.html', 'holds a backslash'],
    ['an absolute path', '/etc/passwd', 'is an absolute path'],
    ['an absolute path of a share', '\\\\host\\share\\x', 'holds a backslash'],
    ['a path on a drive', 'C:/x.html', 'holds a colon'],
    ['a path on a drive with a backslash', 'C:\\x.html', 'holds a backslash'],
    ['a path relative to a drive', 'C:x.html', 'holds a colon'],
    ['a stream beside a file', 'index.html:hidden', 'holds a colon'],
    ['an empty name', '', 'is empty'],
    ['a name with a NUL', 'a\0.html', 'holds a control character'],
    ['a name with a line break', 'a\n.html', 'holds a control character'],
    ['a name that reads backwards', 'a\u202Elmth.exe', 'holds an invisible character'],
    ['an empty part', 'a//b.html', 'has an empty part'],
    ['a part of one dot', './x.html', 'has a part "."'],
    ['a device of Windows', 'a/CON.txt', 'is a device name'],
    ['a trailing dot', 'a./x', 'ends in a dot or a space'],
    ['the folder of git in another form', '.GIT/hooks/post-checkout', 'names the folder of git'],
    ['its short name', 'GIT~1/config', 'names the folder of git'],
  ])('refuses %s', async (_what, name, why) => {
    const message = await refused([INDEX, { name, content: 'x' }]);
    expect(message).toContain(why);
    expect(message).toMatch(/entry ".*": it/);
  });

  it('refuses a folder that climbs out, though nothing lies in it', async () => {
    expect(await refused([INDEX, { name: '../out/' }])).toContain('"../out/"');
  });

  it('keeps a legal name that begins with two dots', async () => {
    const { files } = await unpack(makeZip({ entries: [INDEX, { name: '..name.txt', content: 'legal' }] }));
    expect(files.get('..name.txt')).toBe('legal');
  });

  it('refuses a symbolic link, so a file of the same name cannot follow it', async () => {
    const message = await refused([
      { name: 'out', content: '/etc', mode: LINK },
      { name: 'out/passwd', content: 'root::0:0' },
    ]);
    expect(message).toBe(
      'The zip was refused because of its entry "out": it is a symbolic link. Nothing was stored.',
    );
  });

  it('refuses a link of Windows and a device', async () => {
    expect(await refused([{ name: 'out', content: 'x', attributes: 0x400 }])).toContain('symbolic link');
    expect(await refused([{ name: 'tty', content: 'x', mode: 0o020666 }])).toContain('special file');
    expect(await refused([{ name: 'pipe', content: 'x', mode: 0o010666 }])).toContain('special file');
  });

  it('refuses a file that is marked as a folder, and a folder with content', async () => {
    expect(await refused([{ name: 'a', content: 'x', mode: 0o040755 }])).toContain('a file and a folder');
    expect(await refused([{ name: 'a/', content: 'hidden' }])).toContain('a folder that has content');
  });

  it('refuses the same name twice', async () => {
    expect(await refused([INDEX, { ...INDEX, content: 'other' }])).toContain(
      '"index.html": it is there twice',
    );
  });

  it('refuses names that differ in case or Unicode form alone', async () => {
    expect(await refused([INDEX, { name: 'INDEX.html', content: 'x' }])).toContain('case or Unicode form');
    expect(
      await refused([
        { name: 'caf\u00e9.html', content: 'x' },
        { name: 'cafe\u0301.html', content: 'x' },
      ]),
    ).toContain('case or Unicode form');
    expect(
      await refused([
        { name: 'Img/a.png', content: 'x' },
        { name: 'img/b.png', content: 'x' },
      ]),
    ).toContain('"img/b.png"');
  });

  it('refuses a file where another entry needs a folder, in either order', async () => {
    expect(
      await refused([
        { name: 'a', content: 'x' },
        { name: 'a/b', content: 'x' },
      ]),
    ).toContain('"a/b"');
    expect(
      await refused([
        { name: 'a/b', content: 'x' },
        { name: 'a', content: 'x' },
      ]),
    ).toContain('"a"');
  });

  it('refuses encrypted entries of either kind', async () => {
    expect(await refused([INDEX, { name: 'secret.txt', content: 'x', flags: 0x801 }])).toContain(
      '"secret.txt": it is encrypted',
    );
    expect(await refused([INDEX, { name: 'secret.txt', content: 'x', flags: 0x841 }])).toContain('encrypted');
  });

  it('refuses what is packed in a way that it cannot count', async () => {
    expect(await refused([{ name: 'a.txt', content: 'x', method: 14, packed: Buffer.from('x') }])).toContain(
      'method 14',
    );
  });

  it('refuses overlapping entries, the way in which small bombs are made', async () => {
    const content = 'x'.repeat(1_000);
    expect(
      await refused([
        { name: 'a.txt', content },
        { name: 'a.txt'.replace('a', 'b'), localName: 'b.txt', content, offset: 0 },
      ]),
    ).toMatch(/another name|overlaps/);
    // The second header lies inside the data of the first.
    const inner = makeZip({ entries: [{ name: 'b.txt', content: 'y' }] }).subarray(0, 60);
    expect(
      await refused([
        { name: 'a.txt', content: inner, method: 0 },
        { name: 'b.txt', content: 'y', offset: 35 },
      ]),
    ).toContain('overlaps another part');
  });

  it('refuses headers that disagree on the name, the packing or the size', async () => {
    expect(await refused([{ name: 'index.html', localName: '../x.html', content: 'x' }])).toContain(
      'another name in its own header',
    );
    expect(await refused([{ name: 'a.txt', content: 'x', localMethod: 0 }])).toContain(
      'another size or packing',
    );
    expect(await refused([{ name: 'a.txt', content: 'x', localBytes: 5 }])).toContain(
      'another size or packing',
    );
  });

  it('refuses claims about size and checksum that turn out wrong', async () => {
    const content = 'x'.repeat(5_000);
    for (const claimedBytes of [10, 4_999, 5_001])
      expect(await refused([{ name: 'a.txt', content, claimedBytes }])).toContain(
        'another size than its directory',
      );
    expect(await refused([{ name: 'a.txt', content, claimedCrc: 1 }])).toContain('checksum');
    expect(await refused([{ name: 'a.txt', content, packed: Buffer.alloc(40, 0xff) }])).toContain(
      'is damaged',
    );
  });

  it('artifacts 22: refuses 10 GB in 10 MB at once, and when its directory lies about the size', async () => {
    // A flushed block stands for itself, so it can be repeated without being packed again.
    const block = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: constants.Z_FULL_FLUSH });
    const packed = Buffer.concat([...Array<Buffer>(10_240).fill(block), deflateRawSync(Buffer.alloc(0))]);
    expect(packed.length).toBeLessThan(12 * MEBIBYTE);
    const bomb = (claimedBytes: number): Buffer =>
      makeZip({ entries: [{ name: 'bomb.txt', packed, claimedBytes, claimedCrc: 0 }] });
    const honest = bomb(0xfffffffe);
    const lying = bomb(100 * MEBIBYTE);
    const started = Date.now();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    expect(await refusalOf(honest)).toContain('"bomb.txt": it unpacks to more than the 209715200 bytes');
    const message = await refusalOf(lying);
    clearInterval(watch);
    expect(message).toContain('another size than its directory says');
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(peak - before).toBeLessThan(100 * MEBIBYTE);
  });

  it('refuses many entries that unpack to too much together', async () => {
    const content = Buffer.alloc(3 * MEBIBYTE, 'abcdefgh');
    const packed = deflateRawSync(content, { level: 1 });
    const entries = Array.from({ length: 80 }, (_, index) => ({ name: `${index}.txt`, content, packed }));
    const zip = makeZip({ entries });
    expect(await refusalOf(zip, { ...LIMITS, maxRatio: 100_000 })).toContain('209715200');
  });

  it('refuses an entry over 1 MiB that unpacks to more than 200 times its size, and keeps a small one', async () => {
    const large = await refused([{ name: 'zeros.bin', content: Buffer.alloc(2 * MEBIBYTE) }]);
    expect(large).toContain('"zeros.bin": it unpacks to more than 200 times');
    const { files } = await unpack(
      makeZip({ entries: [{ name: 'zeros.bin', content: Buffer.alloc(MEBIBYTE) }] }),
    );
    expect(files.get('zeros.bin')).toHaveLength(MEBIBYTE);
  });

  it('artifacts 22: refuses 3,000 and 100,000 entries', async () => {
    const many = (count: number): MadeEntry[] =>
      Array.from({ length: count }, (_, index) => ({ name: `f/${index}`, content: '', method: 0 }));
    const started = Date.now();
    expect(await refused(many(3_000))).toContain('3000 entries; the limit is 2000');
    const hundred = many(100_000);
    expect(await refused(hundred, { zip64Count: 100_000n, count: 0xffff })).toContain('100000 entries');
    expect(await refused(hundred, { count: 10 })).toContain('does not end after the 10 entries');
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  it('refuses a directory that goes on behind the end it claims, or is shorter', async () => {
    expect(await refused([INDEX, { name: 'hidden.html', content: 'x' }], { count: 1 })).toContain(
      'does not end after the 1 entries',
    );
    expect(await refused([INDEX], { count: 2 })).toContain('damaged');
  });

  it('refuses lies of ZIP64', async () => {
    const huge = Buffer.alloc(4 + 16);
    huge.writeUInt16LE(1, 0);
    huge.writeUInt16LE(16, 2);
    huge.writeBigUInt64LE(1n << 50n, 4);
    huge.writeBigUInt64LE(1n, 12);
    const entry: MadeEntry = { name: 'a.txt', content: 'x', extra: huge, claimedBytes: 0xffffffff };
    expect(await refused([entry])).toMatch(/"a\.txt": it (unpacks to more|overlaps)/);
    const beyond = Buffer.from(huge);
    beyond.writeBigUInt64LE(0xffffffffffffffffn, 4);
    expect(await refused([{ ...entry, extra: beyond }])).toMatch(/unpacks to more|damaged/);
    const absent: MadeEntry = {
      name: 'a.txt',
      content: 'x',
      extra: huge.subarray(0, 4),
      claimedBytes: 0xffffffff,
    };
    expect(await refused([absent])).toContain('damaged');
    expect(await refused([INDEX], { zip64Count: 1n << 60n, count: 0xffff })).toMatch(
      /no complete zip|entries; the limit/,
    );
  });

  it('refuses an archive that is cut off anywhere', async () => {
    const whole = makeZip({ entries: [INDEX, { name: 'b.txt', content: 'y'.repeat(300) }] });
    for (let cut = 0; cut < whole.length; cut += 7) {
      expect(await refusalOf(whole.subarray(0, cut))).toContain('The zip was refused');
    }
    // Cut in the middle, with the end still there.
    const torn = Buffer.concat([whole.subarray(0, 20), whole.subarray(60)]);
    expect(await refusalOf(torn)).toContain('The zip was refused');
  });

  it('refuses what is no zip', async () => {
    expect(await refusalOf(Buffer.from('PK not really'))).toContain('no complete zip');
    expect(await refusalOf(Buffer.alloc(0))).toContain('no complete zip');
  });

  it('shows invisible characters of a name in the refusal instead of printing them', async () => {
    const message = await refused([{ name: 'a\u202E\x1b[31m/../x', content: 'x' }]);
    expect(message).toContain('\\u{202e}');
    for (const invisible of ['\u202E', '\x1b']) expect(message).not.toContain(invisible);
  });

  it('takes off the one top folder, also when a system folder stands beside it', async () => {
    const { files, skipped } = await unpack(
      makeZip({
        entries: [
          { name: 'site/' },
          { name: 'site/index.html', content: 'x' },
          { name: 'site/.env', content: 'SECRET=1' },
          { name: 'site/node_modules/a/index.js', content: 'x' },
          { name: '__MACOSX/site/._index.html', content: 'x' },
        ],
      }),
    );
    expect([...files.keys()]).toEqual(['index.html']);
    expect(skipped.map(({ path }) => path).sort()).toEqual([
      '.env',
      '__MACOSX/site/._index.html',
      'node_modules/a/index.js',
    ]);
  });

  it('keeps inner archives as they are', async () => {
    const inner = makeZip({ entries: [{ name: '../x', content: 'x' }] });
    const { files } = await unpack(makeZip({ entries: [INDEX, { name: 'inner.zip', content: inner }] }));
    expect(files.has('inner.zip')).toBe(true);
  });

  it('passes on the failure of whoever takes the files', async () => {
    const zip = makeZip({ entries: [{ name: 'a.txt', content: 'x'.repeat(200_000) }] });
    await expect(
      new ZipArchiveReader().unpack(Readable.from([zip]), LIMITS, archiveRules, async () => {
        throw new Error('The store is full.');
      }),
    ).rejects.toThrow('The store is full.');
  });

  it('leaves nothing behind, neither beside itself nor outside', async () => {
    const root = await mkdtemp(join(tmpdir(), 'loupe-archives-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = root;
    try {
      await unpack(makeZip({ entries: [INDEX] }));
      await refused([{ name: '../escaped.html', content: 'x' }]);
      await refused([{ name: 'a.txt', content: 'x'.repeat(9_000), claimedCrc: 1 }]);
      expect(await readdir(root)).toEqual([]);
    } finally {
      process.env.TMPDIR = before;
      if (before === undefined) delete process.env.TMPDIR;
      await rm(root, { recursive: true, force: true });
    }
  });
});
