import type { Command } from 'commander';
import { time } from '../arguments.js';
import { actor, withProduct } from '../surroundings.js';
import { say, times } from '../words.js';

/** Commands about jobs and the delivery of events. */
export function addWorkCommands(program: Command): void {
  program
    .command('jobs:failed')
    .description('list jobs that have failed for good')
    .action(async () => {
      const { failed } = await withProduct(({ get, ListFailedJobs }) =>
        get(ListFailedJobs).execute(actor, {}),
      );
      if (failed.length === 0) say('No job has failed.');
      for (const job of failed) say(`${job.id} ${job.queue}/${job.name} ${job.failedAt}: ${job.error}`);
    });

  program
    .command('jobs:retry <id>')
    .description('run a failed job again')
    .action(async (id: string) => {
      const { jobId } = await withProduct(({ get, RetryDeadJob }) =>
        get(RetryDeadJob).execute(actor, { id }),
      );
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
}
