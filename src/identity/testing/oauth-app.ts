import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import {
  Controller,
  Global,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestMiddleware,
  type NestModule,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { json } from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { BearerGuard, RequireScope } from '#libs/http/bearer.guard.js';
import { CurrentActor } from '#libs/http/current-actor.decorator.js';
import type { HttpRequest, HttpResponse, NextFunction } from '#libs/http/exchange.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import { AdminGuard, SessionGuard } from '#libs/http/session.guard.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { Clock, SystemClock } from '#libs/kernel/clock.js';
import { Ids, UuidV7Ids } from '#libs/kernel/ids.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { EventListeners } from '#libs/kernel/ports/event-listeners.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { Jobs } from '#libs/kernel/ports/jobs.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { Mailer } from '#libs/kernel/ports/mailer.js';
import { Outbox } from '#libs/kernel/ports/outbox.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { ProjectDirectory, type ProjectFacts } from '#libs/kernel/ports/project-directory.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { type SignalPayload, Signals } from '#libs/kernel/ports/signals.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { KeptJobs } from '#libs/kernel/testing/kept-jobs.js';
import { KeptListeners } from '#libs/kernel/testing/kept-listeners.js';
import { RecordingMailer } from '#libs/kernel/testing/recording-mailer.js';
import {
  RecordingAudit,
  RecordingLiveUpdates,
  RecordingOutbox,
} from '#libs/kernel/testing/recording-ports.js';
import { Metrics } from '#libs/observability/metrics.js';
import { Database } from '#libs/persistence/database.js';
import { PostgresRateLimiter } from '#libs/rate-limiting/postgres-rate-limiter.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { AccountMails } from '../application/account-mails.js';
import { AccessTokens } from '../application/ports/access-tokens.js';
import { PersonDirectory } from '../application/ports/person-directory.js';
import { Persons } from '../application/ports/persons.js';
import { WebSessions } from '../application/ports/web-sessions.js';
import { ResolveActorFromSession } from '../application/queries/resolve-actor-from-session.js';
import { ResolveRequestProject } from '../application/queries/resolve-request-project.js';
import { RequestLimits } from '../application/request-limits.js';
import { PostgresPersons } from '../infrastructure/postgres-persons.js';
import { PostgresWebSessions } from '../infrastructure/postgres-web-sessions.js';
import { SqlPersonDirectory } from '../infrastructure/sql-person-directory.js';
import { AuthenticateRequest } from '../interface/http/authenticate-request.js';
import { FormTokens } from '../interface/http/form-tokens.js';
import { PageFilter } from '../interface/http/pages/page.filter.js';
import { PageSender } from '../interface/http/pages/page-sender.js';
import { mountAuthorizationServer, oauthBindings } from '../oauth.bindings.js';
import { identifyRequests } from '../people.bindings.js';

/** Address of the instance in these tests. No name server knows it: requests go to the port of the application. */
export const D = 'http://loupe.example';

/** The door of `/mcp` resolves tokens by itself, and so does this. */
@Injectable()
class ProbeDoor implements NestMiddleware {
  constructor(private readonly tokens: AccessTokens) {}

  async use(request: HttpRequest, _response: HttpResponse, next: NextFunction): Promise<void> {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token) {
      const presented = {
        token,
        path: '/mcp',
        ip: request.ip ?? null,
        projectId: null,
        agentSessionId: null,
      };
      const connection = await this.tokens.actorOf(presented);
      request.loupe = connection ? { connection } : { bearerFailure: 'invalid_token' };
    }
    next();
  }
}

/** Stands in for `/mcp`: bearer, scope, project. */
@Controller('mcp')
@UseGuards(BearerGuard)
@RequireScope('mcp')
class ProbeController {
  constructor(private readonly projects: ResolveRequestProject) {}

  @Post()
  probe(@CurrentActor() actor: ConnectionActor, @Req() request: HttpRequest) {
    return this.projects.execute(actor, request.get('loupe-project-id') ?? null);
  }
}

/** Keeps signals, for tests to look at. */
class KeptSignals extends Signals {
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

class FakeProjects extends ProjectDirectory {
  readonly origins = new Set<string>();
  override async byIds(ids: readonly string[]): Promise<Map<string, ProjectFacts>> {
    return new Map(
      ids.map((id) => [id, { id, slug: id, name: `Project ${id}`, ownerId: id, searchLanguage: 'english' }]),
    );
  }
  override async allowsOrigin(projectId: string, origin: string): Promise<boolean> {
    return this.origins.has(`${projectId} ${origin}`);
  }
}

export interface SignedInPerson {
  readonly id: string;
  readonly email: string;
  /** Value of the `Cookie` header. */
  readonly cookie: string;
}

export interface OAuthAppOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Shared by several applications on one database, as by several replicas. */
  readonly access?: FakeProjectAccess;
}

/** The authorization server behind real HTTP on a real database. Several on one database are several replicas. */
export class OAuthApp {
  readonly audit = new RecordingAudit();
  readonly outbox = new RecordingOutbox();
  readonly live = new RecordingLiveUpdates();
  readonly signals = new KeptSignals();
  readonly listeners = new KeptListeners();
  readonly jobs = new KeptJobs();
  readonly projects = new FakeProjects();
  readonly status = new StatusChecks();
  readonly mailer = new RecordingMailer();
  private app!: NestExpressApplication;
  base = '';

  private constructor(
    readonly database: Database,
    readonly access: FakeProjectAccess,
  ) {}

  static async start(database: Database, options: OAuthAppOptions = {}): Promise<OAuthApp> {
    const started = new OAuthApp(database, options.access ?? new FakeProjectAccess());
    await started.listen(options.env ?? {});
    return started;
  }

  close(): Promise<void> {
    return this.app.close();
  }

  get<T>(type: abstract new (...parameters: never[]) => T): T {
    return this.app.get(type as never);
  }

  /** Calls a path of the application, or an absolute address of the instance. Never follows a redirect. */
  fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const path = address.startsWith(D) ? address.slice(D.length) || '/' : address;
    return fetch(`${this.base}${path}`, { redirect: 'manual', ...init });
  }

  postForm(
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.fetch(path, { method: 'POST', body: new URLSearchParams(form), headers });
  }

  /** An active person with a web session of their own. */
  async person(email = `${randomBytes(4).toString('hex')}@example.com`): Promise<SignedInPerson> {
    const id = new UuidV7Ids().next();
    const cookie = randomBytes(32).toString('base64url');
    await this.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
       VALUES ($1, $2, lower($2), 'Ines Marlow', 'x', now(), now(), now())`,
      [id, email],
    );
    await this.database.query(
      `INSERT INTO identity.web_sessions (id, person_id, expires_at, csrf_secret) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [createHash('sha256').update(cookie).digest('hex'), id, randomBytes(16).toString('hex')],
    );
    return { id, email, cookie: `loupe_session=${cookie}` };
  }

  private async listen(env: NodeJS.ProcessEnv): Promise<void> {
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      DEFAULT_URI: D,
      APP_SECRET: 'a secret of at least thirty-two characters',
      APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...env,
    });
    const surroundings = [
      { provide: Configuration, useValue: configuration },
      { provide: Database, useValue: this.database },
      { provide: UnitOfWork, useValue: this.database },
      { provide: Clock, useClass: SystemClock },
      { provide: Ids, useClass: UuidV7Ids },
      { provide: SecretBox, useClass: DerivedSecretBox },
      { provide: RateLimiter, useValue: new PostgresRateLimiter(this.database) },
      { provide: Audit, useValue: this.audit },
      { provide: Outbox, useValue: this.outbox },
      { provide: Signals, useValue: this.signals },
      { provide: LiveUpdates, useValue: this.live },
      { provide: Mailer, useValue: this.mailer },
      AdminGuard,
      SessionGuard,
      { provide: Jobs, useValue: this.jobs },
      { provide: EventListeners, useValue: this.listeners },
      { provide: ProjectAccess, useValue: this.access },
      { provide: ProjectDirectory, useValue: this.projects },
      { provide: Metrics, useValue: new Metrics() },
      { provide: StatusChecks, useValue: this.status },
      { provide: Flags, useValue: { isOn: () => true, int: () => 100_000 } },
    ];

    @Global()
    @Module({
      providers: surroundings,
      exports: surroundings.map((part) => ('provide' in part ? part.provide : part)),
    })
    class Surroundings {}

    @Module({
      controllers: [...oauthBindings.controllers, ProbeController],
      providers: [
        ...oauthBindings.providers,
        AccountMails,
        AuthenticateRequest,
        RequestLimits,
        FormTokens,
        PageFilter,
        PageSender,
        ResolveActorFromSession,
        { provide: Persons, useClass: PostgresPersons },
        { provide: PersonDirectory, useClass: SqlPersonDirectory },
        { provide: WebSessions, useClass: PostgresWebSessions },
      ],
    })
    class OAuth implements NestModule {
      configure(consumer: MiddlewareConsumer): void {
        identifyRequests(consumer);
        consumer.apply(ProbeDoor).forRoutes('mcp');
      }
    }

    const testing = await Test.createTestingModule({ imports: [Surroundings, OAuth] }).compile();
    this.app = testing.createNestApplication<NestExpressApplication>({
      logger: ['error'],
      bodyParser: false,
    });
    this.app.set('trust proxy', [...configuration.values.trustedProxies]);
    mountAuthorizationServer(this.app);
    this.app.use('/api', json());
    this.app.useGlobalFilters(new ProblemFilter());
    await this.app.listen(0, '127.0.0.1');
    this.base = `http://127.0.0.1:${(this.app.getHttpServer().address() as AddressInfo).port}`;
  }
}
