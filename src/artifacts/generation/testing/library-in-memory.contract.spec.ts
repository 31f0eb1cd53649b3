import { DomainError } from '#libs/kernel/errors.js';
import type { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { LibraryRig } from '#src/artifacts/library/testing/library-rig.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { ArtifactBlobs } from '../../library/application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '../../library/application/ports/artifact-directory.js';
import { ArtifactStates } from '../../library/application/ports/artifact-states.js';
import { VersionStore } from '../../library/application/ports/version-store.js';
import { LibraryInMemory } from './library-in-memory.js';

interface Served {
  readonly states: LibraryInMemory['states'];
  readonly directory: LibraryInMemory['directory'];
  readonly blobs: LibraryInMemory['blobs'];
  readonly versions: LibraryInMemory['versions'];
}

/** What generation relies on, of the real library and of the one that its tests use. */
describe.each(['in memory', 'real'] as const)('the library as generation sees it (%s)', (which) => {
  let database: TestDatabase;
  let rig: LibraryRig;
  let served: Served;

  beforeAll(async () => {
    database = await TestDatabase.start();
    rig = await LibraryRig.start(database.database);
    served =
      which === 'real'
        ? {
            states: rig.get(ArtifactStates),
            directory: rig.get(ArtifactDirectory),
            blobs: rig.get(ArtifactBlobs),
            versions: rig.get(VersionStore),
          }
        : new LibraryInMemory(rig.access as FakeProjectAccess, database.database);
  });

  afterAll(async () => {
    await rig.stop();
    await database.stop();
  });

  async function generating(): Promise<string> {
    const artifactId = rig.ids.next();
    const workspaceId = await rig.chosen();
    await database.database.run(() =>
      served.states.addGenerating(
        rig.agent,
        {
          artifactId,
          projectId: rig.projectId,
          workspaceId,
          name: 'Untitled project',
          description: '',
          artifactType: 'app',
          framework: 'html',
          origin: 'p2c',
          entryWish: null,
        },
        { kind: 'agent', personId: rig.owner.personId },
      ),
    );
    return artifactId;
  }

  const facts = (artifactId: string) =>
    served.directory.require(rig.agent, artifactId, 'read', rig.projectId);
  const inUnit = <T>(work: () => Promise<T>) => database.database.run(work);

  async function store(artifactId: string, inTransaction: () => Promise<void>) {
    const blob = await served.blobs.put(Buffer.from('<h1>Hello</h1>'), { maxBytes: 1_000 });
    return served.versions.store({
      target: { artifactId },
      actor: { kind: 'system', jobName: 'test' },
      maker: { kind: 'agent', personId: rig.owner.personId },
      files: [{ path: 'index.html', blob }],
      notes: '',
      source: 'generate',
      always: true,
      inTransaction,
    });
  }

  it('goes from generating to failed and back', async () => {
    const artifactId = await generating();
    expect(await facts(artifactId)).toMatchObject({
      status: 'generating',
      name: 'Untitled project',
      error: null,
      latestVersion: null,
      headRevision: null,
    });
    await inUnit(() => served.states.fail(artifactId, 'It broke.'));
    expect(await facts(artifactId)).toMatchObject({ status: 'failed', error: 'It broke.' });
    await inUnit(() => served.states.generateAgain(artifactId));
    expect(await facts(artifactId)).toMatchObject({ status: 'generating', error: null });
  });

  it('is ready with its name when the version is stored, and not before', async () => {
    const artifactId = await generating();
    const stopped = store(artifactId, async () => {
      await served.states.succeed(artifactId, 'Bees');
      throw new Error('stopped');
    });
    await expect(stopped).rejects.toThrow('stopped');
    expect(await facts(artifactId)).toMatchObject({ status: 'generating', latestVersion: null });
    const stored = await store(artifactId, () => served.states.succeed(artifactId, 'Bees'));
    expect(stored).toMatchObject({ artifactId, version: 1, unchanged: false });
    expect(await facts(artifactId)).toMatchObject({
      status: 'ready',
      name: 'Bees',
      latestVersion: 1,
      headRevision: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });

  it('is found by nobody else, and not in another project', async () => {
    const artifactId = await generating();
    const refusals = [
      served.directory.require(rig.stranger, artifactId, 'read', rig.projectId),
      served.directory.require(rig.agent, artifactId, 'read', rig.otherProjectId),
      served.directory.require(rig.agent, rig.ids.next(), 'read', rig.projectId),
    ];
    for (const refused of refusals) {
      const error = await refused.then(
        () => null,
        (thrown) => thrown as DomainError,
      );
      expect([error?.kind, error?.message]).toEqual(['not-found', 'Artifact not found or not accessible.']);
    }
    const viewer = served.directory.require(rig.viewer, artifactId, 'write', rig.projectId);
    await expect(viewer).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('refuses a file above the limit', async () => {
    await expect(served.blobs.put(Buffer.alloc(11), { maxBytes: 10 })).rejects.toBeInstanceOf(DomainError);
  });
});
