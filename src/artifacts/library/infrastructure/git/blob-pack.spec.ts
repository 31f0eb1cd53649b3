import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packOf } from './blob-pack.js';
import { gitEnvironment } from './git-process.js';

const folder = mkdtempSync(join(tmpdir(), 'loupe-pack-'));
const git = (...args: string[]): Buffer =>
  execFileSync('git', args, {
    cwd: folder,
    env: gitEnvironment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 4 * 1_048_576,
  });

beforeAll(() => git('init', '--quiet', '--bare', '.'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function stored(contents: readonly Buffer[]) {
  const made = await packOf(contents);
  const base = join(folder, 'objects', 'pack', `pack-${made.checksum}`);
  writeFileSync(`${base}.pack`, Buffer.concat(made.pack));
  writeFileSync(`${base}.idx`, made.index);
  return { ...made, bytes: Buffer.concat(made.pack).length, file: `${base}.pack` };
}

describe('a pack of blobs', () => {
  it('is one that git verifies and reads, whatever the sizes', async () => {
    // Sizes around those where the head of an entry takes a byte more.
    const sizes = [0, 1, 15, 16, 2_047, 2_048, 65_535, 65_536, 262_143, 262_144, 1_048_576];
    const contents = [
      ...sizes.map((size) => randomBytes(size)),
      ...sizes.slice(1).map((size) => Buffer.alloc(size, 'All work and no play. ')),
      ...Array.from({ length: 300 }, (_, at) => Buffer.from(`short ${at}`)),
    ];
    const { oids, checksum, file } = await stored(contents);
    expect(git('verify-pack', '--verbose', file).toString()).toContain(
      `non delta: ${contents.length} objects`,
    );
    expect(git('index-pack', '-o', join(folder, 'again.idx'), file).toString().trim()).toBe(checksum);
    for (const [at, content] of contents.slice(0, 30).entries()) {
      expect(oids[at]).toBe(oidBy(content));
      expect(git('cat-file', 'blob', oids[at]!).equals(content)).toBe(true);
    }
    expect(git('fsck', '--full', '--strict', '--no-dangling').toString()).toBe('');
  });

  it('has the index that git itself would make', async () => {
    const contents = Array.from({ length: 1_000 }, (_, at) => Buffer.from(`text ${at}`));
    const { index, file } = await stored(contents);
    const other = join(folder, 'other.idx');
    git('-c', 'pack.writeReverseIndex=false', 'index-pack', '-o', other, file);
    expect(readFileSync(other).equals(index)).toBe(true);
  });

  it('compresses what is worth it and leaves the rest as it is', async () => {
    const text = Buffer.from('export const answer = 42;\n'.repeat(4_000));
    expect((await stored([text])).bytes).toBeLessThan(text.length / 10);
    const base64 = Buffer.from(randomBytes(75_000).toString('base64'));
    const { bytes } = await stored([base64]);
    expect(bytes).toBeGreaterThan(base64.length);
    expect(bytes).toBeLessThan(base64.length + 200);
  });

  it('compresses also a text that begins with what does not compress', async () => {
    const text = Buffer.concat([randomBytes(8_000), Buffer.alloc(200_000, 'The quick brown fox. ')]);
    expect((await stored([text])).bytes).toBeLessThan(20_000);
  });
});

function oidBy(content: Buffer): string {
  return execFileSync('git', ['hash-object', '--stdin'], { input: content, env: gitEnvironment(folder) })
    .toString()
    .trim();
}
