#!/usr/bin/env node
import 'reflect-metadata';
import { userInfo } from 'node:os';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { Abstract, INestApplicationContext, Type } from '@nestjs/common';
import { Command, InvalidArgumentError } from 'commander';
import { Configuration } from '#libs/configuration/configuration.js';
import { DerivedSecretBox } from '#libs/configuration/derived-secret-box.js';
import { withLocalSecrets } from '#libs/configuration/secrets-file.js';
import { version } from '#libs/configuration/version.js';
import type { ConsoleActor } from '#libs/kernel/actor.js';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { migrate, pendingMigrations } from '#libs/persistence/migrations.js';
import { reseal } from '#libs/persistence/sealed-columns.js';
import { foreignMigrations } from './foreign-migrations.js';
import { type OpenedDatabase, openDatabase, WRONG_KEY } from './open-database.js';
import { findKey } from './platform/infrastructure/key-sentinel.js';
import { sealedColumns } from './sealed-columns.js';

const actor: ConsoleActor = { kind: 'console', osUser: osUser() };

/** In containers a process may have a number that no name belongs to. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

function say(line: string): void {
  stdout.write(`${line}\n`);
}

/** The environment of a command: like a server's, but it takes no jobs. */
function environment(): Configuration {
  const { values } = withLocalSecrets(Configuration.fromEnvironment(process.env));
  return new Configuration({ ...values, role: 'web' });
}

/** Address of the database alone, for commands that must not need the rest of the product. */
async function withDatabaseUrl<T>(work: (url: string) => Promise<T>): Promise<T> {
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
async function withAnyKey<T>(work: (opened: OpenedDatabase) => Promise<T>): Promise<T> {
  const opened = await openDatabase(environment(), () => undefined, { anyKey: true });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

/** Everything that `console-product.ts` names, and `get` for the parts of the started product. */
type StartedProduct = typeof import('./console-product.js') & {
  readonly get: <P>(part: Type<P> | Abstract<P>) => P;
};

/** The product without its doors. */
async function withProduct<T>(work: (product: StartedProduct) => Promise<T>): Promise<T> {
  const opened = await openDatabase(environment(), () => undefined);
  let app: INestApplicationContext | null = null;
  try {
    const product = await import('./console-product.js');
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

function time(given: string): Date {
  const parsed = new Date(given);
  if (Number.isNaN(parsed.getTime())) {
    throw new InvalidArgumentError('Write it as 2026-01-31T09:00:00Z.');
  }
  return parsed;
}

function whole(given: string): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('Write a whole number above 0.');
  return number;
}

function times(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

async function askPassword(): Promise<string | undefined> {
  if (!stdin.isTTY) return undefined;
  const prompt = createInterface({ input: stdin, output: stdout });
  const answer = await prompt.question('Password (empty: one is made): ');
  prompt.close();
  return answer || undefined;
}

const program = new Command('loupe-server')
  .description('Operates an instance of Loupe. Every command reads the same environment as the server.')
  .version(version)
  .showHelpAfterError('Run it with --help to see what it takes.')
  .addHelpText(
    'after',
    `
Commands end with 0 when they did what they say, and with 1 when not. All are safe beside a running server, and safe to
repeat; what cannot be undone says so. "loupe-server <command> --help" shows the options of one.`,
  );

program
  .command('migrate')
  .description('bring the schema up to date; safe to run twice or at once')
  .action(async () => {
    const ran = await withDatabaseUrl((url) => migrate(url, foreignMigrations));
    say(ran.length === 0 ? 'The schema is up to date.' : ran.map((name) => `Migrated: ${name}`).join('\n'));
  });

program
  .command('migrate:status')
  .description('list migrations that this release needs and the database lacks; exits 1 when there are any')
  .action(async () => {
    const pending = await withDatabaseUrl((url) => pendingMigrations(url));
    say(
      pending.length === 0
        ? 'The schema is up to date.'
        : pending.map((name) => `Pending: ${name}`).join('\n'),
    );
    if (pending.length > 0) process.exitCode = 1;
  });

program
  .command('db:url')
  .description('print the address of the database, for pg_dump and psql')
  .action(async () => say(await withDatabaseUrl(async (url) => url)));

program
  .command('admin:create <email>')
  .description('make a verified admin, or promote and verify the account with this address')
  .option('--name <name>', 'display name')
  .option('--password <password>', 'password of a new account; asked for at a terminal, else made')
  .action(async (email: string, options: { name?: string; password?: string }) => {
    const password = options.password ?? (await askPassword());
    const made = await withProduct(({ get, CreateAdmin }) =>
      get(CreateAdmin).execute(actor, { email, name: options.name, password }),
    );
    const lines = {
      created: 'Created the admin',
      promoted: 'Made an admin of',
      already: 'Already an admin:',
    };
    say(`${lines[made.outcome]} ${email}.`);
    if (made.madePassword) say(`Password, shown once: ${made.madePassword}`);
  });

program
  .command('user:promote <email>')
  .description('make an admin of an account')
  .action(async (email: string) => {
    const { changed } = await withProduct(({ get, PromotePerson }) =>
      get(PromotePerson).execute(actor, { email }),
    );
    say(changed ? `${email} is an admin now.` : `${email} is already an admin.`);
  });

program
  .command('user:verify <email>')
  .description('mark the address of an account as verified')
  .action(async (email: string) => {
    const { changed } = await withProduct(({ get, ForceVerifyPerson }) =>
      get(ForceVerifyPerson).execute(actor, { email }),
    );
    say(changed ? `${email} is verified now.` : `${email} is already verified.`);
  });

program
  .command('health:status')
  .description('run all checks; exits 1 when one has failed')
  .option('--strict', 'exit 1 on a warning too')
  .action(async (options: { strict?: boolean }) => {
    const { checks } = await withProduct(({ get, GetStatus }) => get(GetStatus).execute(actor, null));
    for (const { name, state, sentence } of checks) say(`${state.padEnd(8)} ${name}: ${sentence}`);
    const bad = options.strict ? ['failed', 'warning'] : ['failed'];
    if (checks.some((check) => bad.includes(check.state))) process.exitCode = 1;
  });

program
  .command('flags:list')
  .description('list every flag with its value')
  .action(async () => {
    const { flags } = await withProduct(({ get, ListFlags }) => get(ListFlags).execute(actor));
    for (const { name, value, isDefault } of flags) {
      say(`${name} = ${JSON.stringify(value)}${isDefault ? '' : ' (changed)'}`);
    }
  });

program
  .command('flags:set <name> <value>')
  .description('change a flag')
  .action(async (name: string, given: string) => {
    const value =
      given === 'true' ? true : given === 'false' ? false : /^-?\d+$/.test(given) ? Number(given) : given;
    const { changed } = await withProduct(({ get, SetFlag }) => get(SetFlag).execute(actor, { name, value }));
    say(changed ? `${name} is ${given} now.` : `${name} is already ${given}.`);
  });

program
  .command('audit:purge')
  .description('delete audit records past their retention')
  .action(async () => {
    const { purged } = await withProduct(({ get, PurgeAudit }) => get(PurgeAudit).execute(actor));
    say(`Deleted ${purged} audit records.`);
  });

program
  .command('jobs:failed')
  .description('list jobs that have failed for good')
  .action(async () => {
    const { failed } = await withProduct(({ get, ListFailedJobs }) => get(ListFailedJobs).execute(actor, {}));
    if (failed.length === 0) say('No job has failed.');
    for (const job of failed) say(`${job.id} ${job.queue}/${job.name} ${job.failedAt}: ${job.error}`);
  });

program
  .command('jobs:retry <id>')
  .description('run a failed job again')
  .action(async (id: string) => {
    const { jobId } = await withProduct(({ get, RetryDeadJob }) => get(RetryDeadJob).execute(actor, { id }));
    say(`Added the job again as ${jobId}.`);
  });

program
  .command('jobs:reset')
  .description('empty the queue, after a restore; workers fill it again from the rows')
  .action(async () => {
    await withProduct(({ get, EmptyQueue }) => get(EmptyQueue).execute(actor));
    say('The queue is empty. Workers fill it again within 15 seconds.');
  });

program
  .command('events:redispatch')
  .description('queue undelivered events again, for a queue that lost more than the last hour')
  .requiredOption('--since <time>', 'ISO 8601', time)
  .action(async ({ since }: { since: Date }) => {
    const { queued } = await withProduct(({ get, RedispatchEvents }) =>
      get(RedispatchEvents).execute(actor, { since }),
    );
    say(`Queued ${queued} deliveries again.`);
  });

program
  .command('events:discard')
  .description('after a restore: drop mails and events of the dump that still wait; cannot be undone')
  .requiredOption('--before <time>', 'ISO 8601; restore:check proposes one', time)
  .option('--mails-only', 'keep events, which parts of the product still need to agree with each other')
  .action(async ({ before, mailsOnly }: { before: Date; mailsOnly?: boolean }) => {
    const { events, mails } = await withProduct(({ get, DiscardEvents }) =>
      get(DiscardEvents).execute(actor, { before, mailsOnly }),
    );
    say(`Discarded ${times(events, 'event')} and ${times(mails, 'mail')}.`);
  });

program
  .command('exports:purge')
  .description('delete data exports past their time')
  .action(async () => {
    const { deleted } = await withProduct(({ get, ExpireExports }) => get(ExpireExports).execute(actor));
    say(`Deleted ${times(deleted, 'export')}.`);
  });

program
  .command('oauth:purge')
  .description('delete codes, tokens and requests of apps that have expired')
  .action(async () => {
    const deleted = await withProduct(({ get, PurgeArtefacts }) => get(PurgeArtefacts).run());
    say(`Deleted ${times(deleted, 'expired code, token or request', 'expired codes, tokens and requests')}.`);
  });

program
  .command('documents:rerender')
  .description('render stored texts anew, so that the sanitiser of this release holds for old ones too')
  .action(async () => {
    const { versions, remarks, left } = await withProduct(({ get, RerenderDocuments }) =>
      get(RerenderDocuments).execute(actor),
    );
    say(`Rewrote ${versions.rewritten} of ${times(versions.seen, 'version')} of documents.`);
    say(
      `Rewrote ${remarks.rewritten} of ${times(remarks.seen, 'comment, note or finding', 'comments, notes and findings')}.`,
    );
    for (const { documentId, version } of left) {
      say(
        `Left as it is, because its text or headings would change: document ${documentId}, version ${version}.`,
      );
    }
  });

program
  .command('secrets:reencrypt')
  .description(
    'seal stored secrets anew with APP_ENCRYPTION_KEY; older keys are read from APP_ENCRYPTION_KEYS_OLD',
  )
  .option('--give-up-unreadable', 'drop what no known key opens, for when a key is lost; cannot be undone')
  .action(async (options: { giveUpUnreadable?: boolean }) => {
    const giveUpUnreadable = options.giveUpUnreadable ?? false;
    const done = await withAnyKey(({ database, configuration }) =>
      reseal(database, new DerivedSecretBox(configuration), sealedColumns, { giveUpUnreadable }),
    );
    for (const { name, resealed, unreadable } of done) {
      if (resealed > 0) say(`Sealed anew: ${times(resealed, 'value')} of ${name}.`);
      if (unreadable > 0) {
        say(
          `${giveUpUnreadable ? 'Dropped' : 'No known key opens'} ${times(unreadable, 'value')} of ${name}.`,
        );
      }
    }
    const sum = (count: 'resealed' | 'unreadable') => done.reduce((total, one) => total + one[count], 0);
    const [resealed, unreadable] = [sum('resealed'), sum('unreadable')];
    if (resealed + unreadable === 0) say('Every stored secret is sealed with APP_ENCRYPTION_KEY.');
    if (unreadable > 0 && !giveUpUnreadable) {
      process.exitCode = 1;
      return;
    }
    if (resealed + unreadable === 0) return;
    await withProduct(({ get, Audit }) =>
      get(Audit).record(actor, {
        operation: 'secrets.reencrypted',
        context: { resealed, dropped: unreadable },
      }),
    );
  });

program
  .command('restore:check')
  .description(
    'after a restore, before the start: is everything there, and what would the first worker send?',
  )
  .option('--sample <count>', 'how many stored files are read and compared', whole, 1000)
  .action(async ({ sample }: { sample: number }) => {
    const started = new Date();
    const failed = (line: string): void => {
      say(`failed   ${line}`);
      process.exitCode = 1;
    };
    const pending = await withDatabaseUrl((url) => pendingMigrations(url));
    if (pending.length > 0) {
      return failed(
        `Migrations: ${pending.length} are pending, or nothing has been restored yet. Run "loupe-server migrate".`,
      );
    }
    say('ok       Migrations: the schema is up to date.');
    const key = await withAnyKey(({ database, configuration }) =>
      findKey(database, new DerivedSecretBox(configuration)),
    );
    if (key === 'wrong') return failed(`Encryption key: ${WRONG_KEY}`);
    if (key === 'unset') {
      return failed(
        'Encryption key: the database has never been used, so nothing has been restored into it.',
      );
    }
    say('ok       Encryption key: it opens what is stored.');
    await withProduct(async ({ get, CheckStoredFiles, GetWaitingWork }) => {
      const files = await get(CheckStoredFiles).execute(actor, { sample });
      for (const { key: blob, artifactIds } of files.damaged) {
        failed(
          `Stored files: ${blob} is missing or damaged (artifacts: ${artifactIds.join(', ') || 'none'}).`,
        );
      }
      for (const blob of files.missingBundles) failed(`Packed repositories: ${blob} is missing.`);
      if (files.damaged.length === 0) {
        say(`ok       Stored files: ${files.checked} of ${files.total} read, all whole.`);
      }
      const { events, mails, missingArchives } = await get(GetWaitingWork).execute(actor);
      if (missingArchives > 0) {
        say(
          `note     Exports: the archives of ${missingArchives} did not come back. Their people ask for new ones.`,
        );
      }
      if (events + mails === 0) {
        say('ok       Waiting work: no event and no mail waits from before.');
      } else {
        const before = started.toISOString();
        say(`note     Waiting work: ${times(events, 'event')} and ${times(mails, 'mail')} of before.`);
        say('         The first worker delivers the events and sends the mails, perhaps for a second time.');
        say(`         To drop the mails: loupe-server events:discard --before ${before} --mails-only`);
      }
    });
    say(process.exitCode === 1 ? 'The restore is not complete.' : 'The restore is complete.');
  });

program
  .command('dev:seed')
  .description(
    'make sample data: a project with plans under review, cards and a prototype; refused with APP_ENV=prod',
  )
  .option(
    '--email <email>',
    'account that gets them; made as an admin when there is none',
    'demo@example.com',
  )
  .action(async (options: { email: string }) => {
    const { values } = environment();
    if (values.profile === 'prod') {
      throw new Error('Sample data is refused with APP_ENV=prod. Try it on an instance of your own machine.');
    }
    const made = await withProduct(({ get, CreateSampleData }) =>
      new CreateSampleData(get).execute(actor, options),
    );
    const address = `${values.defaultUri}/projects/${made.projectId}`;
    say(
      made.made
        ? `Made the project "Corner Shop" of ${made.email}: ${address}`
        : `${made.email} has the project "Corner Shop" already; nothing was changed: ${address}`,
    );
    if (made.madePassword)
      say(`Sign in as ${made.email} with the password, shown once: ${made.madePassword}`);
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
