import { type INestApplication } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { KeptJobs } from '#libs/kernel/testing/kept-jobs.js';
import { KeptListeners } from '#libs/kernel/testing/kept-listeners.js';
import { NamedProjects } from '#libs/kernel/testing/named-projects.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Database } from '#libs/persistence/database.js';
import { ArtifactLinks } from '#src/artifacts/library/application/ports/artifact-links.js';
import { LibraryHooks } from '#src/artifacts/library/application/ports/library-hooks.js';
import { LibraryModule } from '#src/artifacts/library/library.module.js';
import { FakeArtifactLinks } from '#src/artifacts/library/testing/fake-artifact-links.js';
import { BoardModule } from '#src/board/board.module.js';
import { DocumentHooks } from '#src/documents/application/ports/design-review-gate.js';
import { type DocumentFacts, DocumentLookup } from '#src/documents/application/ports/document-lookup.js';
import { DocumentRenderer } from '#src/documents/application/ports/document-renderer.js';
import { DocumentsModule } from '#src/documents/documents.module.js';
import { FakeDocumentLookup } from '#src/documents/testing/fake-document-lookup.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { Cast } from '#src/identity/testing/cast.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { SearchProviders } from '#src/platform/application/ports/search-providers.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { EmptyModule, surroundings } from '../../../../test/support/surroundings.js';
import { CreateCard, type CreateCardInput } from '../application/commands/create-card.js';
import { MoveCard, type MoveCardInput } from '../application/commands/move-card.js';
import { UpdateCard, type UpdateCardInput } from '../application/commands/update-card.js';
import type { FullCard } from '../application/queries/full-card.js';
import { GetCard } from '../application/queries/get-card.js';
import { GetCardHistory } from '../application/queries/get-card-history.js';
import { ListColumns } from '../application/queries/list-columns.js';

/** The module of the board on a real database; what it tells others is kept for a look. */
export class BoardRig extends Cast {
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly projects = new NamedProjects();
  readonly documents = new FakeDocumentLookup();
  readonly artifacts = new FakeArtifactLinks();
  readonly libraryHooks = new LibraryHooks();
  readonly flags = new FixedFlags();
  readonly search = new SearchProviders();
  readonly hooks = new ProjectHooks();
  readonly listeners = new KeptListeners();
  private module!: TestingModule;

  private constructor(readonly database: Database) {
    super();
  }

  /** `template` null takes the default one, an empty text none. */
  static async start(database: Database, template: string | null = ''): Promise<BoardRig> {
    const rig = new BoardRig(database);
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
      [ProjectAccess, rig.access],
      [ProjectDirectory, rig.projects],
      [PersonDirectory, rig.people],
      [DocumentLookup, rig.documents],
      [DocumentHooks, new DocumentHooks()],
      [ArtifactLinks, rig.artifacts],
      [LibraryHooks, rig.libraryHooks],
      [DocumentRenderer, { render: async (markdown: string) => ({ html: `<p>${markdown}</p>` }) }],
      [Flags, rig.flags],
      [Jobs, new KeptJobs()],
      [ProjectHooks, rig.hooks],
      [ExportContributors, new ExportContributors()],
      [SearchProviders, rig.search],
    ]);
    rig.module = await Test.createTestingModule({
      imports: [surroundings(around), BoardModule],
    })
      .overrideModule(IdentityModule)
      .useModule(EmptyModule)
      .overrideModule(DocumentsModule)
      .useModule(EmptyModule)
      .overrideModule(LibraryModule)
      .useModule(EmptyModule)
      .compile();
    await rig.module.init();
    for (const id of [rig.projectId, rig.otherProjectId])
      await database.run(() => rig.makeBoard(id, template));
    rig.forget();
    return rig;
  }

  async stop(): Promise<void> {
    await this.module.close();
  }

  /** What happens in the transaction that makes a project. */
  async makeBoard(projectId: string, templateKey: string | null): Promise<void> {
    for (const initializer of this.hooks.initializers)
      await initializer.initialize(this.owner, { id: projectId, ownerId: this.owner.personId, templateKey });
  }

  /** A use case of the module. */
  get<T>(token: abstract new (...parts: never[]) => T): T {
    return this.module.get(token as never, { strict: false });
  }

  /** The module behind HTTP, not yet listening. */
  application<App extends INestApplication>(): App {
    return this.module.createNestApplication<App>();
  }

  forget(): void {
    this.outbox.events.length = 0;
    this.audit.entries.length = 0;
    this.live.sent.length = 0;
  }

  eventTypes(): string[] {
    return this.outbox.events.map((event) => event.type);
  }

  /** A document of the project, in review unless said otherwise. */
  document(facts: Partial<DocumentFacts> & { readonly projectId?: string } = {}): string {
    const documentId = facts.id ?? this.ids.next();
    this.documents.put(facts.projectId ?? this.projectId, {
      id: documentId,
      title: 'A plan',
      submittedAt: this.clock.now(),
      ...facts,
    });
    return documentId;
  }

  /** A card that the agent adds. */
  async create(input: Partial<CreateCardInput> = {}, actor: Actor = this.agent): Promise<FullCard> {
    const { cardId } = await this.get(CreateCard).execute(actor, {
      projectId: this.projectId,
      title: 'A card',
      body: '',
      ...input,
    });
    return this.card(cardId, input.projectId);
  }

  async card(cardId: string, projectId = this.projectId): Promise<FullCard> {
    return this.get(GetCard).execute({ kind: 'system', jobName: 'test' }, { projectId, cardId });
  }

  async update(
    cardId: string,
    input: Partial<UpdateCardInput>,
    actor: Actor = this.agent,
  ): Promise<FullCard> {
    await this.get(UpdateCard).execute(actor, { projectId: this.projectId, cardId, ...input });
    return this.card(cardId);
  }

  async move(cardId: string, slug: string, input: Partial<MoveCardInput> = {}, actor: Actor = this.owner) {
    const columnId = await this.column(slug);
    return this.get(MoveCard).execute(actor, { projectId: this.projectId, cardId, columnId, ...input });
  }

  async column(slug: string, projectId = this.projectId): Promise<string> {
    const row = await this.database.one<{ id: string }>(
      'SELECT id FROM board.board_column WHERE project_id = $1 AND slug = $2',
      [projectId, slug],
    );
    return row!.id;
  }

  async slugs(): Promise<string[]> {
    return (await this.get(ListColumns).execute(this.owner, { projectId: this.projectId })).columns.map(
      (column) => column.slug,
    );
  }

  async history(cardId: string) {
    return (await this.get(GetCardHistory).execute(this.owner, { projectId: this.projectId, cardId })).events;
  }

  /** Numbers of the cards of a column, in its order. */
  async order(slug: string): Promise<number[]> {
    const rows = await this.database.query<{ number: number }>(
      'SELECT number FROM board.card WHERE column_id = $1 ORDER BY rank, id',
      [await this.column(slug)],
    );
    return rows.map((row) => row.number);
  }
}
