import { type Mail, Mailer } from '../ports/mailer.js';

/** Keeps mails in memory, once per key, for tests to look at. */
export class RecordingMailer extends Mailer {
  override isOn = true;
  readonly sent: Mail[] = [];

  override async send(mail: Mail): Promise<void> {
    if (!this.isOn) throw new Error('Mail is off.');
    if (!this.sent.some(({ key }) => key === mail.key)) this.sent.push(mail);
  }

  /** The newest mail to an address. @throws when there is none. */
  lastTo(address: string): Mail {
    const found = this.sent.findLast(({ to }) => to === address);
    if (!found) throw new Error(`No mail went to ${address}.`);
    return found;
  }

  /** Path and query of the link in the newest mail to an address. */
  linkTo(address: string): string {
    const url = new URL(this.lastTo(address).action!.url);
    return `${url.pathname}${url.search}`;
  }
}
