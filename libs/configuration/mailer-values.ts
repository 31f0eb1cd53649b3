import { parseUrl, type Wrong } from './parse-url.js';

/** How mail leaves. */
export interface MailerValues {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly dsn: string;
  readonly fromAddress: string;
  readonly fromName: string;
}

/** Address that no mail server takes: fine while nobody looks, named by the status page. */
export const UNDELIVERABLE_SENDER = 'noreply@localhost';

const ADDRESS = /^[^\s@<>,]+@[^\s@<>,]+$/;

/** `text` gives a variable, or null. */
export function parseMailer(text: (name: string) => string | null, wrong: Wrong): MailerValues | null {
  const dsn = parseUrl('MAILER_DSN', text('MAILER_DSN'), ['smtp:', 'smtps:'], wrong);
  const fromAddress = text('MAILER_FROM_ADDRESS') ?? UNDELIVERABLE_SENDER;
  if (!ADDRESS.test(fromAddress)) {
    wrong('MAILER_FROM_ADDRESS', `"${fromAddress}" is not an address such as loupe@example.com.`);
  }
  return dsn === null ? null : { dsn, fromAddress, fromName: text('MAILER_FROM_NAME') ?? 'Loupe' };
}
