import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { Ids } from '#libs/kernel/ids.js';
import { type Job, type JobData, type JobOutcome, Jobs } from '#libs/kernel/ports/jobs.js';
import { type Mail, Mailer } from '#libs/kernel/ports/mailer.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { Database } from '#libs/persistence/database.js';
import { mailParts } from './mail-parts.js';
import { MailRefused, SmtpTransport } from './smtp-transport.js';

export const MAIL_QUEUE = 'mail';
const SEND = 'mail.send';
const PURGE = 'mail.purge';
const KEPT_DAYS = 7;
/** Links in mails are of no use any more after this. */
const TRIED_DAYS = 2;
const PAGE = 500;
const ATTEMPTS = 8;
const BACKOFF_MS = 5_000;
const ELSEWHERE_MS = 30_000;
/** A worker that wrote the end of a letter and did not say how it went is taken for dead after this. */
const SILENT_MINUTES = 10;

interface Row {
  readonly sealed: string | null;
  readonly state: string;
}

/**
 * Mails as rows that commit with the change they are about, and leave by a job. Before the sign that ends a letter is
 * written, the row says `handed-over`; from then on no other try begins. So a worker that is killed sends a mail once:
 * before that moment the server delivers nothing, and after it nothing is repeated.
 */
@Injectable()
export class QueuedMailer extends Mailer implements OnModuleInit {
  private readonly logger = new Logger('mail');
  private readonly transport: SmtpTransport | null;

  constructor(
    private readonly configuration: Configuration,
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly ids: Ids,
    private readonly secrets: SecretBox,
  ) {
    super();
    const { mailer } = configuration.values;
    this.transport = mailer && new SmtpTransport(mailer.dsn);
  }

  override get isOn(): boolean {
    return this.transport !== null;
  }

  onModuleInit(): void {
    this.jobs.every(MAIL_QUEUE, 'mail-purge', PURGE, { cron: '27 * * * *' });
    this.jobs.process(MAIL_QUEUE, PURGE, () => this.purge());
    this.jobs.process(MAIL_QUEUE, SEND, (job) => this.deliver(job), {
      concurrency: 4,
      attempts: ATTEMPTS,
      backoffMs: BACKOFF_MS,
    });
  }

  override async send(mail: Mail): Promise<void> {
    if (!this.transport) throw new Error('Mail is off: MAILER_DSN is not set.');
    await this.unitOfWork.run(async () => {
      const id = this.ids.next();
      const added = await this.database.query(
        'INSERT INTO platform.mails (id, key, sealed) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING RETURNING 1 AS added',
        [id, mail.key, this.secrets.seal(JSON.stringify(mail))],
      );
      if (added.length > 0) await this.jobs.add(MAIL_QUEUE, jobId(id), SEND, { mailId: id });
    });
  }

  /** Connects to the mail server, sending nothing. @throws with the reason. */
  async check(): Promise<void> {
    await this.transport?.verify();
  }

  /** The jobs that waiting rows call for, when the queue has lost them. */
  async *waiting(): AsyncIterable<readonly { queue: string; id: string; name: string; data: JobData }[]> {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.database.query<{ id: string }>(
        `SELECT id FROM platform.mails WHERE state = 'waiting' AND id > $1 ORDER BY id LIMIT ${PAGE}`,
        [after],
      );
      if (rows.length === 0) return;
      yield rows.map(({ id }) => ({ queue: MAIL_QUEUE, id: jobId(id), name: SEND, data: { mailId: id } }));
      after = rows.at(-1)!.id;
    }
  }

  /** Mails that nobody has handed over yet. */
  async countWaiting(): Promise<number> {
    const row = await this.database.one<{ count: number }>(
      "SELECT count(*) AS count FROM platform.mails WHERE state = 'waiting' AND sealed IS NOT NULL",
    );
    return row!.count;
  }

  /** Gives up the mails from before `before` that still wait. Says how many. */
  async discard(before: Date): Promise<number> {
    const gone = await this.database.query(
      `UPDATE platform.mails SET state = 'unknown', settled_at = now(), sealed = NULL
        WHERE state = 'waiting' AND sealed IS NOT NULL AND created_at < $1 RETURNING 1`,
      [before],
    );
    return gone.length;
  }

  private async deliver(job: Job): Promise<JobOutcome> {
    const id = String(job.data.mailId);
    const row = await this.database.one<Row>('SELECT sealed, state FROM platform.mails WHERE id = $1', [id]);
    const { mailer, defaultUri } = this.configuration.values;
    if (row?.state !== 'waiting' || row.sealed === null) return undefined;
    // The worker was started without the mail server of the others.
    if (!this.transport || !mailer) return { again: new Date(Date.now() + ELSEWHERE_MS) };
    const mail = JSON.parse(this.secrets.open(row.sealed)) as Mail;
    const host = new URL(defaultUri).host;
    await this.database.query('UPDATE platform.mails SET attempts = attempts + 1 WHERE id = $1', [id]);
    let mine = false;
    try {
      await this.transport.send(
        {
          messageId: `${id}@${host.replace(/:\d+$/, '')}`,
          from: { address: mailer.fromAddress, name: mailer.fromName },
          to: mail.to,
          subject: mail.subject,
          ...mailParts(mail, host),
        },
        async () => {
          await this.handOver(id);
          mine = true;
        },
      );
      await this.settle(id, 'sent');
    } catch (error) {
      await this.failed(id, error, mine);
    }
    return undefined;
  }

  /** Lets one sender finish the letter. @throws for every other. */
  private async handOver(id: string): Promise<void> {
    const rows = await this.database.query(
      `UPDATE platform.mails SET state = 'handed-over', handed_over_at = now()
        WHERE id = $1 AND state = 'waiting' RETURNING 1 AS mine`,
      [id],
    );
    if (rows.length === 0) throw new Error('Another worker sends this mail.');
  }

  /** @throws when another try is worth it. */
  private async failed(id: string, error: unknown, mine: boolean): Promise<void> {
    const outlook = error instanceof MailRefused ? error.outlook : 'later';
    if (outlook === 'later') {
      // The server said no to the whole letter, so it has nothing of it.
      if (mine) {
        await this.database.query(
          `UPDATE platform.mails SET state = 'waiting', handed_over_at = NULL
            WHERE id = $1 AND state = 'handed-over'`,
          [id],
        );
      }
      throw new Error('The mail server did not take the mail.');
    }
    // With no answer a second letter would be worse than one that may be missing: whoever waits for it can ask again.
    this.logger.warn({
      msg: outlook === 'never' ? 'The mail server refused a mail for good' : 'The mail server gave no answer',
      mailId: id,
    });
    await this.settle(id, outlook === 'never' ? 'refused' : 'unknown');
  }

  private async settle(id: string, state: 'sent' | 'refused' | 'unknown'): Promise<void> {
    await this.database.query(
      `UPDATE platform.mails SET state = $2, settled_at = now(), sealed = NULL
        WHERE id = $1 AND settled_at IS NULL`,
      [id, state],
    );
  }

  private async purge(): Promise<undefined> {
    await this.database.query(
      `UPDATE platform.mails SET state = 'unknown', settled_at = now(), sealed = NULL
        WHERE state = 'handed-over' AND handed_over_at < now() - make_interval(mins => $1)`,
      [SILENT_MINUTES],
    );
    await this.database.query(
      `UPDATE platform.mails SET state = 'refused', settled_at = now(), sealed = NULL
        WHERE state = 'waiting' AND created_at < now() - make_interval(days => $1)`,
      [TRIED_DAYS],
    );
    await this.database.query(
      'DELETE FROM platform.mails WHERE settled_at < now() - make_interval(days => $1)',
      [KEPT_DAYS],
    );
  }
}

function jobId(id: string): string {
  return `mail_${id}`;
}
