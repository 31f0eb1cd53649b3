import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplication } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { SessionGuard } from '#libs/http/session.guard.js';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { BlobStore } from '#libs/kernel/ports/blob-store.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory } from '#libs/kernel/ports/project-directory.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
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
import { LocalBlobStore } from '#libs/storage/local-blob-store.js';
import {
  type ConnectedMachine,
  ConnectionDirectory,
} from '#src/identity/application/ports/connection-directory.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { IdentityModule } from '#src/identity/identity.module.js';
import { Cast } from '#src/identity/testing/cast.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { FixedFlags } from '#src/platform/testing/fixed-flags.js';
import { ProjectHooks } from '#src/projects/application/ports/project-hooks.js';
import { EmptyModule, surroundings } from '../../../../test/support/surroundings.js';
import { ArtifactBlobs } from '../application/ports/artifact-blobs.js';
import { type StoredVersion, VersionStore, type VersionToStore } from '../application/ports/version-store.js';
import { WorkspaceChoice } from '../application/ports/workspace-choice.js';
import { ReadArtifactFile } from '../application/queries/read-artifact-file.js';
import { LibraryModule } from '../library.module.js';

/** Every connection lives until a test takes it out. */
class LivingConnections extends ConnectionDirectory {
  constructor(readonly living: Set<string>) {
    super();
  }

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

class NoLimits extends RateLimiter {
  override async hit() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
  override async peek() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
}

/** The module of the library on a real database, real git and files in a folder of its own. */
export class LibraryRig extends Cast {
  readonly clock = new FixedClock();
  readonly outbox = new RecordingOutbox();
  readonly audit = new RecordingAudit();
  readonly live = new RecordingLiveUpdates();
  readonly flags = new FixedFlags({ 'artifacts.enabled': 'true' });
  readonly hooks = new ProjectHooks();
  readonly listeners = new KeptListeners();
  readonly jobs = new KeptJobs();
  readonly connections = new LivingConnections(this.connected);
  readonly folder = mkdtempSync(join(tmpdir(), 'loupe-library-'));
  readonly configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    APP_SECRET: 'a secret of tests that is long enough',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    DEFAULT_URI: 'https://loupe.example',
    LOUPE_VAR_DIR: this.folder,
  });
  private module!: TestingModule;

  private constructor(readonly database: Database) {
    super();
  }

  /** `replace` puts others in the place of providers of the module, such as one that fails at a step. */
  static async start(
    database: Database,
    replace: ReadonlyMap<unknown, (rig: LibraryRig) => unknown> = new Map(),
    blobStore?: BlobStore,
  ): Promise<LibraryRig> {
    const rig = new LibraryRig(database);
    const around = new Map<unknown, unknown>([
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
      imports: [surroundings(around), LibraryModule],
    })
      .overrideModule(IdentityModule)
      .useModule(EmptyModule);
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

  /** A file as the agent reads it. */
  async read(artifactId: string, path: string, more: object = {}) {
    const input = { projectId: this.projectId, artifactId, path, ...more };
    const { facts, content } = await this.get(ReadArtifactFile).execute(this.agent, input);
    return { facts, content: 'image' in content ? content : { ...content, text: content.text.text } };
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
