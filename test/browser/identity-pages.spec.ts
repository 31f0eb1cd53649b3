import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';

const EMAIL = 'ines.marlow@example.com';
const PASSWORD = 'four unrelated words here';
const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');

describeInBrowser('pages before sign-in', () => {
  let server: LoupeServer;
  let browser: Browser;

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start(), openBrowser()]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** What axe finds and whether the page is wider than the window, at 320 px in both themes. */
  const findings = async (
    path: string,
    cookies: Parameters<Awaited<ReturnType<Browser['newContext']>>['addCookies']>[0],
  ) => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport: { width: 320, height: 800 },
        colorScheme,
        bypassCSP: true,
      });
      await context.addCookies(cookies);
      const page = await context.newPage();
      await page.goto(server.origin + path);
      await page.addScriptTag({ content: axe });
      found.push(
        ...(await page.evaluate(async () => {
          const {
            axe: tool,
            document,
            innerWidth,
          } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { impact: string; id: string }[] }> };
            document: { documentElement: { scrollWidth: number } };
            innerWidth: number;
          };
          const { violations } = await tool.run();
          const wide = document.documentElement.scrollWidth > innerWidth ? ['wider than the window'] : [];
          return [...violations.map(({ impact, id }) => `${impact} ${id}`), ...wide];
        })),
      );
      await context.close();
    }
    return found;
  };
  const focused = (page: Page): Promise<string | null> => page.locator(':focus').first().getAttribute('role');

  it('identity 12.31: install, sign-out and sign-in work with scripts off, at 320 px, and pass axe', async () => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 800 },
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    const seen = watch(page, server.origin);
    await page.goto(`${server.origin}/login`);
    expect(new URL(page.url()).pathname).toBe('/install');
    expect(await findings('/install', [])).toEqual([]);
    await page.getByRole('link', { name: 'Go on to your account' }).click();
    expect(await findings('/install?step=account', [])).toEqual([]);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Name', { exact: true }).fill('Ines Marlow');
    await page.getByLabel('Password').fill('password1234');
    await page.getByLabel('People may register').uncheck();
    await page.getByRole('button', { name: 'Install Loupe' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('on a list of common ones');
    expect(await focused(page)).toBe('alert');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(EMAIL);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    expect(await page.getByLabel('People may register').isChecked()).toBe(false);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Install Loupe' }).click();
    expect(new URL(page.url()).pathname).toBe('/welcome');

    await page.goto(`${server.origin}/logout`);
    expect(await findings('/logout', await context.cookies())).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(new URL(page.url()).pathname).toBe('/login');
    expect(await findings('/login', [])).toEqual([]);

    await page.goto(`${server.origin}/account`);
    expect(page.url()).toBe(`${server.origin}/login?next=%2Faccount`);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('do not match');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(new URL(page.url()).pathname).toBe('/account');

    expect((await page.goto(`${server.origin}/install`))?.status()).toBe(404);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Not found');
    await page.goto(`${server.origin}/register`);
    expect(await page.getByRole('main').textContent()).toContain('switched registration off');
    expect(await findings('/register', [])).toEqual([]);
    // Answers with 4xx are part of this walk; the browser reports them and nothing else.
    expect(seen.errors.filter((error) => !/status of 4\d\d/.test(error))).toEqual([]);
    expect(seen.foreign).toEqual([]);
    await context.close();
  });
});
