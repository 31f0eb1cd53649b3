import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv } from '../support/settled-server.js';

const axe = readFileSync(join(applicationRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Colours on their way from one theme to the other are none that anybody reads. */
const WITHOUT_TRANSITIONS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/** The guides and the page about the instance, in a browser that nobody has signed in with. */
describeInBrowser('guides in the browser', () => {
  let server: LoupeServer;
  let browser: Browser;
  let page: Page;
  let seen: ReturnType<typeof watch>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start({ env: adminEnv }), openBrowser()]);
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    seen = watch(page, server.origin);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const findings = (): Promise<string[]> =>
    page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => impact + ' ' + id + ' at ' + nodes.slice(0, 2).map(({ target }) => target.join(' ')).join(', ')))`);
  const hasFocus = (selector: string): Promise<boolean> =>
    page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);

  it.each([
    '/docs',
    '/docs?q=the',
    '/docs/getting-started',
    '/docs/mcp',
    '/docs/cli',
    '/docs/flags',
    '/docs/no-such-guide',
    '/about',
  ])(
    'platform 19.30: %s has no serious finding, and fits 320 px and twice the text size',
    async (path) => {
      const found: string[] = [];
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(server.origin + path);
      await page.evaluate(axe);
      await page.evaluate(WITHOUT_TRANSITIONS);
      const errors = seen.errors.splice(0);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          found.push(...(await findings()).map((finding) => `${width} ${colorScheme}: ${finding}`));
        }
      }
      await page.setViewportSize({ width: 320, height: 700 });
      const over = 'document.documentElement.scrollWidth - innerWidth';
      expect([path, await page.evaluate(over)]).toEqual([path, 0]);
      await page.setViewportSize({ width: 640, height: 900 });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect([path, await page.evaluate(over)]).toEqual([path, 0]);
      expect(found).toEqual([]);
      expect(seen.foreign).toEqual([]);
      // Only the page that is missing may say so in the console.
      expect(path.includes('no-such') ? [] : errors).toEqual([]);
    },
    120_000,
  );

  it('by keyboard: past the list into the text, and from a word to the guide', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${server.origin}/docs/board`);
    await page.keyboard.press('Tab');
    expect(await hasFocus('.skip')).toBe(true);
    await page.keyboard.press('Enter');
    expect(await hasFocus('main')).toBe(true);

    await page.locator('#search-side').focus();
    await page.keyboard.type('environment');
    const listed = page.locator('.guides__side li:visible');
    await page.waitForFunction(
      `[...document.querySelectorAll('.guides__side li')].filter((item) => item.checkVisibility()).length === 1`,
    );
    expect(await listed.textContent()).toBe('Environment variables');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/environment');
    expect(await page.locator('.guides__side [aria-current=page]').textContent()).toBe(
      'Environment variables',
    );
  }, 60_000);

  it('what no title has says so beside the field, and Enter looks into the sections', async () => {
    await page.goto(`${server.origin}/docs/board`);
    await page.locator('#search-side').fill('column_create');
    await page.locator('#no-guide').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs?q=column_create');
    await page.getByRole('link', { name: 'column_create' }).click();
    await page.waitForURL('**/docs/mcp#column_create');
    expect(await page.locator('#column_create').isVisible()).toBe(true);
  }, 60_000);

  it('code is copied by a button, without what only decorates it', async () => {
    await page.goto(`${server.origin}/docs/getting-started`);
    await page.locator('.codeblock').first().getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `claude mcp add --transport http loupe ${server.url}/mcp`,
    );
    expect(await page.getByRole('status').textContent()).toBe('Copied.');
  }, 60_000);

  it('the list of sections follows the reading, and leads to its headings', async () => {
    await page.goto(`${server.origin}/docs/documents`);
    const sections = page.getByRole('navigation', { name: 'On this page' });
    await sections.getByRole('link', { name: 'The verdict' }).click();
    await sections.locator('a[aria-current=location]', { hasText: 'The verdict' }).waitFor();
    expect(page.url()).toBe(`${server.origin}/docs/documents#the-verdict`);
  }, 60_000);

  it('without scripts, and on a phone, they read, link and search too', async () => {
    const plain = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 800 },
    });
    const phone = await plain.newPage();
    phone.setDefaultTimeout(30_000);
    await phone.goto(`${server.origin}/docs/teams`);
    await phone.getByRole('group').getByText('On this page').click();
    await phone.getByRole('link', { name: 'Roles', exact: true }).first().click();
    expect(phone.url()).toContain('#roles');
    await phone.getByRole('link', { name: 'Guides' }).first().click();
    await phone.waitForURL('**/docs');
    await phone.getByRole('searchbox', { name: 'Search guides by title' }).fill('verdict');
    await phone.getByRole('button', { name: 'Search' }).click();
    await phone.waitForURL('**/docs?q=verdict');
    await phone.getByRole('link', { name: 'The verdict' }).click();
    await phone.waitForURL('**/docs/documents#the-verdict');
    await plain.close();
  }, 60_000);
});
