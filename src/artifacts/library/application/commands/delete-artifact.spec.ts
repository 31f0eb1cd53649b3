import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LocalBlobStore } from '#libs/storage/local-blob-store.js';
import { TestDatabase } from '../../../../../test/support/test-database.js';
import { until } from '../../../../../test/support/until.js';
import { RealGitRepositories } from '../../infrastructure/git/real-git-repositories.js';
import { blobKey } from '../../infrastructure/stored-artifact-blobs.js';
import { LibraryRig } from '../../testing/library-rig.js';
import { LibraryHooks } from '../ports/library-hooks.js';
import { GetArtifact } from '../queries/get-artifact.js';
import { GetUsage } from '../queries/get-usage.js';
import { CollectGarbage } from './collect-garbage.js';
import { DeleteArtifact } from './delete-artifact.js';
import { PurgeArtifacts } from './purge-artifacts.js';
import { UndeleteArtifact } from './undelete-artifact.js';

const NOT_FOUND = 'Artifact not found or not accessible.';
const DAY_MS = 86_400_000;

let testDatabase: TestDatabase;
let rig: LibraryRig;

beforeAll(async () => {
  testDatabase = await TestDatabase.start();
  rig = await LibraryRig.start(testDatabase.database);
});
beforeEach(() => rig.forget());
afterAll(async () => {
  await rig?.stop();
  await testDatabase?.stop();
});

const system = { kind: 'system', jobName: 'test' } as const;
const operations = () => rig.audit.entries.map(({ operation }) => operation);

describe('deleting', () => {
  it('artifacts 60: hides for 30 days, then removes rows, repository and bytes for good', async () => {
    const kept = await rig.create({ 'index.html': 'shared bytes' });
    const { artifactId } = await rig.create({ 'index.html': 'shared bytes', 'own.txt': 'bytes of its own' });
    const input = { projectId: rig.projectId, artifactId };
    await expect(rig.get(DeleteArtifact).execute(rig.member, input)).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await rig.get(DeleteArtifact).execute(rig.owner, input);
    await expect(rig.read(artifactId, 'index.html')).rejects.toThrow(NOT_FOUND);
    await expect(rig.push(artifactId, { 'index.html': 'x' })).rejects.toThrow(NOT_FOUND);
    await rig.get(UndeleteArtifact).execute(rig.owner, input);
    expect((await rig.read(artifactId, 'own.txt')).content).toMatchObject({ text: 'bytes of its own' });

    await rig.get(DeleteArtifact).execute(rig.owner, input);
    expect(await rig.get(PurgeArtifacts).execute(system)).toBe(0);
    const before = await rig.get(GetUsage).execute(rig.owner, { projectId: rig.projectId });
    rig.clock.advance(31 * DAY_MS);
    await expect(rig.get(UndeleteArtifact).execute(rig.owner, input)).rejects.toThrow(NOT_FOUND);
    rig.forget();
    expect(await rig.get(PurgeArtifacts).execute(system)).toBe(1);
    expect(operations()).toEqual(['artifact.purged']);
    const after = await rig.get(GetUsage).execute(rig.owner, { projectId: rig.projectId });
    expect(after.artifacts).toBe(before.artifacts - 1);
    expect(after.bytes).toBe(before.bytes - 'bytes of its own'.length);
    const gone = rig.get(RealGitRepositories).pathOf(artifactId);
    await until(() => !existsSync(gone));

    const sha256 = createHash('sha256').update('bytes of its own').digest('hex');
    const stored = () =>
      testDatabase.database.query('SELECT 1 FROM artifacts.blob WHERE sha256 = $1', [sha256]);
    expect(await stored()).toHaveLength(1);
    await rig.get(CollectGarbage).execute();
    expect(await stored()).toEqual([]);
    expect(existsSync(join(rig.configuration.values.blobStorageDir, blobKey(sha256)))).toBe(false);
    expect((await rig.read(kept.artifactId, 'index.html')).content).toMatchObject({ text: 'shared bytes' });
  });

  it('is refused while the artifact is published', async () => {
    const { artifactId } = await rig.create();
    rig.get(LibraryHooks).servePublishedArtifacts({
      takenDownReason: async () => null,
      of: async (ids) =>
        new Map(
          ids.filter((id) => id === artifactId).map((id) => [id, { liveUrl: 'https://live', version: 1 }]),
        ),
    });
    await expect(
      rig.get(DeleteArtifact).execute(rig.owner, { projectId: rig.projectId, artifactId }),
    ).rejects.toMatchObject({ code: 'published' });
    const answer = await rig.get(GetArtifact).execute(rig.agent, { projectId: rig.projectId, artifactId });
    expect(answer).toMatchObject({ published: true, liveUrl: 'https://live' });
  });
});

describe('garbage', () => {
  it('bytes that were just brought are never collected, nor those that a version took meanwhile', async () => {
    const [candidate] = await rig.files({ 'late.txt': 'brought long ago' });
    rig.clock.advance(2 * DAY_MS);
    const [again] = await rig.files({ 'late.txt': 'brought long ago' });
    expect(again!.blob.sha256).toBe(candidate!.blob.sha256);
    await rig.get(CollectGarbage).execute();
    const { artifactId } = await rig.create({ 'late.txt': 'brought long ago' });
    rig.clock.advance(2 * DAY_MS);
    await rig.get(CollectGarbage).execute();
    expect((await rig.read(artifactId, 'late.txt')).content).toMatchObject({ text: 'brought long ago' });
  });

  it('a damaged file is found, and named on the status page', async () => {
    const { artifactId } = await rig.create({ 'index.html': 'will rot' });
    const { version } = await rig
      .get(GetArtifact)
      .execute(rig.agent, { projectId: rig.projectId, artifactId });
    await new LocalBlobStore(rig.configuration).delete(blobKey(version!.files[0]!.sha256));
    // A night looks at some of all files, from a place that the time decides.
    await until(async () => {
      rig.clock.advance(DAY_MS);
      await rig.get(CollectGarbage).execute();
      const row = await testDatabase.database.one('SELECT 1 FROM artifacts.damaged_blob WHERE sha256 = $1', [
        version!.files[0]!.sha256,
      ]);
      return row !== null;
    }, 30_000);
  });
});
