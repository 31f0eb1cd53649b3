import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DynamicModule, Global, type INestApplication, Module, type Type } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor, ConnectionActor, PersonActor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids, UuidV7Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory, type ProjectFacts } from '#libs/kernel/ports/project-directory.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Database } from '#libs/persistence/database.js';
import { LocalBlobStore } from '#libs/storage/local-blob-store.js';
import {
  type ConnectedMachine,
  ConnectionDirectory,
} from '#src/identity/application/ports/connection-directory.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { NamedPeople } from '#src/identity/testing/named-people.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { ArtifactBlobs } from '../application/ports/artifact-blobs.js';
import { type StoredVersion, VersionStore, type VersionToStore } from '../application/ports/version-store.js';
import { WorkspaceChoice } from '../application/ports/workspace-choice.js';
import { LibraryModule } from '../library.module.js';

class KeptListeners extends EventListeners {
  readonly kept = new Map<string, Parameters<EventListeners['register']>[0]>();

  override register(listener: Parameters<EventListeners['register']>[0]): void {
    this.kept.set(listener.name, listener);
  }
}

class KeptJobs extends Jobs {
  readonly handlers = new Map<string, Parameters<Jobs['process']>[2]>();
  override async add(): Promise<void> {}
  override async remove(): Promise<void> {}
  override every(): void {}
  override process(queue: string, name: string, handler: Parameters<Jobs['process']>[2]): void {
    this.handlers.set(`${queue}/${name}`, handler);
  }
}

/** Every connection lives until a test says that it was revoked. */
class LivingConnections extends ConnectionDirectory {
  readonly living = new Set<string>();

  override async ofPerson(): Promise<ConnectedMachine[]> {
    return [...this.living].map((connectionId) => ({
      connectionId,
      label: null,
      clientId: 'https://agent.example/client',
      clientName: 'Agent',
      signedInAt: new Date(0),
      lastSeenAt: null,
      usedThisProjectAt: null,
    }));
  }

  override async lastUseOf(): Promise<Date | null> {
    return null;
  }
}

class NamedProjects extends ProjectDirectory {
  override async byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
    return new Map(
      ids.map((id) => [id, { id, slug: 'acme', name: 'Acme', ownerId: id, searchLanguage: 'english' }]),
    );
  }

  override async allowsOrigin(): Promise<boolean> {
    return false;
  }
}

class NoLimits extends RateLimiter {
  override async hit() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
  override async peek() {
    return { allowed: true, retryAfterSeconds: 0 };
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

@Module({})
class NobodyElse {}

/** The module of the library on a real database, real git and files in a folder of its own. */
export class LibraryRig {
  readonly ids = new UuidV7Ids();
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly access = new FakeProjectAccess();
  readonly people = new NamedPeople();
  readonly flags = new FixedFlags({ 'artifacts.enabled': 'true' });
  readonly hooks = new ProjectHooks();
  readonly listeners = new KeptListeners();
  readonly jobs = new KeptJobs();
  readonly connections = new LivingConnections();
  readonly folder = mkdtempSync(join(tmpdir(), 'loupe-library-'));
  readonly configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    APP_SECRET: 'a secret of tests that is long enough',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    DEFAULT_URI: 'https://loupe.example',
    LOUPE_VAR_DIR: this.folder,
  });
  readonly owner = this.person('Ada Owner');
  readonly member = this.person('Ben Member');
  readonly viewer = this.person('Vic Viewer');
  readonly stranger = this.person('Sam Stranger');
  readonly projectId = this.ids.next();
  readonly otherProjectId = this.ids.next();
  readonly agent: ConnectionActor;
  private module!: TestingModule;

  private constructor(readonly database: Database) {
    this.access.add(this.projectId, this.owner.personId, {
      [this.member.personId]: 'member',
      [this.viewer.personId]: 'viewer',
    });
    this.access.add(this.otherProjectId, this.stranger.personId);
    this.agent = this.connection(this.owner.personId, this.projectId);
  }

  /** `replace` puts others in the place of providers of the module, such as one that fails at a step. */
  static async start(
    database: Database,
    replace: ReadonlyMap<unknown, (rig: LibraryRig) => unknown> = new Map(),
    blobStore?: BlobStore,
  ): Promise<LibraryRig> {
    const rig = new LibraryRig(database);
    const surroundings = new Map<unknown, unknown>([
      [Database, database],
      [UnitOfWork, database],
      [Configuration, rig.configuration],
      [SessionGuard, new SessionGuard(rig.configuration)],
      [Clock, rig.clock],
      [Ids, rig.ids],
      [Outbox, rig.outbox],
      [Audit, rig.audit],
      [LiveUpdates, rig.live],
      [EventListeners, rig.listeners],
      [ProjectAccess, rig.access],
      [PersonDirectory, rig.people],
      [ProjectDirectory, new NamedProjects()],
      [Flags, rig.flags],
      [Jobs, rig.jobs],
      [BlobStore, blobStore ?? new LocalBlobStore(rig.configuration)],
      [RateLimiter, new NoLimits()],
      [SecretBox, new DerivedSecretBox(rig.configuration)],
      [ConnectionDirectory, rig.connections],
      [ProjectHooks, rig.hooks],
      [ExportContributors, new ExportContributors()],
      [StatusChecks, new StatusChecks()],
    ]);
    let building = Test.createTestingModule({
      imports: [Surroundings.of(surroundings), LibraryModule],
    })
      .overrideModule(IdentityModule)
      .useModule(NobodyElse);
    for (const [token, make] of replace) building = building.overrideProvider(token).useValue(make(rig));
    rig.module = await building.compile();
    await rig.module.init();
    for (const id of [rig.projectId, rig.otherProjectId]) {
      for (const initializer of rig.hooks.initializers) {
        await initializer.initialize(rig.owner, { id, ownerId: rig.owner.personId, templateKey: null });
      }
    }
    return rig;
  }

  async stop(): Promise<void> {
    await this.module.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A use case or port of the module. */
  get<T>(token: abstract new (...parts: never[]) => T): T {
    return this.module.get(token as never, { strict: false });
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
    const connectionId = this.ids.next();
    this.connections.living.add(connectionId);
    return {
      kind: 'connection',
      connectionId,
      personId,
      clientId: 'https://agent.example/client',
      scopes: ['mcp'],
      boundProjectId: projectId,
      projectId,
      agentSessionId: null,
      channel: 'mcp',
    };
  }

  forget(): void {
    this.outbox.events.length = 0;
    this.audit.entries.length = 0;
    this.live.sent.length = 0;
  }

  /** Candidates of texts and bytes, stored as blobs. */
  async files(contents: Readonly<Record<string, string | Uint8Array>>): Promise<VersionToStore['files']> {
    const blobs = this.get(ArtifactBlobs);
    const waiting = Object.entries(contents);
    const files = new Map<string, VersionToStore['files'][number]>();
    const bring = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [path, content] = next;
        const bytes = typeof content === 'string' ? Buffer.from(content) : content;
        files.set(path, { path, blob: await blobs.put(bytes, { maxBytes: 100_000_000 }) });
      }
    };
    await Promise.all(Array.from({ length: 4 }, bring));
    return Object.keys(contents).map((path) => files.get(path)!);
  }

  /** A new artifact with these files; `app` of plain HTML unless said otherwise. */
  async create(
    contents: Readonly<Record<string, string | Uint8Array>> = { 'index.html': '<h1>Hello</h1>' },
    given: Partial<Extract<VersionToStore['target'], { create: unknown }>['create']> = {},
    actor: Actor = this.owner,
  ): Promise<StoredVersion> {
    const projectId = given.projectId ?? this.projectId;
    const [general] = await this.generalOf(projectId);
    return this.get(VersionStore).store({
      target: {
        create: {
          artifactId: this.ids.next(),
          projectId,
          workspaceId: general!,
          name: 'Checkout prototype',
          description: '',
          artifactType: 'app',
          framework: given.artifactType === undefined || given.artifactType === 'app' ? 'html' : null,
          origin: 'push',
          entryWish: null,
          ...given,
        },
      },
      files: await this.files(contents),
      notes: 'First',
      source: 'push',
      maker: makerOf(actor),
      actor,
    });
  }

  /** A further version with exactly these files. */
  async push(
    artifactId: string,
    contents: Readonly<Record<string, string | Uint8Array>>,
    more: Partial<VersionToStore> = {},
  ): Promise<StoredVersion> {
    return this.get(VersionStore).store({
      target: { artifactId },
      files: await this.files(contents),
      notes: 'Next',
      source: 'push',
      maker: makerOf(this.owner),
      actor: this.owner,
      ...more,
    });
  }

  /** The workspace that takes new artifacts. */
  chosen(actor: Actor = this.agent): Promise<string> {
    return this.get(WorkspaceChoice).choose(actor, this.projectId, undefined);
  }

  private async generalOf(projectId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM artifacts.workspace WHERE project_id = $1 AND is_general',
      [projectId],
    );
    return rows.map(({ id }) => id);
  }
}

function makerOf(actor: Actor) {
  return actor.kind === 'person'
    ? ({ kind: 'person', personId: actor.personId } as const)
    : ({ kind: 'agent', personId: 'personId' in actor ? actor.personId : null } as const);
}
