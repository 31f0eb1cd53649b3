import { MailRefused, SmtpTransport } from './smtp-transport.js';
import { MailCatcher } from './testing/mail-catcher.js';

const LETTER = {
  messageId: 'one@loupe.example.com',
  from: { address: 'loupe@example.com', name: 'Loupe, "here"' },
  to: 'ines@example.com',
  subject: 'Hello',
  text: 'Hello.\n.\nA line that is a dot alone does not end it.',
  html: '<p>Hello.</p>',
};

describe('SmtpTransport', () => {
  let catcher: MailCatcher;

  afterEach(() => catcher.stop());

  const send = (dsn: string, beforeEnd = async (): Promise<void> => undefined) =>
    new SmtpTransport(dsn).send(LETTER, beforeEnd);

  it.each(['starttls', 'tls'] as const)(
    'trusts no certificate that nobody has signed (%s)',
    async (security) => {
      catcher = await MailCatcher.start(security);
      await expect(send(catcher.dsn)).rejects.toMatchObject({ name: 'MailRefused', outlook: 'later' });
      expect(catcher.mails).toEqual([]);
      await send(`${catcher.dsn}?tls.rejectUnauthorized=false`);
      expect([catcher.mails.length, catcher.secured]).toEqual([1, 1]);
    },
  );

  it('keeps names and lines as they are', async () => {
    catcher = await MailCatcher.start();
    await send(catcher.dsn);
    expect(catcher.mails[0]).toMatchObject({
      messageId: `<${LETTER.messageId}>`,
      text: expect.stringContaining('Hello.\n.\nA line'),
      from: { value: [LETTER.from] },
    });
  });

  it('drops a letter whose end is not allowed', async () => {
    catcher = await MailCatcher.start();
    const denied = send(catcher.dsn, async () => {
      throw new Error('Another worker sends it.');
    });
    await expect(denied).rejects.toThrow(MailRefused);
    await new SmtpTransport(catcher.dsn).send({ ...LETTER, subject: 'The next one' }, async () => undefined);
    expect(catcher.mails.map(({ subject }) => subject)).toEqual(['The next one']);
  });
});
