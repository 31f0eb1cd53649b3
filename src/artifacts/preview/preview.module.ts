import { type INestApplication, Module, type OnModuleInit } from '@nestjs/common';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { GenerationModule } from '../generation/generation.module.js';
import { LibraryHooks } from '../library/application/ports/library-hooks.js';
import { LibraryModule } from '../library/library.module.js';
import { BuildPreview } from './application/commands/build-preview.js';
import { PublishArtifact } from './application/commands/publish-artifact.js';
import { SetPreviewHosts } from './application/commands/set-preview-hosts.js';
import { UnpublishArtifact } from './application/commands/unpublish-artifact.js';
import { PreviewAddresses } from './application/ports/preview-addresses.js';
import { PreviewBuilder } from './application/ports/preview-builder.js';
import { PreviewBuilds } from './application/ports/preview-builds.js';
import { PreviewHosts } from './application/ports/preview-hosts.js';
import { Publications } from './application/ports/publications.js';
import { TicketSigner } from './application/ports/ticket-signer.js';
import { PreviewAudience } from './application/preview-audience.js';
import { GetPreviewHosts } from './application/queries/get-preview-hosts.js';
import { GetPreviewPage } from './application/queries/get-preview-page.js';
import { GetPreviewTicket } from './application/queries/get-preview-ticket.js';
import { ResolvePreview } from './application/queries/resolve-preview.js';
import { WhenVersionStored } from './application/reactions/when-version-stored.js';
import { VersionPreviews } from './application/version-previews.js';
import { ForkedPreviewBuilder } from './infrastructure/build/forked-preview-builder.js';
import { ConfiguredPreviewAddresses } from './infrastructure/configured-preview-addresses.js';
import { HmacTicketSigner } from './infrastructure/hmac-ticket-signer.js';
import { PostgresPreviewBuilds } from './infrastructure/postgres-preview-builds.js';
import { PostgresPreviewHosts } from './infrastructure/postgres-preview-hosts.js';
import { PostgresPublications } from './infrastructure/postgres-publications.js';
import { PreviewBuildJobs } from './infrastructure/preview-build-jobs.js';
import { PreviewChecks } from './infrastructure/preview-checks.js';
import { PublishedFromTable } from './infrastructure/published-artifacts.js';
import { AdminPublicationsController } from './interface/http/admin-publications.controller.js';
import { PreviewDoor } from './interface/http/preview-door.js';
import { PreviewTicketController } from './interface/http/preview-ticket.controller.js';
import { PublishingController } from './interface/http/publishing.controller.js';

const useCases = [
  BuildPreview,
  PublishArtifact,
  UnpublishArtifact,
  SetPreviewHosts,
  GetPreviewHosts,
  GetPreviewPage,
  GetPreviewTicket,
  ResolvePreview,
];

/** How artifacts are shown: previews on origins apart, and live pages. */
@Module({
  imports: [LibraryModule, GenerationModule],
  controllers: [PublishingController, PreviewTicketController, AdminPublicationsController],
  providers: [
    ...useCases,
    PreviewAudience,
    VersionPreviews,
    WhenVersionStored,
    PreviewBuildJobs,
    PreviewChecks,
    PublishedFromTable,
    PreviewDoor,
    { provide: PreviewAddresses, useClass: ConfiguredPreviewAddresses },
    { provide: PreviewBuilder, useClass: ForkedPreviewBuilder },
    { provide: PreviewBuilds, useClass: PostgresPreviewBuilds },
    { provide: PreviewHosts, useClass: PostgresPreviewHosts },
    { provide: Publications, useClass: PostgresPublications },
    { provide: TicketSigner, useClass: HmacTicketSigner },
  ],
  exports: [...useCases, PreviewAddresses],
})
export class PreviewModule implements OnModuleInit {
  constructor(
    private readonly listeners: EventListeners,
    private readonly checks: StatusChecks,
    private readonly whenVersionStored: WhenVersionStored,
    private readonly previewChecks: PreviewChecks,
    private readonly hooks: LibraryHooks,
    private readonly published: PublishedFromTable,
  ) {}

  onModuleInit(): void {
    this.listeners.register(this.whenVersionStored);
    this.hooks.servePublishedArtifacts(this.published);
    this.checks.register(...this.previewChecks.all);
  }
}

/**
 * Puts previews and live pages in front of everything that is mounted later: no cookie is read for them, and their hosts
 * answer nothing else. Call it before `app.init()`.
 */
export function mountPreviews(app: INestApplication): void {
  app.use(app.get(PreviewDoor, { strict: false }).handle);
}
