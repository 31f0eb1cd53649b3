import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface CaughtMail extends ParsedMail {
  /** Whom the sender named in the conversation, which is where a server delivers. */
  readonly recipients: readonly string[];
}

/** A real SMTP server that keeps what it gets. `onData` may delay or refuse the answer to a letter. */
export class MailCatcher {
  readonly mails: CaughtMail[] = [];
  /** Who signed in. */
  readonly signedIn: { user: string; password: string }[] = [];
  /** Conversations that TLS protects. */
  secured = 0;
  /** Conversations that began. */
  connections = 0;
  /** Awaited before a recipient is accepted. */
  beforeRecipient: () => Promise<void> = async () => undefined;
  /** Awaited after a letter was taken and before the server says so; what it throws is the answer. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  private readonly server: SMTPServer;

  private constructor(private readonly security: 'none' | 'starttls' | 'tls') {
    this.server = new SMTPServer({
      secure: security === 'tls',
      authOptional: true,
      disabledCommands: security === 'starttls' ? [] : ['STARTTLS'],
      allowInsecureAuth: true,
      logger: false,
      onAuth: ({ username, password }, _session, done) => {
        this.signedIn.push({ user: username ?? '', password: password ?? '' });
        done(null, { user: username });
      },
      onSecure: (_socket, _session, done) => {
        this.secured += 1;
        done();
      },
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onRcptTo: (_address, _session, done) => {
        this.beforeRecipient().then(() => done(), done);
      },
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          simpleParser(Buffer.concat(chunks))
            .then(async (mail) => {
              const caught = { ...mail, recipients } as CaughtMail;
              this.mails.push(caught);
              try {
                await this.beforeAnswer();
              } catch (error) {
                this.mails.splice(this.mails.indexOf(caught), 1);
                throw error;
              }
            })
            .then(() => done(), done);
        });
      },
    });
    // Killed clients are part of the tests.
    this.server.on('error', () => undefined);
  }

  /** With TLS its certificate is one that nobody has signed. */
  static async start(security: 'none' | 'starttls' | 'tls' = 'none'): Promise<MailCatcher> {
    const catcher = new MailCatcher(security);
    await new Promise<void>((done) => catcher.server.listen(0, '127.0.0.1', done));
    return catcher;
  }

  get dsn(): string {
    return `${this.security === 'tls' ? 'smtps' : 'smtp'}://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Mails to an address, oldest first. */
  to(address: string): CaughtMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server.close(() => done()));
  }
}

/** Refusal with a code of SMTP, for `beforeAnswer`. */
export function smtpRefusal(code: number): Error {
  return Object.assign(new Error('No.'), { responseCode: code });
}

/** First link of a mail to this instance: path and query. */
export function linkOf(mail: CaughtMail): string {
  const address = /https?:\/\/\S+/.exec(mail.text ?? '')?.[0];
  if (!address) throw new Error('The mail has no link.');
  const url = new URL(address);
  return `${url.pathname}${url.search}`;
}
