import { type Mail, Mailer } from '#libs/kernel/ports/mailer.js';
import { RecordingMailer } from '#libs/kernel/testing/recording-mailer.js';
import { type PlatformApp, startPlatform } from '#src/platform/testing/platform-app.js';
import { TestDatabase } from '../../test/support/test-database.js';
import { until } from '../../test/support/until.js';
import { MailCatcher } from './testing/mail-catcher.js';

const mail = (key: string, subject: string): Mail => ({
  key,
  to: 'ines@example.com',
  subject,
  paragraphs: ['Hello.'],
});

interface Subject {
  readonly on: Mailer;
  readonly off: Mailer;
  /** Subjects of what arrived, once `count` have. */
  arrived(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

async function queued(): Promise<Subject> {
  const test = await TestDatabase.start();
  const catcher = await MailCatcher.start();
  const apps: PlatformApp[] = [];
  const start = async (env: Record<string, string>, role: 'all' | 'web'): Promise<Mailer> => {
    const app = await startPlatform(test.url, { env, role });
    apps.push(app);
    return app.get(Mailer);
  };
  return {
    on: await start({ MAILER_DSN: catcher.dsn }, 'all'),
    off: await start({}, 'web'),
    arrived: async (count) => {
      await until(() => catcher.mails.length >= count);
      return catcher.mails.map(({ subject }) => subject ?? '');
    },
    stop: async () => {
      for (const app of apps) await app.stop();
      await catcher.stop();
      await test.stop();
    },
  };
}

async function recorded(): Promise<Subject> {
  const on = new RecordingMailer();
  const off = new RecordingMailer();
  off.isOn = false;
  return { on, off, arrived: async () => on.sent.map(({ subject }) => subject), stop: async () => undefined };
}

describe.each([
  ['the queued mailer', queued],
  ['the fake of tests', recorded],
])('Mailer: %s', (_name, make) => {
  let subject: Subject;

  beforeAll(async () => {
    subject = await make();
  });

  afterAll(() => subject.stop());

  it('sends one mail per key, and says when mail is off', async () => {
    expect([subject.on.isOn, subject.off.isOn]).toEqual([true, false]);
    await subject.on.send(mail('one', 'First'));
    await subject.on.send(mail('one', 'Repeat'));
    await subject.arrived(1);
    await subject.on.send(mail('two', 'Second'));
    expect(await subject.arrived(2)).toEqual(['First', 'Second']);
    await expect(subject.off.send(mail('three', 'Third'))).rejects.toThrow('Mail is off');
  });
});
