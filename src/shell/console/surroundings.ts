import { userInfo } from 'node:os';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { withLocalSecrets } from '#libs/configuration/secrets-file.js';
import type { ConsoleActor } from '#libs/kernel/actor.js';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { type OpenedDatabase, openDatabase } from '../../open-database.js';

/** Whoever gave the command, for the audit log. */
export const actor: ConsoleActor = { kind: 'console', osUser: osUser() };

/** In containers a process may have a number that no name belongs to. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

/** The environment of a command: like a server's, but it takes no jobs. */
export function environment(): Configuration {
  const { values } = withLocalSecrets(Configuration.fromEnvironment(process.env));
  return new Configuration({ ...values, role: 'web' });
}

/** Address of the database alone, for commands that must not need the rest of the product. */
export async function withDatabaseUrl<T>(work: (url: string) => Promise<T>): Promise<T> {
  const { values } = environment();
  if (values.databaseDirectUrl) return work(values.databaseDirectUrl);
  const embedded = await acquireEmbeddedPostgres({
    varDir: values.varDir,
    durable: true,
    log: () => undefined,
  });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.release();
  }
}

/** The database without the rest of the product, whatever key it was sealed with. */
export async function withAnyKey<T>(work: (opened: OpenedDatabase) => Promise<T>): Promise<T> {
  const opened = await openDatabase(environment(), () => undefined, { anyKey: true });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Everything that `product.ts` names, and `get` for the parts of the started product. */
type StartedProduct = typeof import('./product.js') & {
  readonly get: <P>(part: Type<P> | Abstract<P>) => P;
};

/** The product without its doors. */
export async function withProduct<T>(work: (product: StartedProduct) => Promise<T>): Promise<T> {
  const opened = await openDatabase(environment(), () => undefined);
  let app: INestApplicationContext | null = null;
  try {
    const product = await import('./product.js');
    app = await product.NestFactory.createApplicationContext(
      product.AppModule.with(opened.configuration, opened.database),
      { logger: ['error', 'warn'], abortOnError: false },
    );
    const running = app;
    return await work({ ...product, get: (part) => running.get(part, { strict: false }) });
  } finally {
    await app?.close();
    await opened.close();
  }
}
