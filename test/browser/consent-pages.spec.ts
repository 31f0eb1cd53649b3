import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Agent, ClientSite } from '../support/agent.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';

const EMAIL = 'ines.marlow@example.com';
const PASSWORD = 'four unrelated words here';
const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');

describeInBrowser('consent and device pages', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let browser: Browser;

  beforeAll(async () => {
    site = await ClientSite.start();
    [server, browser] = await Promise.all([
      LoupeServer.start({
        env: { ...site.env, LOUPE_ADMIN_EMAIL: EMAIL, LOUPE_ADMIN_PASSWORD: PASSWORD },
      }),
      openBrowser(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await site?.stop();
  });

  /** What axe finds on a page, and whether it is wider than a window of 320 px, in both themes. */
  const findings = async (context: BrowserContext, url: string): Promise<string[]> => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const looking = await browser.newContext({
        viewport: { width: 320, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      await looking.addCookies(await context.cookies());
      const page = await looking.newPage();
      await page.goto(url);
      await page.addScriptTag({ content: axe });
      found.push(
        ...(await page.evaluate(async () => {
          const here = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { impact: string; id: string }[] }> };
            document: { documentElement: { scrollWidth: number } };
            innerWidth: number;
          };
          const { violations } = await here.axe.run();
          const wide = here.document.documentElement.scrollWidth > here.innerWidth;
          return [
            ...violations.map(({ impact, id }) => `${impact} ${id}`),
            ...(wide ? ['wider than the window'] : []),
          ];
        })),
      );
      await looking.close();
    }
    return found;
  };

  it('identity 12.31: an app and a device are allowed with scripts off; the pages hold at 320 px and pass axe', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const seen = watch(page, server.origin);
    const agent = await Agent.meet(`${server.origin}/mcp`);
    expect(await agent.connect()).toBe('needs-person');
    await page.goto(agent.authorizationUrl!.toString());
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toMatch(/^\/oauth\/consent\//);
    expect(await findings(context, page.url())).toEqual([]);

    const { csrfToken } = (await (await context.request.get(`${server.origin}/api/session`)).json()) as {
      csrfToken: string;
    };
    for (const name of ['Ferry bookings', 'مشروع الميناء']) {
      const made = await context.request.post(`${server.origin}/api/projects`, {
        data: { name },
        headers: { 'loupe-csrf-token': csrfToken, origin: server.origin },
      });
      expect(made.status()).toBe(201);
    }
    await page.reload();
    expect(await findings(context, page.url())).toEqual([]);
    expect(await page.locator(':focus').textContent()).toBe('Allow an app to use one of your projects?');
    // Enter in the list answers nothing.
    await page.getByLabel('Ferry bookings').check();
    await page.getByLabel('Ferry bookings').press('Enter');
    expect(new URL(page.url()).pathname).toMatch(/^\/oauth\/consent\//);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/\/callback\?/);
    await agent.finishSignIn();
    expect(await agent.call('project_current')).toMatchObject({ name: 'Ferry bookings' });
    await agent.stop();

    const begun = await context.request.post(`${server.origin}/oauth/device-authorization`, {
      form: { client_id: 'loupe-cli', device_name: 'build-mac' },
    });
    const device = (await begun.json()) as { user_code: string };
    await page.goto(`${server.origin}/oauth/device`);
    expect(await findings(context, page.url())).toEqual([]);
    await page.getByLabel('Code').fill('bcdf ghjk');
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByLabel('Code').inputValue()).toBe('bcdf ghjk');
    await page.getByLabel('Code').fill(device.user_code.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.getByText(device.user_code).count()).toBe(1);
    expect(await findings(context, `${server.origin}/oauth/device?user_code=${device.user_code}`)).toEqual(
      [],
    );
    await page.getByRole('button', { name: 'Allow' }).click();
    expect(await page.getByRole('heading').first().textContent()).toContain('Done.');

    const broken = agent
      .authorizationUrl!.toString()
      .replace(/redirect_uri=[^&]*/, 'redirect_uri=http://evil.example/');
    await page.goto(broken);
    expect(await page.getByRole('heading').first().textContent()).toBe('The app cannot be connected');
    expect(await findings(context, broken)).toEqual([]);
    expect(seen.foreign.filter((url) => !url.startsWith('http://127.0.0.1'))).toEqual([]);
    await context.close();
  });
});
