import { randomBytes } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { GitRepositories } from '../ports/git-repositories.js';
import { MintGitToken } from './mint-git-token.js';
import { ReceiveUpload } from './receive-upload.js';
import { ReserveUpload } from './reserve-upload.js';
import { StartPush } from './start-push.js';
import { TidyWaysIn } from './tidy-ways-in.js';

const HOUR = 3_600_000;

describe('tidying the ways in', () => {
  let db: TestDatabase;
  let rig: LibraryRig;

  beforeAll(async () => {
    db = await TestDatabase.start();
    rig = await LibraryRig.start(db.database);
  });

  afterAll(async () => {
    await rig.stop();
    await db.stop();
  });

  it('takes away uploads that ran out, with their bytes and those of a killed process, and keeps open ones', async () => {
    const send = async (): Promise<{ id: string; key: string }> => {
      const { zipUploadId: id, uploadUrl } = await rig
        .get(ReserveUpload)
        .execute(rig.owner, { projectId: rig.projectId });
      await rig.get(ReceiveUpload).execute({
        uploadId: id,
        secret: uploadUrl.split('/').at(-1)!,
        announcedBytes: null,
        content: Readable.from([Buffer.from('bytes')]),
      });
      const row = await db.database.one<{ key: string }>(
        'SELECT blob_key AS key FROM artifacts.upload WHERE id = $1',
        [id],
      );
      return { id, key: row!.key };
    };
    const old = await send();
    const stray = `artifacts/uploads/${rig.ids.next()}/left`;
    const blobs = rig.get(BlobStore);
    await blobs.put(stray, Readable.from([Buffer.from('x')]), { maxBytes: 10, contentType: 'text/plain' });
    rig.clock.advance(HOUR / 2);
    const open = await send();
    await rig.get(TidyWaysIn).execute();
    expect(await Promise.all([old.key, stray, open.key].map((key) => blobs.exists(key)))).toEqual([
      false,
      false,
      true,
    ]);
    const states = await db.database.query<{ id: string; state: string }>(
      'SELECT id, state FROM artifacts.upload',
    );
    expect(Object.fromEntries(states.map(({ id, state }) => [id, state]))).toEqual({
      [old.id]: 'expired',
      [open.id]: 'uploaded',
    });
  });

  it('takes away what was staged for pushes that are over', async () => {
    const content = randomBytes(300_000);
    const { pushId } = await rig.get(StartPush).execute(rig.owner, {
      projectId: rig.projectId,
      files: [{ path: 'index.html', sha256: 'a'.repeat(64), bytes: 1 }],
    });
    await rig.get(GitRepositories).stage(pushId, [{ sha256: 'b'.repeat(64), content }]);
    const folder = join(rig.folder, 'git', '.pushes', pushId);
    // As old as the clock of the tests has it.
    utimesSync(folder, rig.clock.now(), rig.clock.now());
    rig.clock.advance(HOUR);
    await rig.get(TidyWaysIn).execute();
    expect(existsSync(folder)).toBe(true);
    rig.clock.advance(1.5 * HOUR);
    await rig.get(TidyWaysIn).execute();
    expect(existsSync(folder)).toBe(false);
  });

  it('forgets pushes a day and git tokens a week after their end', async () => {
    const { artifactId } = await rig.create();
    await rig.get(MintGitToken).execute(rig.owner, { artifactId });
    await rig.get(StartPush).execute(rig.owner, {
      projectId: rig.projectId,
      files: [{ path: 'index.html', sha256: 'a'.repeat(64), bytes: 1 }],
    });
    const left = async () =>
      db.database.one<{ pushes: number; tokens: number }>(
        `SELECT (SELECT count(*) FROM artifacts.push) AS pushes, (SELECT count(*) FROM artifacts.git_token) AS tokens`,
      );
    rig.clock.advance(24 * HOUR);
    await rig.get(TidyWaysIn).execute();
    expect(await left()).toEqual({ pushes: 1, tokens: 1 });
    rig.clock.advance(2 * HOUR);
    await rig.get(TidyWaysIn).execute();
    expect(await left()).toEqual({ pushes: 0, tokens: 1 });
    rig.clock.advance(7 * 24 * HOUR);
    await rig.get(TidyWaysIn).execute();
    expect(await left()).toEqual({ pushes: 0, tokens: 0 });
  });
});
