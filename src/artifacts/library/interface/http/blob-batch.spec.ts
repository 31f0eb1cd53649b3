import { createHash, randomBytes } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { PUSH_BATCH } from '../../domain/push-manifest.js';
import { contentsOfBatch } from './blob-batch.js';

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const headOf = (content: Uint8Array, bytes = content.length) => `${hashOf(content)} ${bytes}\n`;
const batchOf = (contents: readonly Uint8Array[]) =>
  Buffer.concat(contents.flatMap((content) => [Buffer.from(headOf(content)), content]));

async function read(body: Readable): Promise<string[]> {
  const found: string[] = [];
  for await (const { sha256, content } of contentsOfBatch(body)) {
    expect(hashOf(content)).toBe(sha256);
    found.push(sha256);
  }
  return found;
}

describe('a batch of small files', () => {
  it('is read as it was written, however its bytes are cut on the way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        fc.array(fc.nat(90), { maxLength: 30 }),
        async (contents, cuts) => {
          const whole = batchOf(contents);
          const parts: Buffer[] = [];
          let from = 0;
          for (const cut of cuts) {
            parts.push(whole.subarray(from, from + cut));
            from += cut;
          }
          parts.push(whole.subarray(from));
          expect(await read(Readable.from(parts, { objectMode: false }))).toEqual(contents.map(hashOf));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may hold nothing', async () => {
    expect(await read(Readable.from([]))).toEqual([]);
  });

  it.each<[string, (content: Buffer) => Buffer | string, string]>([
    ['words', () => 'hello', 'is no line of a hash and a size'],
    ['a head without its end', (content) => headOf(content).trim(), 'is no line'],
    ['a hash in capitals', (content) => headOf(content).toUpperCase(), 'is no line'],
    ['a negative size', (content) => `${hashOf(content)} -1\n`, 'is no line'],
    ['a size with more in front', (content) => `${hashOf(content)} 007\n`, 'is no line'],
    ['bytes that end early', (content) => batchOf([content]).subarray(0, -1), 'breaks off'],
    ['a line that never ends', () => 'a'.repeat(10_000), 'is no line'],
  ])('with %s behind whole files is refused, and those are given', async (_what, tail, sentence) => {
    const good = [randomBytes(10), randomBytes(20)];
    const found: string[] = [];
    const reading = (async () => {
      const body = Readable.from([batchOf(good), tail(randomBytes(30))], { objectMode: false });
      for await (const { sha256 } of contentsOfBatch(body)) found.push(sha256);
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'invalid', code: 'bad_batch' });
    await expect(reading).rejects.toThrow(sentence);
    await expect(reading).rejects.toThrow('What follows the 2 whole files');
    expect(found).toEqual(good.map(hashOf));
  });

  it('past a limit is refused before the bytes are read, and the stream can be read to its end', async () => {
    const large = `${'0'.repeat(64)} ${PUSH_BATCH.fileBytes + 1}\n`;
    const body = new PassThrough();
    body.write(large);
    await expect(read(body)).rejects.toMatchObject({ kind: 'too-large' });
    body.end('the rest');
    expect(await text(body)).toBe('the rest');
    const many = batchOf(Array.from({ length: PUSH_BATCH.files + 1 }, () => Buffer.from('x')));
    await expect(read(Readable.from([many], { objectMode: false }))).rejects.toThrow('Send several.');
    const heavy = batchOf(
      Array.from({ length: 9 }, (_, at) => Buffer.alloc(PUSH_BATCH.fileBytes, String(at))),
    );
    await expect(read(Readable.from([heavy], { objectMode: false }))).rejects.toMatchObject({
      kind: 'too-large',
    });
  });

  it('ends with the fault of its stream', async () => {
    const body = new PassThrough();
    body.write(batchOf([Buffer.from('whole')]));
    const reading = read(body);
    body.destroy(new Error('The client has gone.'));
    await expect(reading).rejects.toThrow('The client has gone.');
  });
});
