import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { addPerson, adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const axe = readFileSync(join(applicationRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** The palette over content and the page of results, in a real browser (`platform.md` 10). */
describeInBrowser('search', () => {
  let server: LoupeServer;
  let owner: Visitor;
  let ferry: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watch>;
  let number: number;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    ferry = await newProject(owner, 'Ferry bookings');
    const harbour = await newProject(owner, 'Harbour map');
    await addPerson(server, 'sam@mail.example', 'Sam Stranger');
    const sam = await signedIn(server.origin, 'sam@mail.example');
    const foreign = await newProject(sam, 'Secret plans');
    const id = await document(
      owner,
      ferry,
      'The old tariff',
      'A **zeppelin** was <em>meant</em> to come & go.',
    );
    await owner.api('POST', `/projects/${ferry}/documents/${id}/archive`, { reason: 'Nobody wants it.' });
    await document(owner, ferry, 'Move exports to a queue', 'Rows are exported at night, by a lantern.');
    await document(owner, harbour, 'Lights of the harbour', 'Where each lantern hangs.');
    number = await card(owner, ferry, 'Order lanterns for the pier');
    for (let n = 1; n <= 14; n += 1) await card(owner, ferry, `Paint buoy ${n}`);
    for (let n = 1; n <= 16; n += 1) await card(sam, foreign, `Foreign lantern ${n}`);
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    context = await windowOf({});
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    seen = watch(page, server.origin);
  });
  afterEach(() => context.close());

  async function windowOf(options: Parameters<Browser['newContext']>[0]): Promise<BrowserContext> {
    const made = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    await made.addCookies(owner.cookiesFor(server.origin));
    return made;
  }

  async function document(who: Visitor, projectId: string, title: string, markdown: string): Promise<string> {
    const body = { title, markdown, draft: false };
    return (await who.api<{ id: string }>('POST', `/projects/${projectId}/documents`, body)).body.id;
  }

  async function card(who: Visitor, projectId: string, title: string): Promise<number> {
    const path = `/projects/${projectId}/board/cards`;
    const { body } = await who.api<{ card: { number: number } }>('POST', path, { title, body: '' });
    return body.card.number;
  }

  const field = () => page.getByRole('dialog').getByRole('combobox');
  const option = (name: string | RegExp) => page.getByRole('option', { name });

  it('platform 19.13: a word of an archived document lists it, marked archived; Escape returns the focus, typed text below is kept', async () => {
    await page.goto(`${server.origin}/projects/${ferry}/documents/new`);
    const title = page.getByLabel('Title');
    await title.fill('A half-written title');
    await title.focus();
    await page.keyboard.press('Control+k');
    await field().fill('zeppelins');
    const found = option(/The old tariff/);
    await found.waitFor();
    expect(await found.textContent()).toContain('Archived');
    expect(await found.locator('mark').allInnerTexts()).toEqual(['zeppelin']);
    await page.keyboard.press('Escape');
    await field().waitFor({ state: 'detached' });
    expect(await title.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await title.inputValue()).toBe('A half-written title');
    expect(seen.errors).toEqual([]);
  }, 60_000);

  it('platform 19.14: #12 opens card 12; cards of a project that is not shared never appear', async () => {
    await page.goto(`${server.origin}/projects/${ferry}`);
    await page.getByRole('button', { name: 'Search project' }).click();
    await field().fill(`#${number}`);
    await option(new RegExp(`#${number} Order lanterns`)).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/projects/${ferry}/board?card=${number}`);
    await page.getByRole('heading', { name: 'Order lanterns for the pier' }).waitFor();

    await page.goto(`${server.origin}/search?q=lantern`);
    await page.getByRole('link', { name: /Lights of the harbour/ }).waitFor();
    expect(await page.getByText('Foreign').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0);
    await page.goto(`${server.origin}/search?q=${encodeURIComponent('#16')}`);
    await page.getByText('Nothing matches').waitFor();
    expect(seen.errors).toEqual([]);
  }, 60_000);

  it('platform 10: arrow keys move, Enter opens, and elsewhere all projects are searched and named', async () => {
    await page.goto(`${server.origin}/projects`);
    await page.getByRole('button', { name: 'Search all projects' }).click();
    await field().fill('lantern');
    await option(/Lights of the harbour/).waitFor();
    expect(await option(/Lights of the harbour/).textContent()).toContain('Harbour map');
    const current = () =>
      page.evaluate(
        `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent`,
      );
    for (let presses = 0; !String(await current()).startsWith('Lights of the harbour'); presses += 1) {
      if (presses > 10) throw new Error('The arrow keys do not reach the result.');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL('**/review');
    await page.getByRole('heading', { name: 'Lights of the harbour' }).first().waitFor();
    expect(seen.errors).toEqual([]);
  }, 60_000);

  it('platform 10: a search that fails says so, and its button searches again', async () => {
    await page.goto(`${server.origin}/projects/${ferry}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.route('**/api/search?*', (route) => route.fulfill({ status: 500, body: 'no' }));
    await page.keyboard.press('Control+k');
    await field().fill('lantern');
    await page.getByText('Search failed').waitFor();
    await page.unroute('**/api/search?*');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await option(/Order lanterns/).waitFor();
    expect(await page.getByText('Search failed').count()).toBe(0);
    expect(await field().evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);

    await page.route('**/api/search?*', (route) => route.fulfill({ status: 500, body: 'no' }));
    await page.goto(`${server.origin}/search?q=lantern`);
    await page.getByText('Search failed').waitFor();
    await page.unroute('**/api/search?*');
    await page.getByRole('alert').getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: /Order lanterns/ }).waitFor();
  }, 60_000);

  it('platform 10: the rest of the keyboard sends one request, and a newer one drops the older', async () => {
    const asked: string[] = [];
    const dropped: string[] = [];
    const words = (url: string) => new URL(url).searchParams.get('q') ?? '';
    page.on('requestfailed', (request) => {
      if (request.url().includes('/api/search?')) dropped.push(words(request.url()));
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route('**/api/search?*', async (route) => {
      asked.push(words(route.request().url()));
      if (words(route.request().url()) === 'buoy') await held;
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${server.origin}/projects/${ferry}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await field().fill('buoy');
    await until(() => asked.includes('buoy'));
    // All in one go: no rest between the letters, so they are asked together.
    await field().fill('');
    await page.keyboard.insertText('lan');
    await page.keyboard.insertText('tern');
    await option(/Order lanterns/).waitFor();
    await until(() => dropped.includes('buoy'));
    release();
    expect(asked).not.toContain('lan');
    expect(await option(/Paint buoy/).count()).toBe(0);
  }, 60_000);

  it('platform 10: the page of results goes on and back, and helps when nothing matches', async () => {
    await page.goto(`${server.origin}/search?q=buoy&project=${ferry}`);
    const rows = page.getByRole('link', { name: /Paint buoy/ });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(10);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByText('Page 2').waitFor();
    await until(async () => (await rows.count()) === 4);
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Previous' }).click();
    await until(async () => (await rows.count()) === 10);

    await page.getByLabel('Search words').fill('hangs');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('link', { name: 'Search all projects' }).first().click();
    await page.getByRole('link', { name: /Lights of the harbour/ }).waitFor();
    expect(await page.getByText('Harbour map').count()).toBeGreaterThan(0);
    expect(new URL(page.url()).searchParams.get('project')).toBeNull();

    await page.getByLabel('Search words').fill(`lantern OR ${'x'.repeat(300)}`);
    await page.keyboard.press('Enter');
    await page.getByText('Only the first 200 characters were looked for.').waitFor();
    expect(seen.errors).toEqual([]);
  }, 60_000);

  it('platform 10: every page that is found by name is there', async () => {
    const urls = new Set<string>();
    for (const query of [`project=${ferry}`, '', 'q=admin']) {
      const { body } = await owner.api<{ pages: { url: string }[] }>('GET', `/search?${query}`);
      for (const { url } of body.pages) urls.add(url);
    }
    expect(urls.size).toBeGreaterThan(20);
    for (const url of urls) {
      await page.goto(server.origin + url);
      // Adding a card opens a dialog over the board.
      await page.locator('h1, dialog h2').first().waitFor();
      expect([url, await page.getByRole('heading', { name: 'Not found' }).count()]).toEqual([url, 0]);
    }
  }, 180_000);

  it.each(['light', 'dark'] as const)(
    'platform 19.30: neither the palette nor the page of results has a serious finding of axe, or is wider than the window, in the %s theme',
    async (colorScheme) => {
      for (const width of [1440, 390, 320]) {
        const themed = await windowOf({ viewport: { width, height: 844 }, colorScheme });
        const look = await themed.newPage();
        look.setDefaultTimeout(20_000);
        for (const [name, path] of [
          ['results', `/search?q=lantern`],
          ['one project', `/search?q=buoy&project=${ferry}&page=2`],
          ['nothing', `/search?q=nothingofthatkind&project=${ferry}`],
          ['no words', '/search'],
          ['palette', `/projects/${ferry}`],
        ] as const) {
          await look.goto(server.origin + path);
          await look.locator('h1').first().waitFor();
          if (name === 'palette') {
            await look.keyboard.press('Control+k');
            await look.getByRole('combobox').fill('lantern');
            await look.getByRole('option', { name: /Order lanterns/ }).waitFor();
          }
          await look.locator('[aria-busy=true], .skeleton').first().waitFor({ state: 'detached' });
          await picture(look, `${name}-${width}-${colorScheme}`);
          expect([
            name,
            width,
            await look.evaluate('document.documentElement.scrollWidth - innerWidth'),
          ]).toEqual([name, width, 0]);
          await look.evaluate(axe);
          const serious = await look.evaluate(`axe.run().then(({ violations }) => violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => id + ': ' + nodes[0].target))`);
          expect([name, width, serious]).toEqual([name, width, []]);
        }
        await themed.close();
      }
    },
    180_000,
  );
});

async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name.replaceAll(' ', '-')}.png`) });
}
