import { Readable } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;

export interface Sender {
  readonly address: string;
  readonly name: string;
}

export interface Letter {
  /** Stays the same when a mail is tried again, so that a mail server can tell a repeat. */
  readonly messageId: string;
  readonly from: Sender;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What the mail server answered, or that it did not. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';

  constructor(
    message: string,
    /** `later`: worth another try; `never`: not; `unknown`: nobody can say whether the mail went out. */
    readonly outlook: 'later' | 'never' | 'unknown',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Hands letters to one SMTP server, a connection for each. */
export class SmtpTransport {
  private readonly transport: Transporter;

  constructor(dsn: string) {
    this.transport = createTransport({
      url: dsn,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      dnsTimeout: CONNECT_MS,
    });
  }

  /** Connects and signs in, sending nothing. @throws with the reason. */
  async verify(): Promise<void> {
    await this.transport.verify();
  }

  /**
   * Sends a letter. `beforeEnd` runs after everything but the sign that ends the letter has been written: until then the
   * server delivers nothing, so whatever happens before it leaves nothing behind. When it throws, the letter is dropped.
   * @throws MailRefused
   */
  async send(letter: Letter, beforeEnd: () => Promise<void>): Promise<void> {
    const { from, to, messageId, subject, text, html } = letter;
    const composed = new MailComposer({
      messageId: `<${messageId}>`,
      from: { name: from.name, address: from.address },
      to: { name: '', address: to },
      subject,
      text,
      html,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const bytes = await composed.compile().build();
    let ended = false;
    const raw = Readable.from(
      (async function* () {
        yield bytes;
        await beforeEnd();
        ended = true;
      })(),
    );
    try {
      await this.transport.sendMail({ envelope: { from: from.address, to: [to] }, raw });
    } catch (error) {
      throw refused(error, ended);
    }
  }
}

function refused(error: unknown, ended: boolean): MailRefused {
  const { responseCode, message } = error as { responseCode?: number; message?: string };
  const why = (message ?? 'no reason given').split('\n')[0]!;
  if (responseCode !== undefined && responseCode >= 500) return new MailRefused(why, 'never', error);
  // Without an answer to the end of the letter the server may have taken it.
  if (responseCode === undefined && ended) return new MailRefused(why, 'unknown', error);
  return new MailRefused(why, 'later', error);
}
