import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { UNDELIVERABLE_SENDER } from '#libs/configuration/mailer-values.js';
import { QueuedMailer } from '#libs/mail/queued-mailer.js';
import { JobSources } from '../application/ports/job-sources.js';
import { StatusChecks, type StatusFinding } from '../application/ports/status-checks.js';

/** What the platform knows about mail: its row of the status page, and the jobs to add again after a loss. */
@Injectable()
export class MailRegistrations implements OnModuleInit {
  constructor(
    private readonly configuration: Configuration,
    private readonly mailer: QueuedMailer,
    private readonly sources: JobSources,
    private readonly checks: StatusChecks,
  ) {}

  onModuleInit(): void {
    this.sources.register({ name: 'mail', pages: () => this.mailer.waiting() });
    this.checks.register({ name: 'Mail', run: () => this.check() });
  }

  private async check(): Promise<StatusFinding> {
    const { mailer, profile } = this.configuration.values;
    if (!mailer) {
      return {
        state: profile === 'prod' ? 'warning' : 'ok',
        sentence:
          'Mail is off, so nobody can register and links are copied by hand. Set MAILER_DSN to switch it on.',
      };
    }
    try {
      await this.mailer.check();
    } catch (error) {
      const why = (error as Error).message.split('\n')[0];
      return { state: 'failed', sentence: `The mail server takes no connection (${why}). Check MAILER_DSN.` };
    }
    return mailer.fromAddress === UNDELIVERABLE_SENDER
      ? {
          state: 'warning',
          sentence: `Mail is sent from ${UNDELIVERABLE_SENDER}, which most servers refuse. Set MAILER_FROM_ADDRESS.`,
        }
      : { state: 'ok', sentence: `The mail server answers; mail comes from ${mailer.fromAddress}.` };
  }
}
