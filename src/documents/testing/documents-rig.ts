import { INestApplication } from '@nestjs/common';
import { Test, TestingModule } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { KeptListeners } from '#libs/kernel/testing/kept-listeners.js';
import { NamedProjects } from '#libs/kernel/testing/named-projects.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { Cast } from '#src/identity/testing/cast.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { SearchProviders } from '#src/platform/application/ports/search-providers.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { SearchLanguages } from '#src/projects/application/ports/search-languages.js';
import { EmptyModule, surroundings } from '../../../test/support/surroundings.js';
import { AddComment, type AddCommentInput } from '../application/commands/add-comment.js';
import { CreateDocument, type CreateDocumentInput } from '../application/commands/create-document.js';
import { ReviseDocument, type ReviseDocumentInput } from '../application/commands/revise-document.js';
import { DocumentHooks } from '../application/ports/design-review-gate.js';
import { GetReview, type GetReviewInput } from '../application/queries/get-review.js';
import { GetReviewPage } from '../application/queries/get-review-page.js';
import { DocumentsModule } from '../documents.module.js';
import { FakeDesignReviewGate } from './fake-design-review-gate.js';

class InstalledLanguages extends SearchLanguages {
  constructor(private readonly database: Database) {
    super();
  }

  override async names(): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      'SELECT cfgname::text AS name FROM pg_ts_config ORDER BY 1',
    );
    return rows.map((row) => row.name);
  }
}

/** The module of documents on a real database and with its real renderer; what it tells others is kept for a look. */
export class DocumentsRig extends Cast {
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly projects = new NamedProjects();
  readonly listeners = new KeptListeners();
  readonly flags = new FixedFlags();
  readonly search = new SearchProviders();
  /** Serves agent reviews, as the board does. */
  readonly gate = new FakeDesignReviewGate();
  private module!: TestingModule;

  private constructor(readonly database: Database) {
    super();
  }

  /** `board: false` leaves out what the board serves. */
  static async start(database: Database, { board = true } = {}): Promise<DocumentsRig> {
    const rig = new DocumentsRig(database);
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      DEFAULT_URI: 'https://loupe.example',
    });
    const around = new Map<unknown, unknown>([
      [Database, database],
      [UnitOfWork, database],
      [Configuration, configuration],
      [SessionGuard, new SessionGuard(configuration)],
      [Clock, rig.clock],
      [Ids, rig.ids],
      [Outbox, rig.outbox],
      [Audit, rig.audit],
      [LiveUpdates, rig.live],
      [EventListeners, rig.listeners],
      [Flags, rig.flags],
      [ProjectAccess, rig.access],
      [ProjectDirectory, rig.projects],
      [PersonDirectory, rig.people],
      [SearchLanguages, new InstalledLanguages(database)],
      [ProjectHooks, new ProjectHooks()],
      [ExportContributors, new ExportContributors()],
      [SearchProviders, rig.search],
    ]);
    rig.module = await Test.createTestingModule({
      imports: [surroundings(around), DocumentsModule],
    })
      .overrideModule(IdentityModule)
      .useModule(EmptyModule)
      .compile();
    await rig.module.init();
    if (board) rig.get(DocumentHooks).serveDesignReviewGate(rig.gate);
    return rig;
  }

  async stop(): Promise<void> {
    await this.module.close();
  }

  /** A use case of the module. */
  get<T>(token: abstract new (...parts: never[]) => T): T {
    return this.module.get(token as never);
  }

  /** The module behind HTTP, not yet listening. */
  application<App extends INestApplication>(): App {
    return this.module.createNestApplication<App>();
  }

  /** Forgets what was told so far. */
  forget(): void {
    this.outbox.events.length = 0;
    this.audit.entries.length = 0;
    this.live.sent.length = 0;
  }

  /** A document that the agent wrote. */
  async create(input: Partial<CreateDocumentInput> = {}) {
    return this.get(CreateDocument).execute(this.agent, {
      projectId: this.projectId,
      title: 'A plan',
      markdown: 'First paragraph of the plan.\n\nSecond paragraph of the plan.',
      ...input,
    });
  }

  async revise(documentId: string, input: Partial<ReviseDocumentInput> = {}) {
    return this.get(ReviseDocument).execute(this.agent, {
      projectId: this.projectId,
      documentId,
      description: 'What changed.',
      ...input,
    });
  }

  /** A comment of the owner; `quote` is looked up in the text that the page shows. */
  async comment(
    documentId: string,
    quote: string | null,
    input: Partial<AddCommentInput> = {},
  ): Promise<string> {
    const page = await this.page(documentId, input.version ?? undefined);
    const added = await this.get(AddComment).execute(this.owner, {
      projectId: this.projectId,
      documentId,
      version: page.version.number,
      anchor: quote === null ? null : { quote, start: page.version.plainText.indexOf(quote) },
      body: 'Please change this.',
      ...input,
    });
    return added.id;
  }

  async review(documentId: string, input: Partial<GetReviewInput> = {}) {
    return this.get(GetReview).execute(this.agent, { projectId: this.projectId, documentId, ...input });
  }

  async page(documentId: string, version?: number) {
    return this.get(GetReviewPage).execute(this.owner, { projectId: this.projectId, documentId, version });
  }
}
