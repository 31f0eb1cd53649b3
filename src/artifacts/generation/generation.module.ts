import { Module, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Clock } from '#libs/kernel/clock.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { LibraryHooks } from '../library/application/ports/library-hooks.js';
import { LibraryModule } from '../library/library.module.js';
import { CancelGeneration } from './application/commands/cancel-generation.js';
import { CreateGeneratedArtifact } from './application/commands/create-generated-artifact.js';
import { EndUnreportedGeneration } from './application/commands/end-unreported-generation.js';
import { ReportGeneration } from './application/commands/report-generation.js';
import { RequestGeneration } from './application/commands/request-generation.js';
import { RetryGeneration } from './application/commands/retry-generation.js';
import { RunGeneration } from './application/commands/run-generation.js';
import { SweepGenerations } from './application/commands/sweep-generations.js';
import { TakeGeneration } from './application/commands/take-generation.js';
import { GenerationNews } from './application/generation-news.js';
import { GeneratorChoice } from './application/generator-choice.js';
import { JobEnd } from './application/job-end.js';
import { JobStart } from './application/job-start.js';
import { ArtifactGenerators } from './application/ports/artifact-generator.js';
import { BridgeWork, NoBridgeWork } from './application/ports/bridge-work.js';
import { GenerationJobs } from './application/ports/generation-jobs.js';
import { GenerationProgress } from './application/ports/generation-progress.js';
import { GenerationRequests } from './application/ports/generation-requests.js';
import { PageFetcher } from './application/ports/page-fetcher.js';
import { NoPageRenderer, PageRenderer } from './application/ports/page-renderer.js';
import { GetStatus } from './application/queries/get-status.js';
import { WhenArtifactDeleted } from './application/reactions/when-artifact-deleted.js';
import { WhenPersonDeleted } from './application/reactions/when-person-deleted.js';
import { WhenProjectDeleted } from './application/reactions/when-project-deleted.js';
import { RequestingGenerations } from './application/requesting-generations.js';
import { StatusSignals } from './application/status-signals.js';
import { BridgeWorker } from './infrastructure/bridge-worker.js';
import { ChromiumRenderer } from './infrastructure/browser/chromium-renderer.js';
import { ConfiguredApi } from './infrastructure/configured-api.js';
import { FigmaRest } from './infrastructure/figma/figma-rest.js';
import { SharedGenerationFacts } from './infrastructure/generation-facts.js';
import { GenerationQueue } from './infrastructure/generation-queue.js';
import { GuardedPageFetcher } from './infrastructure/guarded-page-fetcher.js';
import { JobProgressReader } from './infrastructure/job-progress.js';
import { KnownGenerators } from './infrastructure/known-generators.js';
import { ModelChat } from './infrastructure/model/model-chat.js';
import { ModelEndpoint } from './infrastructure/model/model-endpoint.js';
import { PostgresGenerationJobs } from './infrastructure/postgres-generation-jobs.js';
import { WebGuard } from './infrastructure/web-guard.js';
import { SnapshotThreads } from './infrastructure/website/snapshot-threads.js';
import { makeSnapshot } from './infrastructure/website/snapshot-work.js';
import { type SnapshotMaker, WebsiteSnapshot } from './infrastructure/website/website-snapshot.js';
import { GenerationController } from './interface/http/generation.controller.js';

const MODEL_ANSWER_BYTES = 8 * 1024 * 1024;
const FIGMA_ANSWER_BYTES = 50 * 1024 * 1024;

const useCases = [
  CreateGeneratedArtifact,
  RequestGeneration,
  CancelGeneration,
  EndUnreportedGeneration,
  ReportGeneration,
  TakeGeneration,
  RetryGeneration,
  RunGeneration,
  SweepGenerations,
  GetStatus,
];

/** Makes the files of artifacts from prompts, web pages and Figma frames. */
@Module({
  imports: [LibraryModule],
  controllers: [GenerationController],
  providers: [
    ...useCases,
    BridgeWorker,
    GenerationNews,
    GenerationQueue,
    GeneratorChoice,
    JobEnd,
    JobStart,
    SharedGenerationFacts,
    StatusSignals,
    WhenArtifactDeleted,
    WhenPersonDeleted,
    WhenProjectDeleted,
    { provide: BridgeWork, useClass: NoBridgeWork },
    { provide: GenerationJobs, useClass: PostgresGenerationJobs },
    { provide: GenerationProgress, useClass: JobProgressReader },
    { provide: GenerationRequests, useClass: RequestingGenerations },
    {
      provide: PageRenderer,
      inject: [Configuration],
      useFactory: ({ values }: Configuration) =>
        // Behind a proxy of the operator the browser would have no way out.
        values.artifactBrowserPath && !values.outboundProxy
          ? new ChromiumRenderer(values.artifactBrowserPath, new WebGuard(values.artifactFetchAllow))
          : new NoPageRenderer(),
    },
    {
      provide: PageFetcher,
      inject: [Configuration],
      useFactory: ({ values }: Configuration) =>
        new GuardedPageFetcher({ allow: values.artifactFetchAllow, proxy: values.outboundProxy }),
    },
    {
      provide: ModelEndpoint,
      inject: [Configuration],
      useFactory: ({ values: { artifactModel, outboundProxy } }: Configuration) =>
        new ModelEndpoint(
          artifactModel &&
            new ModelChat(
              new ConfiguredApi({
                baseUrl: artifactModel.baseUrl,
                proxy: outboundProxy,
                maxBytes: MODEL_ANSWER_BYTES,
              }),
              artifactModel,
            ),
        ),
    },
    {
      provide: WebsiteSnapshot,
      inject: [Configuration, PageFetcher, PageRenderer, Clock],
      useFactory: ({ values }: Configuration, pages: PageFetcher, renderer: PageRenderer, clock: Clock) => {
        const entry = SnapshotThreads.builtEntry();
        const threads =
          entry &&
          new SnapshotThreads(entry, { allow: values.artifactFetchAllow, proxy: values.outboundProxy });
        // Only tests on the sources run without a build of the server; there pages are copied where they stand.
        const make: SnapshotMaker = (work, context) =>
          threads ? threads.make(work, context) : makeSnapshot(work, pages, context.progress);
        return new WebsiteSnapshot(pages, renderer, clock, make);
      },
    },
    {
      provide: FigmaRest,
      inject: [Configuration, PageFetcher],
      useFactory: ({ values }: Configuration, pages: PageFetcher) =>
        new FigmaRest(
          new ConfiguredApi({
            baseUrl: values.figmaApiBase,
            proxy: values.outboundProxy,
            maxBytes: FIGMA_ANSWER_BYTES,
          }),
          pages,
        ),
    },
    {
      provide: ArtifactGenerators,
      inject: [WebsiteSnapshot, FigmaRest, ModelEndpoint, BridgeWorker],
      useFactory: (...generators: [WebsiteSnapshot, FigmaRest, ModelEndpoint, BridgeWorker]) =>
        new KnownGenerators(generators),
    },
  ],
  exports: [CreateGeneratedArtifact, GenerationRequests, GenerationProgress, GetStatus],
})
export class GenerationModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly hooks: LibraryHooks,
    private readonly facts: SharedGenerationFacts,
    private readonly whenArtifactDeleted: WhenArtifactDeleted,
    private readonly whenPersonDeleted: WhenPersonDeleted,
    private readonly whenProjectDeleted: WhenProjectDeleted,
  ) {}

  onModuleInit(): void {
    this.hooks.serveGenerations(this.facts);
    this.listeners.register(this.whenArtifactDeleted);
    this.listeners.register(this.whenPersonDeleted);
    this.listeners.register(this.whenProjectDeleted);
  }
}
