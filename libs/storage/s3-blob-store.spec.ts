import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import type { BlobBucketSettings } from '#libs/configuration/blob-bucket.js';
import type { BlobStorageUnavailable } from './blob-refusals.js';
import { S3BlobStore, type S3Patience } from './s3-blob-store.js';
import { S3Server } from './testing/s3-server.js';

const MEBIBYTE = 1024 * 1024;
const HASTE: S3Patience = { connect: 1_500, answer: 300, part: 300, silence: 300, attempts: 2 };
const options = { maxBytes: 20 * MEBIBYTE, contentType: 'application/octet-stream' };

let s3: S3Server;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  s3 = await S3Server.start();
});
afterAll(() => s3.stop());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function storeOf(more: Partial<BlobBucketSettings> = {}, patience?: S3Patience): S3BlobStore {
  const store = new S3BlobStore(s3.bucket(more), patience);
  ends.push(() => store.onApplicationShutdown());
  return store;
}

/** A store of the test's own making. @returns its address */
async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `count` chunks that cannot be mistaken for one another. */
function* chunks(count: number): Generator<Buffer> {
  for (let at = 0; at < count; at++) yield Buffer.alloc(MEBIBYTE, at + 1);
}

const advice = async (attempt: Promise<unknown>): Promise<string> => {
  const error = (await attempt.then(
    () => null,
    (given: unknown) => given,
  )) as BlobStorageUnavailable;
  expect(error).toMatchObject({ kind: 'unavailable', code: 'blob_storage_unavailable' });
  return error.advice;
};

describe('S3BlobStore', () => {
  it('sends a large content in parts and gives it back as it was', async () => {
    const whole = Buffer.concat([...chunks(13)]);
    const sha256 = createHash('sha256').update(whole).digest('hex');
    const store = storeOf();
    expect(await store.put('artifacts/large', Readable.from(chunks(13)), options)).toEqual({
      bytes: whole.length,
      sha256,
    });
    expect((await buffer(await store.open('artifacts/large'))).equals(whole)).toBe(true);
    const seam = { start: 5 * MEBIBYTE - 1, end: 5 * MEBIBYTE };
    expect([...(await buffer(await store.open('artifacts/large', seam)))]).toEqual([5, 6]);
    expect(s3.openUploads).toBe(0);
  });

  it('throws the parts of a content away that is too large or breaks off', async () => {
    const store = storeOf();
    await store.put('artifacts/kept', Readable.from(['old']), options);
    await expect(
      store.put('artifacts/kept', Readable.from(chunks(13)), { ...options, maxBytes: 12 * MEBIBYTE }),
    ).rejects.toMatchObject({ kind: 'too-large' });
    const broken = Readable.from(
      (async function* () {
        yield* chunks(12);
        throw new Error('gone');
      })(),
    );
    await expect(store.put('artifacts/kept', broken, options)).rejects.toThrow('gone');
    expect(await text(await store.open('artifacts/kept'))).toBe('old');
    expect(s3.openUploads).toBe(0);
  });

  it('keeps everything below its prefix', async () => {
    await storeOf({ prefix: 'other/deep/' }).put('exports/x', Readable.from(['x']), options);
    expect(s3.keys).toContain('other/deep/exports/x');
    expect((await storeOf({ prefix: 'other/deep/' }).list('exports/')).keys).toEqual(['exports/x']);
    expect(await storeOf().exists('exports/x')).toBe(false);
  });

  it('takes no key that leads elsewhere', async () => {
    await expect(storeOf().exists('../x')).rejects.toThrow('no key');
  });

  it('sends no ACL unless told to, and then with every object', async () => {
    const seen: (string | undefined)[] = [];
    const endpoint = await listening((request, response) => {
      seen.push(request.headers['x-amz-acl'] as string | undefined);
      request.resume().on('end', () => response.setHeader('etag', '"1"').end());
    });
    await storeOf({ endpoint }).put('artifacts/acl', Readable.from(['x']), options);
    await storeOf({ endpoint, acl: 'private' }).put('artifacts/acl', Readable.from(['x']), options);
    expect(seen).toEqual([undefined, 'private']);
  });

  it('asks again when the store stumbles', async () => {
    let asked = 0;
    const endpoint = await listening((request, response) => {
      request.resume();
      asked += 1;
      response.writeHead(asked < 3 ? 503 : 200).end();
    });
    expect(await storeOf({ endpoint }).exists('artifacts/x')).toBe(true);
    expect(asked).toBe(3);
  });

  it('gives up on a store that takes requests and never answers', async () => {
    const endpoint = await listening((request) => request.resume());
    const store = storeOf({ endpoint }, HASTE);
    for (const attempt of [
      () => store.exists('artifacts/x'),
      () => store.open('artifacts/x'),
      () => store.delete('artifacts/x'),
      () => store.list('artifacts/'),
      () => store.put('artifacts/x', Readable.from(['x']), options),
    ]) {
      expect(await advice(attempt())).toMatch(/does not answer .*BLOB_STORAGE_ENDPOINT/);
    }
  }, 20_000);

  it('ends a content that stops on its way', async () => {
    const endpoint = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half');
    });
    const content = await storeOf({ endpoint }, HASTE).open('artifacts/x');
    await expect(text(content)).rejects.toThrow();
  }, 20_000);

  it('says so when nobody listens, and ends the content that was on its way', async () => {
    const content = Readable.from(chunks(13));
    const store = storeOf({ endpoint: 'http://127.0.0.1:1' });
    expect(await advice(store.put('artifacts/x', content, options))).toMatch(
      /does not answer \(ECONNREFUSED\)/,
    );
    expect(content.destroyed).toBe(true);
  }, 20_000);

  it('never takes a missing bucket for a missing content', async () => {
    const store = storeOf({ bucket: 'no-such-bucket' });
    for (const attempt of [
      () => store.open('artifacts/x'),
      () => store.list('artifacts/'),
      () => store.put('artifacts/x', Readable.from(['x']), options),
    ]) {
      expect(await advice(attempt())).toMatch(/no bucket "no-such-bucket" .*BLOB_STORAGE_BUCKET/);
    }
  });

  it('names the key that the store does not accept, and no secret', async () => {
    const { key } = s3.bucket().credentials!;
    for (const credentials of [
      { key, secret: 'not the secret' },
      { key: 'somebody', secret: 'not the secret' },
    ]) {
      const said = await advice(storeOf({ credentials }).list('artifacts/'));
      expect(said).toMatch(/does not accept the key\. Correct BLOB_STORAGE_KEY and BLOB_STORAGE_SECRET/);
      expect(said).not.toContain('not the secret');
    }
  });
});
