import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import type { Actor, ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { connectionActor, personActor } from '#libs/kernel/testing/actors.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { KeptJobs } from '#libs/kernel/testing/kept-jobs.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { InMemorySignals } from '#libs/messaging/testing/in-memory-signals.js';
import type { Database } from '#libs/persistence/database.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import type { ArtifactBlobs } from '../../library/application/ports/artifact-blobs.js';
import type { ArtifactDirectory } from '../../library/application/ports/artifact-directory.js';
import type { ArtifactStates } from '../../library/application/ports/artifact-states.js';
import { LibraryHooks } from '../../library/application/ports/library-hooks.js';
import type { VersionStore } from '../../library/application/ports/version-store.js';
import type { WorkspaceChoice } from '../../library/application/ports/workspace-choice.js';
import { ConfiguredArtifactAddresses } from '../../library/infrastructure/configured-artifact-addresses.js';
import { CancelGeneration } from '../application/commands/cancel-generation.js';
import { RequestGeneration } from '../application/commands/request-generation.js';
import { RetryGeneration } from '../application/commands/retry-generation.js';
import { RunGeneration } from '../application/commands/run-generation.js';
import { SweepGenerations } from '../application/commands/sweep-generations.js';
import { GenerationNews } from '../application/generation-news.js';
import { GeneratorChoice } from '../application/generator-choice.js';
import { JobEnd } from '../application/job-end.js';
import { JobStart } from '../application/job-start.js';
import {
  type ArtifactGenerator,
  ArtifactGenerators,
  type GeneratedSet,
  type GenerationContext,
  type Support,
} from '../application/ports/artifact-generator.js';
import { NoBridgeWork } from '../application/ports/bridge-work.js';
import type { GenerationArguments } from '../application/ports/generation-requests.js';
import { GetStatus, type WaitTimes } from '../application/queries/get-status.js';
import { StatusSignals } from '../application/status-signals.js';
import type { GenerationRequest } from '../domain/generation-request.js';
import { GuardedPageFetcher } from '../infrastructure/guarded-page-fetcher.js';
import { JobProgressReader } from '../infrastructure/job-progress.js';
import { PostgresGenerationJobs } from '../infrastructure/postgres-generation-jobs.js';
import { LibraryInMemory } from './library-in-memory.js';

/** A generator that does what a test says. */
export class ToldGenerator implements ArtifactGenerator {
  support: Support = { yes: true };
  readonly asked: GenerationRequest[] = [];
  work: (context: GenerationContext) => Promise<GeneratedSet> = async () => ({
    name: 'A page',
    files: [{ path: 'index.html', content: '<h1>Hello</h1>' }],
    notes: ['A note.'],
  });

  constructor(readonly key: string) {}

  async supports(): Promise<Support> {
    return this.support;
  }

  async generate(request: GenerationRequest, context: GenerationContext): Promise<GeneratedSet> {
    this.asked.push(request);
    return this.work(context);
  }
}

class ToldGenerators extends ArtifactGenerators {
  constructor(readonly all: readonly ArtifactGenerator[]) {
    super();
  }

  override find(key: string): ArtifactGenerator | undefined {
    return this.all.find((generator) => generator.key === key);
  }
}

export const SYSTEM: Actor = { kind: 'system', jobName: 'test' };

/** The use cases of generation over a real database, a library in memory, and generators that do what they are told. */
export class GenerationRig {
  readonly ids = new UuidV7Ids();
  readonly projectId = this.ids.next();
  readonly ownerId = this.ids.next();
  readonly memberId = this.ids.next();
  readonly viewerId = this.ids.next();
  readonly clock = new FixedClock();
  readonly flags = new FixedFlags();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly queue = new KeptJobs();
  readonly hooks = new LibraryHooks();
  readonly access = new FakeProjectAccess().add(this.projectId, this.ownerId, {
    [this.memberId]: 'member',
    [this.viewerId]: 'viewer',
  });
  readonly website = new ToldGenerator('website-snapshot');
  readonly figma = new ToldGenerator('figma-rest');
  readonly model = new ToldGenerator('model-endpoint');
  readonly bridge = new ToldGenerator('bridge-worker');
  readonly secrets = new DerivedSecretBox(
    Configuration.fromEnvironment({
      APP_ENV: 'test',
      APP_SECRET: 'a secret of more than thirty-two characters',
      APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
  );
  readonly signals: InMemorySignals;
  readonly library: LibraryInMemory;
  readonly jobs: PostgresGenerationJobs;
  readonly statusSignals: StatusSignals;
  readonly request: RequestGeneration;
  readonly run: RunGeneration;
  readonly cancel: CancelGeneration;
  readonly retry: RetryGeneration;
  readonly sweep: SweepGenerations;
  readonly end: JobEnd;

  constructor(private readonly database: Database) {
    this.bridge.support = { yes: false, why: 'no running bridge serves this project' };
    this.signals = new InMemorySignals(database);
    this.library = new LibraryInMemory(this.access, database);
    this.jobs = new PostgresGenerationJobs(database);
    this.statusSignals = new StatusSignals(this.signals);
    const { jobs, clock, ids, flags, signals, secrets, queue } = this;
    const states = this.library.states as ArtifactStates;
    const bridges = new NoBridgeWork();
    const directory = this.library.directory as ArtifactDirectory;
    const generators = new ToldGenerators([this.website, this.figma, this.model, this.bridge]);
    const news = new GenerationNews(this.outbox, this.audit, this.live, signals);
    const choice = new GeneratorChoice(flags, generators);
    const start = new JobStart(flags, jobs, queue, bridges, news);
    this.end = new JobEnd(database, jobs, states, queue, bridges, news, clock);
    this.request = new RequestGeneration(
      this.access,
      flags,
      database,
      this.library.workspaces as WorkspaceChoice,
      states,
      jobs,
      choice,
      start,
      new GuardedPageFetcher({ allow: [], proxy: null }),
      secrets,
      this.hooks,
      this.audit,
      ids,
      clock,
    );
    this.run = new RunGeneration(
      database,
      jobs,
      generators,
      this.library.blobs as ArtifactBlobs,
      this.library.versions as VersionStore,
      states,
      this.end,
      news,
      flags,
      signals,
      secrets,
      clock,
    );
    this.cancel = new CancelGeneration(directory, database, jobs, this.end);
    this.retry = new RetryGeneration(directory, flags, database, states, jobs, choice, start, ids, clock);
    this.sweep = new SweepGenerations(jobs, this.end, clock);
  }

  status(times?: WaitTimes): GetStatus {
    return new GetStatus(
      this.library.directory as ArtifactDirectory,
      new JobProgressReader(this.jobs),
      this.statusSignals,
      new ConfiguredArtifactAddresses(
        Configuration.fromEnvironment({ DEFAULT_URI: 'https://loupe.example' }),
      ),
      times,
    );
  }

  person(personId = this.ownerId): PersonActor {
    return personActor(personId);
  }

  agent(personId = this.ownerId): ConnectionActor {
    return connectionActor(personId, personId, this.projectId);
  }

  /** Asks as an agent does. */
  ask(given: GenerationArguments, personId = this.ownerId, figmaToken: string | null = null) {
    return this.request.execute(this.agent(personId), { projectId: this.projectId, given, figmaToken });
  }

  /** Runs what the queue holds. */
  async work(): Promise<void> {
    for (const [id, { jobId }] of [...this.queue.entries]) {
      this.queue.entries.delete(id);
      await this.run.execute(SYSTEM, String(jobId));
    }
  }

  operations(): string[] {
    return this.audit.entries.map((entry) => entry.operation);
  }

  rows(): Promise<{ id: string; state: string; progress: number }[]> {
    return this.database.query(
      'SELECT id, state, progress FROM artifacts.generation_job WHERE project_id = $1 ORDER BY id',
      [this.projectId],
    );
  }

  secretCount(): Promise<number> {
    return this.database
      .one<{ n: number }>('SELECT count(*) AS n FROM artifacts.generation_secret')
      .then((row) => row!.n);
  }
}
