#!/usr/bin/env node
import 'reflect-metadata';
import { userInfo } from 'node:os';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command, InvalidArgumentError } from 'commander';
import { Configuration } from '#libs/configuration/configuration.js';
import { withLocalSecrets } from '#libs/configuration/secrets-file.js';
import { version } from '#libs/configuration/version.js';
import type { ConsoleActor } from '#libs/kernel/actor.js';
import { acquireEmbeddedPostgres } from '#libs/persistence/embedded-postgres.js';
import { migrate, pendingMigrations } from '#libs/persistence/migrations.js';
import { AppModule } from './app.module.js';
import { foreignMigrations } from './foreign-migrations.js';
import { CreateAdmin } from './identity/application/commands/create-admin.js';
import { ForceVerifyPerson } from './identity/application/commands/force-verify-person.js';
import { PromotePerson } from './identity/application/commands/promote-person.js';
import { openDatabase } from './open-database.js';
import { DiscardEvents } from './platform/application/commands/discard-events.js';
import { EmptyQueue } from './platform/application/commands/empty-queue.js';
import { PurgeAudit } from './platform/application/commands/purge-audit.js';
import { RedispatchEvents } from './platform/application/commands/redispatch-events.js';
import { RetryDeadJob } from './platform/application/commands/retry-dead-job.js';
import { SetFlag } from './platform/application/commands/set-flag.js';
import { GetStatus } from './platform/application/queries/get-status.js';
import { ListFailedJobs } from './platform/application/queries/list-failed-jobs.js';
import { ListFlags } from './platform/application/queries/list-flags.js';

const actor: ConsoleActor = { kind: 'console', osUser: userInfo().username };

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

/** The product without its doors. */
async function withProduct<T>(work: (get: <P>(part: Type<P>) => P) => Promise<T>): Promise<T> {
  const opened = await openDatabase(environment(), () => undefined);
  let app: INestApplicationContext | null = null;
  try {
    app = await NestFactory.createApplicationContext(AppModule.with(opened.configuration, opened.database), {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
    const running = app;
    return await work((part) => running.get(part, { strict: false }));
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

async function askPassword(): Promise<string | undefined> {
  if (!stdin.isTTY) return undefined;
  const prompt = createInterface({ input: stdin, output: stdout });
  const answer = await prompt.question('Password (empty: one is made): ');
  prompt.close();
  return answer || undefined;
}

const program = new Command('loupe-server')
  .description('Operates an instance of Loupe. Every command reads the same environment as the server.')
  .version(version);

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
    const made = await withProduct((get) =>
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
    const { changed } = await withProduct((get) => get(PromotePerson).execute(actor, { email }));
    say(changed ? `${email} is an admin now.` : `${email} is already an admin.`);
  });

program
  .command('user:verify <email>')
  .description('mark the address of an account as verified')
  .action(async (email: string) => {
    const { changed } = await withProduct((get) => get(ForceVerifyPerson).execute(actor, { email }));
    say(changed ? `${email} is verified now.` : `${email} is already verified.`);
  });

program
  .command('health:status')
  .description('run all checks; exits 1 when one has failed')
  .option('--strict', 'exit 1 on a warning too')
  .action(async (options: { strict?: boolean }) => {
    const { checks } = await withProduct((get) => get(GetStatus).execute(actor, null));
    for (const { name, state, sentence } of checks) say(`${state.padEnd(8)} ${name}: ${sentence}`);
    const bad = options.strict ? ['failed', 'warning'] : ['failed'];
    if (checks.some((check) => bad.includes(check.state))) process.exitCode = 1;
  });

program
  .command('flags:list')
  .description('list every flag with its value')
  .action(async () => {
    const { flags } = await withProduct((get) => get(ListFlags).execute(actor));
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
    const { changed } = await withProduct((get) => get(SetFlag).execute(actor, { name, value }));
    say(changed ? `${name} is ${given} now.` : `${name} is already ${given}.`);
  });

program
  .command('audit:purge')
  .description('delete audit records past their retention')
  .action(async () => {
    const { purged } = await withProduct((get) => get(PurgeAudit).execute(actor));
    say(`Deleted ${purged} audit records.`);
  });

program
  .command('jobs:failed')
  .description('list jobs that have failed for good')
  .action(async () => {
    const { failed } = await withProduct((get) => get(ListFailedJobs).execute(actor, {}));
    if (failed.length === 0) say('No job has failed.');
    for (const job of failed) say(`${job.id} ${job.queue}/${job.name} ${job.failedAt}: ${job.error}`);
  });

program
  .command('jobs:retry <id>')
  .description('run a failed job again')
  .action(async (id: string) => {
    const { jobId } = await withProduct((get) => get(RetryDeadJob).execute(actor, { id }));
    say(`Added the job again as ${jobId}.`);
  });

program
  .command('jobs:reset')
  .description('empty the queue, after a restore; workers fill it again from the rows')
  .action(async () => {
    await withProduct((get) => get(EmptyQueue).execute(actor));
    say('The queue is empty. Workers fill it again within 15 seconds.');
  });

program
  .command('events:redispatch')
  .description('queue undelivered events again, for a queue that lost more than the last hour')
  .requiredOption('--since <time>', 'ISO 8601', time)
  .action(async ({ since }: { since: Date }) => {
    const { queued } = await withProduct((get) => get(RedispatchEvents).execute(actor, { since }));
    say(`Queued ${queued} deliveries again.`);
  });

program
  .command('events:discard')
  .description('drop events that still wait, after a restore; cannot be undone')
  .requiredOption('--before <time>', 'ISO 8601', time)
  .action(async ({ before }: { before: Date }) => {
    const { discarded } = await withProduct((get) => get(DiscardEvents).execute(actor, { before }));
    say(`Discarded ${discarded} events.`);
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
