import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { Company } from '#src/identity/testing/company.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';

const EMAIL = 'tobi.ahlers@acme.example';
const PASSWORD = 'seven quiet herons wade';
const AGAIN = 'another four words here';
const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');

describeInBrowser('pages of people', () => {
  let catcher: MailCatcher;
  let company: Company;
  let server: LoupeServer;
  let browser: Browser;

  beforeAll(async () => {
    const port = await freePort();
    [catcher, company, browser] = await Promise.all([
      MailCatcher.start(),
      Company.start(`http://localhost:${port}`),
      openBrowser(),
    ]);
    server = await LoupeServer.start({
      port,
      env: {
        ...adminEnv,
        ...company.env(),
        MAILER_DSN: catcher.dsn,
        MAILER_FROM_ADDRESS: 'loupe@example.com',
      },
    });
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await company?.stop();
    await catcher?.stop();
  });

  const mail = async (email: string, count: number) => {
    await until(() => catcher.to(email).length >= count, 30_000);
    return linkOf(catcher.to(email)[count - 1]!);
  };

  /** What axe finds, and whether the page is wider than the window, at 320 px in both themes. */
  const findings = async (context: BrowserContext, path: string): Promise<string[]> => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const other = await browser.newContext({
        viewport: { width: 320, height: 800 },
        colorScheme,
        bypassCSP: true,
        reducedMotion: 'reduce',
      });
      await other.addCookies(await context.cookies());
      const page = await other.newPage();
      await page.goto(server.origin + path);
      await page.locator('h1').first().waitFor();
      await settled(page);
      await page.evaluate(axe);
      found.push(
        ...(await page.evaluate<string[]>(`axe.run(document).then(({ violations }) => [
          ...violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ impact, id }) => impact + ' ' + id),
          ...(document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : []),
        ])`)),
      );
      await other.close();
    }
    return found.map((what) => `${path}: ${what}`);
  };

  const settled = (page: Page) =>
    page.waitForFunction(`!document.querySelector('[aria-busy=true], .skeleton')`);

  it('identity 12.31: registration, verification and reset work with scripts off, at 320 px, and pass axe', async () => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 800 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    const seen = watch(page, server.origin);
    await page.goto(`${server.origin}/login`);
    await page.getByRole('link', { name: 'Register' }).click();
    expect(await findings(context, '/register')).toEqual([]);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Name', { exact: true }).fill('Tobi Ahlers');
    await page.getByLabel('Password').fill('password1234');
    await page.getByRole('button', { name: 'Make my account' }).click();
    expect(await page.locator(':focus').first().getAttribute('role')).toBe('alert');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Make my account' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    expect(await findings(context, '/check-email')).toEqual([]);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('another mail is on its way').waitFor();

    const verify = await mail(EMAIL, 2);
    await page.goto(server.origin + verify);
    expect(await findings(context, verify)).toEqual([]);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/welcome');
    await page.goto(server.origin + verify);
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();

    await page.goto(`${server.origin}/logout`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Forgot the password?' }).click();
    expect(await findings(context, '/forgot-password')).toEqual([]);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
    const reset = await mail(EMAIL, 3);
    await page.goto(server.origin + reset);
    expect(await findings(context, reset)).toEqual([]);
    await page.getByLabel('New password').fill(AGAIN);
    await page.getByRole('button', { name: 'Set password and sign in' }).click();
    expect(page.url()).toBe(`${server.origin}/account/connected-apps?after=reset`);
    expect(seen.errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
    expect(seen.foreign).toEqual([]);
    await context.close();
  }, 120_000);

  it('platform 6: an admin creates, promotes, suspends and deletes a person in the browser', async () => {
    const admin = await signedIn(server.origin);
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(admin.cookiesFor(server.origin));
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const seen = watch(page, server.origin);
    await page.goto(`${server.origin}/admin/people`);
    await page.getByRole('button', { name: 'Create person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('mira@acme.example');
    await dialog.getByLabel('Name', { exact: true }).fill('Mira Sandoval');
    await dialog.getByRole('button', { name: 'Create person' }).click();
    await dialog.getByText('It went out by mail too.').waitFor();
    const shown = await dialog.locator('code').textContent();
    expect(shown).toBe(`${server.url}${await mail('mira@acme.example', 1)}`);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByLabel('Part of a name or address').fill('sandoval');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Mira Sandoval' }).click();
    await page.getByRole('heading', { name: 'Mira Sandoval' }).waitFor();
    expect(await findings(context, '/admin/people')).toEqual([]);
    expect(await findings(context, '/admin/apps')).toEqual([]);
    expect(await findings(context, new URL(page.url()).pathname)).toEqual([]);

    await page.getByRole('button', { name: 'Make administrator' }).click();
    await dialog.getByRole('button', { name: 'Make administrator' }).click();
    await page.getByText('Administrator of this instance').waitFor();
    await page.getByRole('button', { name: 'Take administration away' }).click();
    await dialog.getByRole('button', { name: 'Take it away' }).click();
    await page.getByRole('button', { name: 'Make administrator' }).waitFor();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog.getByLabel('Reason').fill('Left the company');
    await dialog.getByRole('button', { name: 'Suspend person' }).click();
    await page.getByText(': Left the company').waitFor();
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('button', { name: 'Password link' }).waitFor();
    await page.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('**/admin/people');
    expect(seen.errors).toEqual([]);
    await context.close();
  }, 120_000);

  it('identity 4.7: a person sees what goes with the account, confirms with address and password, and is signed out', async () => {
    const visitor = await signedIn(server.origin, EMAIL, AGAIN);
    await newProject(visitor, 'Ferry bookings');
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await context.addCookies(visitor.cookiesFor(server.origin));
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${server.origin}/account`);
    expect(await findings(context, '/account')).toEqual([]);
    await page.getByRole('link', { name: 'Delete account' }).click();
    await page.getByRole('listitem').getByRole('link', { name: 'Ferry bookings' }).waitFor();
    expect(await findings(context, '/account/delete')).toEqual([]);
    await page.getByLabel(`Type ${EMAIL} to go on`).fill('another@acme.example');
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.getByText('Type the address of your account.').waitFor();
    await page.getByLabel(`Type ${EMAIL} to go on`).fill(EMAIL);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('**/login');
    expect((await visitor.api('GET', '/account')).status).toBe(401);
    await until(() => catcher.to(EMAIL).some(({ subject }) => subject?.includes('is deleted')), 30_000);
    // The project of the person goes too, once the event has travelled; what is left of the person is purged.
    const admin = await signedIn(server.origin);
    await until(async () => {
      const { body } = await admin.api<{ projects: number }>('GET', '/admin/overview');
      return body.projects === 0;
    }, 30_000);
  }, 120_000);

  it('signs in and out through the company, in a real browser', async () => {
    company.employ({ sub: 'emp-1', email: 'ines@acme.example', email_verified: true, name: 'Ines Marlow' });
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${server.origin}/account`);
    await page.getByRole('link', { name: 'Sign in through your company' }).click();
    await page.waitForURL(`${server.origin}/account`);
    await page.getByText('ines@acme.example').first().waitFor();
    await page.getByRole('button', { name: 'Ines Marlow' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The issuer asks once more; its own page posts to itself.
    await page.waitForURL((url) => url.href.startsWith(company.issuer));
    await page.getByRole('button').first().click();
    await page.waitForURL(`${server.origin}/login`);
    await page.goto(`${server.origin}/account`);
    expect(new URL(page.url()).pathname).toBe('/login');
    await context.close();
  }, 60_000);

  it('identity 12.26: the last admin of the built server cannot delete the account', async () => {
    const admin = await signedIn(server.origin);
    const answer = await admin.api<{ error: string }>('POST', '/account/delete', { email: ADMIN.email });
    expect([answer.status, answer.body.error]).toEqual([409, 'last_admin']);
  });
});
