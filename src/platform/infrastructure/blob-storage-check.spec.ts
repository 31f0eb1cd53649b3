import { S3Server } from '#libs/storage/testing/s3-server.js';
import { TestDatabase } from '../../../test/support/test-database.js';
import { as, type PlatformApp, startPlatform } from '../testing/platform-app.js';

/** The row "Blob storage" of the status page, with files in a bucket (`platform.md` 11.1, 15.4). */
describe('The check of blob storage in a bucket', () => {
  let s3: S3Server;
  let test: TestDatabase;
  let platform: PlatformApp | null = null;

  beforeAll(async () => {
    s3 = await S3Server.start();
    test = await TestDatabase.start();
  });
  afterEach(async () => {
    await platform?.stop();
    platform = null;
  });
  afterAll(async () => {
    await test?.stop();
    await s3?.stop();
  });

  async function found(env: Record<string, string> = {}): Promise<{ state: string; sentence: string }> {
    platform = await startPlatform(test.url, { env: { ...s3.env, ...env } });
    const answer = await fetch(`${platform.url}/api/admin/status`, { headers: as('admin') });
    const { checks } = (await answer.json()) as {
      checks: { name: string; state: string; sentence: string }[];
    };
    return checks.find(({ name }) => name === 'Blob storage')!;
  }

  it('writes, reads, lists and deletes, and leaves nothing behind', async () => {
    expect(await found()).toMatchObject({
      state: 'ok',
      sentence: 'Blobs can be written, read, listed and deleted.',
    });
    expect(s3.keys).toEqual([]);
  });

  it.each([
    [
      'a bucket that is not there',
      { BLOB_STORAGE_BUCKET: 'no-such-bucket' },
      /Create it, or correct BLOB_STORAGE_BUCKET/,
    ],
    ['a wrong secret', { BLOB_STORAGE_SECRET: 'wrong' }, /Correct BLOB_STORAGE_KEY and BLOB_STORAGE_SECRET/],
    [
      'an address where nobody listens',
      { BLOB_STORAGE_ENDPOINT: 'http://127.0.0.1:1' },
      /Check BLOB_STORAGE_ENDPOINT/,
    ],
  ])('says what to do about %s', async (_what, env, sentence) => {
    expect(await found(env)).toMatchObject({ state: 'failed', sentence: expect.stringMatching(sentence) });
  });
});
