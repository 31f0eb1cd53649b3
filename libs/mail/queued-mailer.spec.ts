import { Mailer } from '#libs/kernel/ports/mailer.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { StatusChecks } from '#src/platform/application/ports/status-checks.js';
import { type PlatformApp, startPlatform } from '#src/platform/testing/platform-app.js';
import { TestDatabase } from '../../test/support/test-database.js';
import { until } from '../../test/support/until.js';
import { MailCatcher, smtpRefusal } from './testing/mail-catcher.js';

const MAIL = {
  key: 'greeting 1',
  to: 'ines@example.com',
  subject: 'Grüße an Inès 🔍',
  paragraphs: ['Somebody said "<b>hello</b>" & left.', 'مرحبا'],
  action: { label: 'Open it', url: 'http://localhost:3000/verify-email?token=a-secret-of-the-link' },
  footnote: 'You get this because of a test.',
};

describe('mail', () => {
  let test: TestDatabase;
  let catcher: MailCatcher;
  let platform: PlatformApp;

  const start = (
    env: Record<string, string> = { MAILER_DSN: catcher.dsn, MAILER_FROM_ADDRESS: 'loupe@example.com' },
  ) => startPlatform(test.url, { env });
  const state = async () =>
    (await test.database.one<{ state: string; sealed: string | null; attempts: number }>(
      'SELECT state, sealed, attempts FROM platform.mails',
    ))!;

  beforeAll(async () => {
    test = await TestDatabase.start();
  });

  afterAll(() => test.stop());

  beforeEach(async () => {
    await test.database.query('TRUNCATE platform.mails, platform.job_outbox');
    catcher = await MailCatcher.start();
  });

  afterEach(async () => {
    await platform.stop();
    await catcher.stop();
  });

  it('leaves with the change, in a text and an HTML part that load nothing, once per key', async () => {
    platform = await start();
    const mailer = platform.get(Mailer);
    expect(mailer.isOn).toBe(true);
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, subject: 'the same key again' });
    await until(() => catcher.mails.length > 0);
    await until(async () => (await state()).state === 'sent');
    const [mail] = catcher.mails;
    expect(mail).toMatchObject({ subject: MAIL.subject, recipients: [MAIL.to] });
    expect(mail!.from!.value).toEqual([{ name: 'Loupe', address: 'loupe@example.com' }]);
    for (const text of [...MAIL.paragraphs, MAIL.action.url, MAIL.footnote])
      expect(mail!.text).toContain(text);
    expect(mail!.html).toContain('Somebody said &quot;&lt;b&gt;hello&lt;/b&gt;&quot; &amp; left.');
    expect(mail!.html).toContain(`href="${MAIL.action.url}"`);
    expect(mail!.html).not.toMatch(/<img|<link|<script|url\(/);
    expect(mail!.headers.get('auto-submitted')).toBe('auto-generated');
    expect(catcher.mails).toHaveLength(1);
  });

  it('identity 12.30: what a mail says is sealed while it waits, and gone when it has left', async () => {
    let answer = (): void => undefined;
    catcher.beforeAnswer = () => new Promise((done) => (answer = done));
    platform = await start();
    await platform.get(Mailer).send(MAIL);
    await until(() => catcher.mails.length > 0);
    const waiting = await test.database.query('SELECT row_to_json(m)::text AS row FROM platform.mails m');
    const jobs = await test.database.query('SELECT data::text AS row FROM platform.job_outbox');
    expect(JSON.stringify([waiting, jobs])).not.toMatch(/a-secret-of-the-link|ines@example/);
    answer();
    await until(async () => (await state()).state === 'sent');
    expect((await state()).sealed).toBeNull();
  });

  it('is not sent when the change is taken back', async () => {
    platform = await start();
    const mailer = platform.get(Mailer);
    await expect(
      platform.get(UnitOfWork).run(async () => {
        await mailer.send(MAIL);
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    await mailer.send({ ...MAIL, key: 'greeting 2', subject: 'the one that stays' });
    await until(() => catcher.mails.length > 0);
    expect(catcher.mails.map(({ subject }) => subject)).toEqual(['the one that stays']);
  });

  it('does not count as handed over before the server has asked for the letter', async () => {
    let accept = (): void => undefined;
    catcher.beforeRecipient = () => new Promise((done) => (accept = done));
    platform = await start();
    await platform.get(Mailer).send(MAIL);
    await until(async () => catcher.connections > 0 && (await state()).attempts === 1);
    expect((await state()).state).toBe('waiting');
    accept();
    await until(async () => (await state()).state === 'sent');
  });

  it('signs in where the address of the server holds a password', async () => {
    platform = await start({
      MAILER_DSN: catcher.dsn.replace('//', '//loupe:p%40ss@'),
      MAILER_FROM_ADDRESS: 'loupe@example.com',
    });
    await platform.get(Mailer).send(MAIL);
    await until(() => catcher.mails.length > 0);
    expect(catcher.signedIn).toEqual([{ user: 'loupe', password: 'p@ss' }]);
  });

  it('is tried again while the server says later, and not when it says never', async () => {
    let refusals = 1;
    catcher.beforeAnswer = async () => {
      if (refusals-- > 0) throw smtpRefusal(451);
    };
    platform = await start();
    await platform.get(Mailer).send(MAIL);
    await until(async () => (await state()).state === 'sent', 30_000);
    expect([catcher.mails.length, (await state()).attempts]).toEqual([1, 2]);
    catcher.beforeAnswer = async () => {
      throw smtpRefusal(550);
    };
    await test.database.query('TRUNCATE platform.mails');
    await platform.get(Mailer).send(MAIL);
    await until(async () => (await state()).state === 'refused');
    expect(await state()).toMatchObject({ attempts: 1, sealed: null });
  });

  it('is off without MAILER_DSN, and the status page says what to do', async () => {
    platform = await start({});
    expect(platform.get(Mailer).isOn).toBe(false);
    await expect(platform.get(Mailer).send(MAIL)).rejects.toThrow('Mail is off');
    const rows = await platform.get(StatusChecks).report(null);
    expect(rows.find(({ name }) => name === 'Mail')!.sentence).toContain('Set MAILER_DSN');
  });

  it('the status page names a mail server that takes no connection, and a sender that nobody takes', async () => {
    platform = await start({ MAILER_DSN: catcher.dsn });
    const mail = async () =>
      (await platform.get(StatusChecks).report(null)).find(({ name }) => name === 'Mail')!;
    expect(await mail()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('noreply@localhost'),
    });
    await catcher.stop();
    expect(await mail()).toMatchObject({
      state: 'failed',
      sentence: expect.stringContaining('Check MAILER_DSN'),
    });
    catcher = await MailCatcher.start();
  });
});
