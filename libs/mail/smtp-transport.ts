import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

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
  private readonly options: SMTPConnection.Options & { auth?: { user: string; pass: string } };

  constructor(dsn: string) {
    this.options = {
      ...parseConnectionUrl(dsn),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      dnsTimeout: CONNECT_MS,
    };
  }

  /** Connects and signs in, sending nothing. @throws with the reason. */
  async verify(): Promise<void> {
    await this.connected(async () => undefined);
  }

  /**
   * Sends a letter. `beforeEnd` runs after the server has asked for the letter and everything but the sign that ends it
   * has been written: until then the server delivers nothing, so whatever happens before it leaves nothing behind. When it
   * throws, the letter is dropped.
   * @throws MailRefused
   */
  async send(letter: Letter, beforeEnd: () => Promise<void>): Promise<void> {
    const { from, to } = letter;
    const bytes = await bytesOf(letter);
    let ended = false;
    // The connection reads it when the server has asked for it, and no sooner.
    const content = Readable.from(
      (async function* () {
        yield bytes;
        await beforeEnd();
        ended = true;
      })(),
    );
    try {
      await this.connected(
        (connection) =>
          new Promise((done, fail) => {
            content.once('error', fail);
            connection.send({ from: from.address, to: [to] }, content, (error) =>
              error ? fail(error) : done(),
            );
          }),
      );
    } catch (error) {
      throw refused(error, ended);
    } finally {
      content.destroy();
    }
  }

  /** Runs `work` on a connection that is signed in, and closes it. */
  private async connected(work: (connection: SMTPConnection) => Promise<void>): Promise<void> {
    const connection = new SMTPConnection(this.options);
    const { auth } = this.options;
    const lost = new Promise<never>((_, fail) => {
      connection.on('error', fail);
      connection.once('end', () => fail(new Error('The mail server closed the connection.')));
    });
    const conversation = async (): Promise<void> => {
      await called((done) => connection.connect(done));
      if (auth) await called((done) => connection.login(auth, done));
      await work(connection);
    };
    try {
      await Promise.race([conversation(), lost]);
    } finally {
      lost.catch(() => undefined);
      // Cuts a letter that is not complete, too: the server throws it away.
      connection.close();
    }
  }
}

function called(run: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((done, fail) => run((error) => (error ? fail(error) : done())));
}

function bytesOf({ from, to, messageId, subject, text, html }: Letter): Promise<Buffer> {
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
  return composed.compile().build();
}

function refused(error: unknown, ended: boolean): MailRefused {
  const { responseCode, message } = error as { responseCode?: number; message?: string };
  const why = (message ?? 'no reason given').split('\n')[0]!;
  if (responseCode !== undefined && responseCode >= 500) return new MailRefused(why, 'never', error);
  // Without an answer to the end of the letter the server may have taken it.
  if (responseCode === undefined && ended) return new MailRefused(why, 'unknown', error);
  return new MailRefused(why, 'later', error);
}
