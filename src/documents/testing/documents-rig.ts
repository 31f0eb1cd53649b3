import { DynamicModule, Global, INestApplication, Module, Type } from '@nestjs/common';
import { Test, TestingModule } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { Ids, UuidV7Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory, type ProjectFacts } from '#libs/kernel/ports/project-directory.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { NamedPeople } from '#src/identity/testing/named-people.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { SearchProviders } from '#src/platform/application/ports/search-providers.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { SearchLanguages } from '#src/projects/application/ports/search-languages.js';
import { AddComment, type AddCommentInput } from '../application/commands/add-comment.js';
import { CreateDocument, type CreateDocumentInput } from '../application/commands/create-document.js';
import { ReviseDocument, type ReviseDocumentInput } from '../application/commands/revise-document.js';
import { DocumentHooks } from '../application/ports/design-review-gate.js';
import { GetReview, type GetReviewInput } from '../application/queries/get-review.js';
import { GetReviewPage } from '../application/queries/get-review-page.js';
import { DocumentsModule } from '../documents.module.js';
import { FakeDesignReviewGate } from './fake-design-review-gate.js';

/** Projects of a test, with the language that new documents take. */
class ProjectsOfTest extends ProjectDirectory {
  readonly languages = new Map<string, string>();

  override async byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
    return new Map(
      ids.map((id) => [
        id,
        { id, slug: id, name: id, ownerId: id, searchLanguage: this.languages.get(id) ?? 'english' },
      ]),
    );
  }

  override async allowsOrigin(): Promise<boolean> {
    return false;
  }
}

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

class NoListeners extends EventListeners {
  readonly names: string[] = [];

  override register(listener: { name: string }): void {
    this.names.push(listener.name);
  }
}

@Global()
@Module({})
class Surroundings {
  static of(values: ReadonlyMap<unknown, unknown>): DynamicModule {
    const providers = [...values].map(([provide, value]) => ({
      provide: provide as Type,
      useFactory: () => value,
    }));
    return { module: Surroundings, providers, exports: providers.map((provider) => provider.provide) };
  }
}

/** Stands in for the module of identity, whose port is among the surroundings. */
@Module({})
class NobodyElse {}

/** The module of documents on a real database and with its real renderer; what it tells others is kept for a look. */
export class DocumentsRig {
  readonly ids = new UuidV7Ids();
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly access = new FakeProjectAccess();
  readonly people = new NamedPeople();
  readonly projects = new ProjectsOfTest();
  readonly listeners = new NoListeners();
  readonly flags = new FixedFlags();
  readonly search = new SearchProviders();
  /** Serves agent reviews, as the board does. */
  readonly gate = new FakeDesignReviewGate();
  /** Owner, second member, viewer, somebody else, and the agent of the owner. */
  readonly owner: PersonActor;
  readonly member: PersonActor;
  readonly viewer: PersonActor;
  readonly stranger: PersonActor;
  readonly agent: ConnectionActor;
  readonly projectId = this.ids.next();
  readonly otherProjectId = this.ids.next();
  private module!: TestingModule;

  private constructor(readonly database: Database) {
    this.owner = this.person('Ada Owner');
    this.member = this.person('Ben Member');
    this.viewer = this.person('Vic Viewer');
    this.stranger = this.person('Sam Stranger');
    this.access.add(this.projectId, this.owner.personId, {
      [this.member.personId]: 'member',
      [this.viewer.personId]: 'viewer',
    });
    this.access.add(this.otherProjectId, this.stranger.personId);
    this.agent = this.connection(this.owner.personId, this.projectId);
  }

  /** `board: false` leaves out what the board serves. */
  static async start(database: Database, { board = true } = {}): Promise<DocumentsRig> {
    const rig = new DocumentsRig(database);
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      DEFAULT_URI: 'https://loupe.example',
    });
    const surroundings = new Map<unknown, unknown>([
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
      imports: [Surroundings.of(surroundings), DocumentsModule],
    })
      .overrideModule(IdentityModule)
      .useModule(NobodyElse)
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

  person(name: string): PersonActor {
    const personId = this.ids.next();
    this.people.known.set(personId, name);
    return { kind: 'person', personId, sessionId: 'session', isAdmin: false };
  }

  connection(personId: string, projectId: string): ConnectionActor {
    return {
      kind: 'connection',
      connectionId: this.ids.next(),
      personId,
      clientId: 'https://agent.example/client',
      scopes: ['mcp'],
      boundProjectId: projectId,
      projectId,
      agentSessionId: null,
      channel: 'mcp',
    };
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

/** The sentences of a refusal, one a line, each with its argument; a test fails when nothing was refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof InvalidInput) return error.message;
    const { message, detail } = error as { message: string; detail?: { argument?: string } };
    return detail?.argument ? `${detail.argument}: ${message}` : message;
  }
  throw new Error('Nothing was refused.');
}
