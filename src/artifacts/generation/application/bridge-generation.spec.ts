import { DomainError } from '#libs/kernel/errors.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { KeptJobs } from '#libs/kernel/testing/kept-jobs.js';
import { InMemorySignals } from '#libs/messaging/testing/in-memory-signals.js';
import { LibraryRig } from '#src/artifacts/library/testing/library-rig.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { ArtifactBlobs } from '../../library/application/ports/artifact-blobs.js';
import { ArtifactDirectory } from '../../library/application/ports/artifact-directory.js';
import { ArtifactStates } from '../../library/application/ports/artifact-states.js';
import { LibraryHooks } from '../../library/application/ports/library-hooks.js';
import { VersionStore } from '../../library/application/ports/version-store.js';
import { WorkspaceChoice } from '../../library/application/ports/workspace-choice.js';
import type { GenerationJob } from '../domain/generation-job.js';
import { BridgeWorker } from '../infrastructure/bridge-worker.js';
import { GuardedPageFetcher } from '../infrastructure/guarded-page-fetcher.js';
import { KnownGenerators } from '../infrastructure/known-generators.js';
import { PostgresGenerationJobs } from '../infrastructure/postgres-generation-jobs.js';
import { SYSTEM } from '../testing/generation-rig.js';
import { EndUnreportedGeneration } from './commands/end-unreported-generation.js';
import { ReportGeneration } from './commands/report-generation.js';
import { RequestGeneration } from './commands/request-generation.js';
import { TakeGeneration } from './commands/take-generation.js';
import { GenerationNews } from './generation-news.js';
import { GeneratorChoice } from './generator-choice.js';
import { JobEnd } from './job-end.js';
import { JobStart } from './job-start.js';
import { BridgeWork } from './ports/bridge-work.js';

/** A bridge that follows the project, and does what it is told. */
class OneBridge extends BridgeWork {
  readonly offered: string[] = [];
  readonly withdrawn: string[] = [];
  fulfils: string | null = null;

  override async isServed(): Promise<boolean> {
    return true;
  }

  override async isFulfiller(_actor: unknown, jobId: string): Promise<boolean> {
    return this.fulfils === jobId;
  }

  override async offer({ facts }: GenerationJob): Promise<void> {
    this.offered.push(facts.jobId);
  }

  override async withdraw(jobId: string): Promise<void> {
    this.withdrawn.push(jobId);
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no refusal',
    (error) => (error instanceof DomainError ? `${error.code}: ${error.message}` : `fault: ${error}`),
  );
}

/** The server half of scenario 30: what a bridge will call, over the real library. */
describe('generation by the worker of a bridge', () => {
  let database: TestDatabase;
  let library: LibraryRig;
  let bridge: OneBridge;
  let queue: KeptJobs;
  let request: RequestGeneration;
  let take: TakeGeneration;
  let report: ReportGeneration;
  let ended: EndUnreportedGeneration;

  beforeAll(async () => {
    database = await TestDatabase.start();
    library = await LibraryRig.start(database.database);
    library.flags.set('artifacts.generators.p2c', 'bridge-worker');
    library.flags.set('artifacts.generation_max_active', '100');
  });

  afterAll(async () => {
    await library.stop();
    await database.stop();
  });

  beforeEach(() => {
    bridge = new OneBridge();
    queue = new KeptJobs();
    library.forget();
    const { flags, access, clock, ids, audit } = library;
    const unit = database.database;
    const jobs = new PostgresGenerationJobs(unit);
    const states = library.get(ArtifactStates);
    const directory = library.get(ArtifactDirectory);
    const news = new GenerationNews(library.outbox, audit, library.live, new InMemorySignals(unit));
    const choice = new GeneratorChoice(flags, new KnownGenerators([new BridgeWorker(bridge)]));
    request = new RequestGeneration(
      access,
      flags,
      unit,
      library.get(WorkspaceChoice),
      states,
      jobs,
      choice,
      new JobStart(flags, jobs, queue, bridge, news),
      new GuardedPageFetcher({ allow: [], proxy: null }),
      library.get(SecretBox),
      library.get(LibraryHooks),
      audit,
      ids,
      clock,
    );
    take = new TakeGeneration(
      unit,
      jobs,
      directory,
      library.get(ArtifactBlobs),
      library.get(VersionStore),
      news,
      clock,
    );
    report = new ReportGeneration(access, unit, jobs, bridge, directory, states, news, clock);
    ended = new EndUnreportedGeneration(new JobEnd(unit, jobs, states, queue, bridge, news, clock));
  });

  let count = 0;
  async function asked() {
    count += 1;
    const { projectId } = library;
    const given = { type: 'p2c', prompt: `Page ${count}` } as const;
    const made = await request.execute(library.agent, { projectId, given, figmaToken: null });
    bridge.fulfils = made.jobId;
    return made;
  }
  const facts = async (artifactId: string) => (await library.get(ArtifactDirectory).find(artifactId))!;
  const say = (jobId: string, what: object) =>
    report.execute(library.agent, { projectId: library.projectId, jobId, ...what });

  it('artifacts 15.30: is offered, taken with a seed, worked on, and ready with the report', async () => {
    const { artifactId, jobId } = await asked();
    expect([bridge.offered, queue.entries.size]).toEqual([[jobId], 0]);
    expect(await refusal(say(jobId, { state: 'progress', progress: 5 }))).toBe('no refusal');
    expect(await take.execute(SYSTEM, jobId)).toBe(true);
    expect(await facts(artifactId)).toMatchObject({ status: 'generating', latestVersion: 1 });
    expect(await refusal(say(jobId, { state: 'ready' }))).toBe(
      'nothing_stored: Store the files first: the latest version has no index.html.',
    );
    await say(jobId, { state: 'progress', progress: 30 });
    await library.push(artifactId, { 'index.html': '<h1>Bees</h1>' });
    expect(await facts(artifactId)).toMatchObject({ status: 'generating', latestVersion: 2 });
    const done = { state: 'ready', name: 'Bees', notes: ['Drawn by hand.'] };
    expect(await say(jobId, done)).toEqual({ success: true, jobId, state: 'ready' });
    expect(await say(jobId, done)).toEqual({ success: true, jobId, state: 'ready' });
    expect(await facts(artifactId)).toMatchObject({ status: 'ready', name: 'Bees', error: null });
    expect(await refusal(say(jobId, { state: 'failed', error: 'x' }))).toBe(
      'job_ended: The job has ended already: succeeded.',
    );
    expect(await ended.execute(SYSTEM, jobId)).toBe(false);
    expect(library.audit.entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['artifact.generation_requested', 'artifact.generation_succeeded']),
    );
  });

  it('artifacts 15.30: another worker run cannot report it', async () => {
    const { jobId } = await asked();
    bridge.fulfils = null;
    expect(await refusal(say(jobId, { state: 'failed', error: 'x' }))).toBe(
      'not_found: Generation job not found or not accessible.',
    );
  });

  it('two bridges: one takes it; one that comes after the end has nothing to do', async () => {
    const { artifactId, jobId } = await asked();
    const taken = await Promise.all([take.execute(SYSTEM, jobId), take.execute(SYSTEM, jobId)]);
    expect(taken.sort()).toEqual([false, true]);
    expect((await facts(artifactId)).latestVersion).toBe(1);
    await say(jobId, { state: 'failed', error: 'Too hard.' });
    expect(await take.execute(SYSTEM, jobId)).toBe(false);
    expect(await refusal(say(jobId, { state: 'failed', error: 'Too hard.' }))).toBe('no refusal');
    expect(await refusal(say(jobId, { state: 'failed', error: 'Other.' }))).toContain('job_ended');
    expect(await facts(artifactId)).toMatchObject({ status: 'failed', error: 'Too hard.' });
  });

  it('artifacts 13: a worker that dies without a report fails the job', async () => {
    const { artifactId, jobId } = await asked();
    await take.execute(SYSTEM, jobId);
    expect(await ended.execute(SYSTEM, jobId)).toBe(true);
    expect(await facts(artifactId)).toMatchObject({
      status: 'failed',
      error: 'The worker ended without a result.',
    });
  });

  it.each([
    [{ state: 'done' }, 'state must be progress, ready or failed.'],
    [{ state: 'progress' }, 'progress must be a whole number from 0 to 99.'],
    [{ state: 'progress', progress: 100 }, 'progress must be a whole number from 0 to 99.'],
    [{ state: 'failed' }, 'error: must not be empty'],
    [{ state: 'failed', error: 'x'.repeat(501) }, 'error: must be at most 500 characters'],
    [{ state: 'failed', error: 'x', name: 'y' }, 'name is only valid with state ready.'],
    [{ state: 'ready', progress: 5 }, 'progress is only valid with state progress.'],
    [{ state: 'ready', notes: Array(11).fill('x') }, 'notes must be a list of at most 10 texts.'],
    [{ state: 'ready', notes: ['x'.repeat(201)] }, 'notes[0]: must be at most 200 characters'],
  ])('a report of the form %j is refused by name', async (what, sentence) => {
    const { jobId } = await asked();
    expect(await refusal(say(jobId, what))).toBe(`invalid: ${sentence}`);
  });
});
