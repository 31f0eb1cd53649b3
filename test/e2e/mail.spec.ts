import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, signedIn } from '../support/settled-server.js';
import { pause, until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const TAKEN_UP_MS = 90_000;

/** A promise that something else settles. */
function gate(): { opened: Promise<void>; open: () => void; reached: Promise<void>; reach: () => void } {
  let open = (): void => undefined;
  let reach = (): void => undefined;
  const opened = new Promise<void>((done) => (open = done));
  const reached = new Promise<void>((done) => (reach = done));
  return { opened, open, reached, reach };
}

describe('mail of the built server', () => {
  let catcher: MailCatcher;
  let server: LoupeServer;

  beforeAll(async () => {
    catcher = await MailCatcher.start();
    server = await LoupeServer.start({
      env: { ...adminEnv, MAILER_DSN: catcher.dsn, MAILER_FROM_ADDRESS: 'loupe@example.com' },
    });
  });

  afterAll(async () => {
    await server.stop();
    await catcher.stop();
  });

  const register = async (email: string): Promise<Visitor> => {
    const visitor = new Visitor(server.origin);
    const answer = await visitor.submit(await visitor.open('/register'), {
      email,
      displayName: 'Somebody',
      password: 'seven quiet herons wade',
    });
    expect(answer.status).toBe(303);
    return visitor;
  };

  it('identity 4.2, 4.4: a person registers, proves the address and resets the password by mails alone', async () => {
    const visitor = await register('tobi@example.com');
    await until(() => catcher.to('tobi@example.com').length > 0, 30_000);
    const verify = await visitor.open(linkOf(catcher.to('tobi@example.com')[0]!));
    expect((await visitor.submit(verify, {})).status).toBe(303);
    expect((await visitor.api<{ email: string }>('GET', '/account')).body.email).toBe('tobi@example.com');

    const forgetful = new Visitor(server.origin);
    await forgetful.submit(await forgetful.open('/forgot-password'), { email: 'TOBI@example.com' });
    await until(() => catcher.to('tobi@example.com').length > 1, 30_000);
    const reset = await forgetful.open(linkOf(catcher.to('tobi@example.com')[1]!));
    const password = 'another four words here';
    expect((await forgetful.submit(reset, { password })).status).toBe(303);
    await signedIn(server.origin, 'tobi@example.com', password);
    expect((await visitor.api('GET', '/account')).status).toBe(401);
    for (const secret of [linkOf(catcher.mails[0]!).split('=')[1]!, 'tobi@example.com', password]) {
      expect(server.log).not.toContain(secret);
    }
  });

  it('platform bad day: a worker that is killed before the letter is complete sends the mail once after the restart', async () => {
    const held = gate();
    catcher.beforeRecipient = async () => {
      held.reach();
      await held.opened;
    };
    await register('before@example.com');
    await held.reached;
    await server.kill();
    catcher.beforeRecipient = async () => undefined;
    held.open();
    expect(catcher.to('before@example.com')).toEqual([]);
    server = await server.restarted();
    await until(() => catcher.to('before@example.com').length > 0, TAKEN_UP_MS);
    await settled('before@example.com', 1);
  }, 150_000);

  it('platform bad day: a worker that is killed while the server takes the letter sends none after the restart', async () => {
    const held = gate();
    catcher.beforeAnswer = async () => {
      held.reach();
      await held.opened;
    };
    await register('after@example.com');
    await held.reached;
    await server.kill();
    catcher.beforeAnswer = async () => undefined;
    held.open();
    server = await server.restarted();
    // A mail that comes later has gone through the same queue.
    await register('later@example.com');
    await until(() => catcher.to('later@example.com').length > 0, TAKEN_UP_MS);
    await settled('after@example.com', 1);
  }, 150_000);

  /** Waits until no job of a mail is left in the queue, so that nothing can be sent any more; then counts. */
  async function settled(email: string, mails: number): Promise<void> {
    const admin = await signedIn(server.origin);
    await until(async () => {
      const tabs = await Promise.all(
        ['active', 'waiting', 'delayed'].map((tab) => admin.api('GET', `/admin/jobs?tab=${tab}`)),
      );
      expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200]);
      // A session may send 1,200 requests a minute.
      await pause(250);
      return !JSON.stringify(tabs).includes('mail.send');
    }, TAKEN_UP_MS);
    expect(catcher.to(email)).toHaveLength(mails);
  }
});
