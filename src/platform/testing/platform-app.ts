import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, type INestApplication, Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NextFunction, Request, Response } from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import { withLocalSecrets } from '#libs/configuration/secrets-file.js';
import { ProblemFilter } from '#libs/http/problem.filter.js';
import type { PersonActor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { migrateQueueSchema } from '#libs/messaging/queue-connection.js';
import { Database } from '#libs/persistence/database.js';
import { FoundationModule } from '../../foundation.module.js';
import { PlatformModule } from '../platform.module.js';
import { OpenAccess } from './open-access.js';

export const ADMIN_ID = '0195c0de-0000-7000-8000-00000000000a';
export const PERSON_ID = '0195c0de-0000-7000-8000-00000000000b';
const CSRF = 'csrf-of-the-test';

/** Who a test request comes from, by the header `X-Test-Person`: `admin`, `person`, or nobody. */
export const as = (who: 'admin' | 'person', session = who): Record<string, string> => ({
  'X-Test-Person': who,
  'X-Test-Session': session,
  'Loupe-Csrf-Token': CSRF,
});

export interface PlatformApp {
  readonly app: INestApplication;
  readonly access: OpenAccess;
  /** Base address, listening on a free loopback port. */
  readonly url: string;
  readonly varDir: string;
  get<T>(token: { readonly prototype: T }): T;
  stop(): Promise<void>;
}

export interface PlatformAppOptions {
  readonly role?: 'web' | 'worker' | 'all';
  readonly redisUrl?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly controllers?: Type[];
  /** Runs between the making of the modules and their start: the place to register listeners. */
  readonly before?: (app: INestApplication) => void | Promise<void>;
}

/** The platform as a process of its own on a test database: real adapters, with access to projects played by a fake. */
export async function startPlatform(
  databaseUrl: string,
  options: PlatformAppOptions = {},
): Promise<PlatformApp> {
  await migrateQueueSchema(databaseUrl);
  const varDir = mkdtempSync(join(tmpdir(), 'loupe-platform-'));
  const configuration = withLocalSecrets(
    Configuration.fromEnvironment({
      APP_ENV: 'test',
      LOUPE_VAR_DIR: varDir,
      LOUPE_ROLE: options.role ?? 'all',
      DATABASE_URL: databaseUrl,
      ...options.env,
      ...(options.redisUrl ? { REDIS_URL: options.redisUrl } : {}),
    }),
  );
  const database = await Database.connect({ url: databaseUrl, pool: 8, applicationName: 'loupe-platform' });
  const access = new OpenAccess();

  @Global()
  @Module({ providers: [{ provide: ProjectAccess, useValue: access }], exports: [ProjectAccess] })
  class AccessModule {}

  const testing = await Test.createTestingModule({
    imports: [FoundationModule.with(configuration, database), AccessModule, PlatformModule],
    controllers: options.controllers ?? [],
  }).compile();
  const app = testing.createNestApplication({ logger: false });
  app.use(identify);
  app.useGlobalFilters(new ProblemFilter());
  await options.before?.(app);
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  return {
    app,
    access,
    url,
    varDir,
    get: <T>(token: { readonly prototype: T }) => app.get<T>(token as unknown as Type<T>, { strict: false }),
    stop: async () => {
      await app.close();
      await database.close();
    },
  };
}

function identify(request: Request, _response: Response, next: NextFunction): void {
  const who = request.get('x-test-person');
  if (who === 'admin' || who === 'person') {
    const sessionId = request.get('x-test-session') ?? who;
    const actor: PersonActor = {
      kind: 'person',
      personId: who === 'admin' ? ADMIN_ID : PERSON_ID,
      sessionId,
      isAdmin: who === 'admin',
    };
    request.loupe = { person: { actor, session: { id: sessionId, csrfToken: CSRF, authTime: new Date() } } };
  }
  next();
}
