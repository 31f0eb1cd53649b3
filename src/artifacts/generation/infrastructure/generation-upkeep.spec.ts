import type { DomainEvent } from '#libs/kernel/domain-event.js';
import type { Jobs } from '#libs/kernel/ports/jobs.js';
import { LibraryRig } from '#src/artifacts/library/testing/library-rig.js';
import { JobSources } from '#src/platform/application/ports/job-sources.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { ArtifactDirectory } from '../../library/application/ports/artifact-directory.js';
import { WhenArtifactDeleted } from '../application/reactions/when-artifact-deleted.js';
import { WhenPersonDeleted } from '../application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from '../application/reactions/when-project-deleted.js';
import { GenerationRig, SYSTEM } from '../testing/generation-rig.js';
import { SharedGenerationFacts } from './generation-facts.js';
import { GenerationQueue } from './generation-queue.js';
import { JobProgressReader } from './job-progress.js';
import { KnownGenerators } from './known-generators.js';

describe('what goes on around generation', () => {
  let database: TestDatabase;
  let rig: GenerationRig;

  beforeAll(async () => {
    database = await TestDatabase.start();
  });

  afterAll(() => database.stop());

  beforeEach(async () => {
    await database.database.query('DELETE FROM artifacts.generation_job');
    rig = new GenerationRig(database.database);
  });

  const event = (given: Partial<DomainEvent>): DomainEvent => ({
    id: rig.ids.next(),
    type: 'X',
    version: 1,
    aggregateId: rig.ids.next(),
    projectId: null,
    personId: null,
    payload: {},
    actor: { kind: 'system', id: null },
    occurredAt: rig.clock.now(),
    ...given,
  });
  const ask = (prompt: string) => rig.ask({ type: 'p2c', prompt });

  it('a lost queue is filled again with the jobs that are not done, and only with those', async () => {
    const first = await ask('a');
    const second = await ask('b');
    await rig.cancel.execute(rig.person(), { projectId: rig.projectId, artifactId: second.artifactId });
    const third = await ask('c');
    const sources = new JobSources();
    const handled: string[] = [];
    const jobs = { every: () => undefined, process: (_: string, name: string) => handled.push(name) };
    new GenerationQueue(jobs as unknown as Jobs, sources, rig.jobs, rig.run, rig.sweep).onModuleInit();
    expect(handled).toEqual([
      'artifacts.generate',
      'artifacts.sweep-generations',
      'artifacts.purge-generations',
    ]);
    const calls = [];
    for await (const page of sources.all[0]!.pages()) calls.push(...page);
    expect(calls).toEqual(
      [first, third].map(({ jobId }) => ({
        queue: 'artifact-generation',
        id: `gen_${jobId}_1`,
        name: 'artifacts.generate',
        data: { jobId },
      })),
    );
  });

  it('a deleted artifact is generated no further', async () => {
    const { artifactId } = await ask('a');
    const reaction = new WhenArtifactDeleted(database.database, rig.jobs, rig.end);
    await reaction.handle(event({ aggregateId: artifactId }));
    await reaction.handle(event({ aggregateId: artifactId }));
    await reaction.handle(event({ aggregateId: rig.ids.next() }));
    expect(await rig.rows()).toMatchObject([{ state: 'cancelled' }]);
    expect([rig.queue.entries.size, rig.library.only.error]).toEqual([0, 'Cancelled.']);
  });

  it('jobs go with their project, with what was asked and the secrets', async () => {
    await rig.ask({ type: 'f2c', fileKey: 'abc', nodesId: ['1:2'] }, rig.ownerId, 'figd_token');
    await new WhenProjectDeleted(rig.jobs, rig.queue).handle(event({ projectId: rig.projectId }));
    expect([await rig.rows(), await rig.secretCount(), rig.queue.entries.size]).toEqual([[], 0, 0]);
  });

  it('a deleted person is named by no job; what they asked for goes on', async () => {
    await ask('a');
    await new WhenPersonDeleted(rig.jobs).handle(event({ personId: rig.ownerId }));
    await rig.work();
    const rows = await database.database.query('SELECT state, requested_by FROM artifacts.generation_job');
    expect(rows).toEqual([{ state: 'succeeded', requested_by: null }]);
  });

  it('the library shows the latest job, the failures of the instance and which generators are at hand', async () => {
    const facts = new SharedGenerationFacts(
      database.database,
      new JobProgressReader(rig.jobs),
      rig.flags,
      new KnownGenerators([rig.website, rig.model, rig.bridge]),
    );
    const { artifactId, jobId } = await ask('a');
    expect(await facts.of(artifactId)).toEqual({
      jobId,
      type: 'p2c',
      generator: 'model-endpoint',
      state: 'queued',
      progress: 0,
      error: null,
      notes: [],
    });
    expect(await facts.of(rig.ids.next())).toBeNull();
    await rig.end.fail(SYSTEM, jobId, 'It broke.');
    expect(await facts.failed(5)).toMatchObject([
      { artifactId, projectId: rig.projectId, error: 'It broke.' },
    ]);
    expect(await facts.generators()).toEqual([
      {
        type: 'p2c',
        order: ['model-endpoint', 'bridge-worker'],
        available: [
          { key: 'model-endpoint', available: true, why: null },
          { key: 'bridge-worker', available: false, why: 'no running bridge serves this project' },
        ],
      },
      {
        type: 'l2c',
        order: ['website-snapshot', 'bridge-worker'],
        available: [
          { key: 'website-snapshot', available: true, why: null },
          { key: 'bridge-worker', available: false, why: 'no running bridge serves this project' },
        ],
      },
      {
        type: 'f2c',
        order: ['figma-rest', 'bridge-worker'],
        available: [
          { key: 'figma-rest', available: false, why: 'this server has no generator figma-rest' },
          { key: 'bridge-worker', available: false, why: 'no running bridge serves this project' },
        ],
      },
    ]);
  });

  it('ended jobs of purged artifacts are forgotten, those of others stay', async () => {
    const library = await LibraryRig.start(database.database);
    const { artifactId } = await library.create();
    expect((await library.get(ArtifactDirectory).find(artifactId))?.artifactId).toBe(artifactId);
    await ask('of nobody');
    await rig.work();
    await ask('active');
    await ask('kept');
    await database.database.query(
      "UPDATE artifacts.generation_job SET artifact_id = $1, state = 'failed', finished_at = now() WHERE request->>'prompt' = 'kept'",
      [artifactId],
    );
    await rig.jobs.purgeWithoutArtifact();
    const left = await database.database.query<{ prompt: string }>(
      "SELECT request->>'prompt' AS prompt FROM artifacts.generation_job ORDER BY 1",
    );
    expect(left.map(({ prompt }) => prompt)).toEqual(['active', 'kept']);
    await library.stop();
  });
});
