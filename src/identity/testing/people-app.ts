import { Global, type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import { AdminGuard, SessionGuard } from '#libs/http/session.guard.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { Clock, SystemClock } from '#libs/kernel/clock.js';
import { Ids, UuidV7Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { type JobData, type JobHandler, Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { type SignalPayload, Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { RecordingMailer } from '#libs/kernel/testing/recording-mailer.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Database } from '#libs/persistence/database.js';
import { PostgresRateLimiter } from '#libs/rate-limiting/postgres-rate-limiter.js';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { ActorNames } from '#src/platform/application/ports/actor-names.js';
import { AuditRecords } from '#src/platform/application/ports/audit-records.js';
import { ExportContributors } from '#src/platform/application/ports/export-contributors.js';
import { OverviewCounters } from '#src/platform/application/ports/overview-counters.js';
import { SessionCheck } from '#src/platform/application/ports/session-check.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { GetStatus } from '#src/platform/application/queries/get-status.js';
import { RevokeConnections } from '../application/commands/revoke-connections.js';
import { AccessTokens, type PresentedToken } from '../application/ports/access-tokens.js';
import { Connections } from '../application/ports/connections.js';
import { SqlConnections } from '../infrastructure/oauth/sql-connections.js';
import { identifyRequests, peopleBindings } from '../people.bindings.js';

/** Keeps signals, for tests to look at. */
export class RecordingSignals extends Signals {
  readonly sent: (SignalPayload & { channel: string })[] = [];
  override readonly connected = true;

  override async publish(channel: string, payload: SignalPayload): Promise<void> {
    this.sent.push({ channel, ...payload });
  }

  override subscribe(): () => void {
    return () => undefined;
  }

  override onResync(): () => void {
    return () => undefined;
  }
}

/** Runs a job when a test says so. */
export class FakeJobs extends Jobs {
  readonly added: { queue: string; id: string; name: string; data: JobData }[] = [];
  private readonly handlers = new Map<string, JobHandler>();

  override async add(queue: string, id: string, name: string, data: JobData): Promise<void> {
    this.added.push({ queue, id, name, data });
  }

  override async remove(): Promise<void> {}

  override every(): void {}

  override process(_queue: string, name: string, handler: JobHandler): void {
    this.handlers.set(name, handler);
  }

  /** Runs everything that was added. */
  async runAll(): Promise<void> {
    for (const { id, name, data } of this.added.splice(0)) {
      await this.handlers.get(name)!({ id, name, data, attempt: 1 });
    }
  }
}

/** Keeps who was forgotten. */
export class FakeAuditRecords extends AuditRecords {
  readonly forgotten: string[] = [];

  override async deleteOlderThan(): Promise<number> {
    return 0;
  }

  override async deleteOfActor(personId: string): Promise<number> {
    this.forgotten.push(personId);
    return 0;
  }
}

/** Knows the tokens that a test gave it. */
export class FakeAccessTokens extends AccessTokens {
  readonly known = new Map<string, ConnectionActor>();
  readonly asked: PresentedToken[] = [];

  override async actorOf(presented: PresentedToken): Promise<ConnectionActor | null> {
    this.asked.push(presented);
    return this.known.get(presented.token) ?? null;
  }
}

export interface PeopleApp {
  readonly app: NestExpressApplication;
  readonly audit: RecordingAudit;
  readonly outbox: RecordingOutbox;
  readonly signals: RecordingSignals;
  readonly live: RecordingLiveUpdates;
  readonly mailer: RecordingMailer;
  readonly jobs: FakeJobs;
  readonly auditRecords: FakeAuditRecords;
  readonly access: FakeProjectAccess;
  readonly tokens: FakeAccessTokens;
  /** What was written with SetFlag. */
  readonly flagsSet: { name: string; value: unknown; personId: string | null }[];
  /** Flags that are on. */
  readonly flagsOn: Set<string>;
  /** Values of whole-number flags that are not the default. */
  readonly flagValues: Map<string, number>;
}

/**
 * The people part of identity behind real HTTP and a real database; the platform is played by recorders.
 * `env` is the environment, without secrets.
 */
export async function startPeopleApp(
  database: Database,
  env: NodeJS.ProcessEnv = {},
  options: { readonly mail?: boolean } = {},
): Promise<PeopleApp> {
  const configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    APP_SECRET: 'a secret of at least thirty-two characters',
    APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...env,
  });
  const audit = new RecordingAudit();
  const outbox = new RecordingOutbox();
  const signals = new RecordingSignals();
  const live = new RecordingLiveUpdates();
  const mailer = new RecordingMailer();
  mailer.isOn = options.mail ?? true;
  const access = new FakeProjectAccess();
  const tokens = new FakeAccessTokens();
  const flagsSet: PeopleApp['flagsSet'] = [];
  const flagsOn = new Set<string>();
  const flagValues = new Map<string, number>();
  const setFlag = {
    execute: async (actor: { personId?: string }, { name, value }: { name: string; value: unknown }) => {
      flagsSet.push({ name, value, personId: actor.personId ?? null });
      return { changed: true };
    },
  };
  const jobs = new FakeJobs();
  const statusChecks = new StatusChecks();
  const auditRecords = new FakeAuditRecords();
  const status = {
    execute: async () => ({
      checks: [
        { name: 'Database', state: 'ok', sentence: 'PostgreSQL answers.' },
        { name: 'Mail', state: 'failed', sentence: 'No mail <server> is set. Set MAILER_DSN.' },
      ],
    }),
  };

  @Global()
  @Module({
    providers: [
      { provide: Configuration, useValue: configuration },
      { provide: Database, useValue: database },
      { provide: UnitOfWork, useValue: database },
      { provide: Clock, useClass: SystemClock },
      { provide: Ids, useClass: UuidV7Ids },
      { provide: SecretBox, useClass: DerivedSecretBox },
      { provide: RateLimiter, useValue: new PostgresRateLimiter(database) },
      { provide: Audit, useValue: audit },
      { provide: Outbox, useValue: outbox },
      { provide: Signals, useValue: signals },
      { provide: LiveUpdates, useValue: live },
      { provide: Mailer, useValue: mailer },
      { provide: ProjectAccess, useValue: access },
      {
        provide: Flags,
        useValue: {
          isOn: (name: string) => flagsOn.has(name),
          int: (name: string) => flagValues.get(name) ?? (name === 'registration.max_people' ? 0 : 300),
        },
      },
      { provide: SetFlag, useValue: setFlag },
      { provide: GetStatus, useValue: status },
      { provide: AccessTokens, useValue: tokens },
      { provide: Jobs, useValue: jobs },
      { provide: AuditRecords, useValue: auditRecords },
      { provide: StatusChecks, useValue: statusChecks },
      AdminGuard,
      SessionGuard,
      ActorNames,
      SessionCheck,
      OverviewCounters,
      ExportContributors,
    ],
    exports: [
      Configuration,
      Database,
      UnitOfWork,
      Clock,
      Ids,
      SecretBox,
      RateLimiter,
      Audit,
      Outbox,
      Signals,
      LiveUpdates,
      Mailer,
      ProjectAccess,
      Flags,
      SetFlag,
      GetStatus,
      AccessTokens,
      Jobs,
      AuditRecords,
      StatusChecks,
      AdminGuard,
      SessionGuard,
      ActorNames,
      SessionCheck,
      OverviewCounters,
      ExportContributors,
    ],
  })
  class Surroundings {}

  @Module({
    controllers: peopleBindings.controllers,
    providers: [
      ...peopleBindings.providers,
      RevokeConnections,
      { provide: Connections, useClass: SqlConnections },
    ],
  })
  class People implements NestModule {
    configure(consumer: MiddlewareConsumer): void {
      identifyRequests(consumer);
    }
  }

  const testing = await Test.createTestingModule({ imports: [Surroundings, People] }).compile();
  const app = testing.createNestApplication<NestExpressApplication>({ logger: ['error'] });
  app.set('trust proxy', configuration.values.trustedProxies);
  app.useGlobalFilters(new ProblemFilter());
  await app.init();
  return {
    app,
    audit,
    outbox,
    signals,
    live,
    access,
    tokens,
    flagsSet,
    flagsOn,
    flagValues,
    mailer,
    jobs,
    auditRecords,
  };
}
