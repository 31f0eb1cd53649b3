import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { compileCanvases } from '#libs/cli/canvas/compile-canvases.js';
import { collectFiles } from '#libs/cli/push/collect-files.js';
import { bytesOf } from '#libs/cli/push/push-file.js';
import { canvasRuntime } from '#libs/cli/testing/canvas-runtime.js';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** As a preview does, but without `unsafe-eval`: a page that evaluated text would stop. */
const POLICY =
  "sandbox allow-scripts allow-forms; default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'; base-uri 'none'; form-action 'none'";

describeInBrowser('a compiled canvas in a browser', () => {
  let server: Server;
  let origin: string;
  let browser: Browser;
  let page: Page;
  let seen: ReturnType<typeof watch>;

  beforeAll(async () => {
    const contents = new Map<string, Buffer>();
    const runtime = canvasRuntime();
    for (const name of ['shop', 'talk']) {
      const root = join(applicationRoot, 'libs', 'cli', 'testing', 'canvases', name);
      const { files } = await compileCanvases(collectFiles(root).files, { keepSource: false, root, runtime });
      for (const file of files) contents.set(`/${name}/${file.path}`, await bytesOf(file));
    }
    server = createServer((request, response) => {
      const path = decodeURIComponent(request.url!.split('?')[0]!);
      const content = contents.get(path);
      const type = TYPES[path.split('.').at(-1)!] ?? 'application/octet-stream';
      // Browsers ask for an icon by themselves; that none is there is no fault of the page.
      response.writeHead(content ? 200 : path === '/favicon.ico' ? 204 : 404, {
        'content-type': type,
        'content-security-policy': POLICY,
      });
      response.end(content);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    browser = await openBrowser();
  }, 120_000);

  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(20_000);
    seen = watch(page, origin);
    await page.goto(`${origin}/shop/Shop.html`);
    await page.locator('body[data-mounted=yes]').waitFor();
  });

  afterEach(async () => {
    expect(seen).toEqual({ errors: [], foreign: [] });
    await page.context().close();
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
    server?.closeAllConnections();
  });

  it('artifacts 13 and cli 12.33: opens without network and without eval, and its buttons change the state', async () => {
    await page.getByText('Ines & Co').waitFor();
    await page.getByRole('button', { name: 'Stock (2)' }).click();
    await page.getByRole('heading', { name: 'Cups' }).waitFor();
    expect(await page.getByText('Ines & Co').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Stock (2)' }).getAttribute('class')).toContain('active');
    await page.getByRole('button', { name: 'One more Cups' }).click();
    await page.getByText('8 left').waitFor();
    expect(
      await page
        .locator('.stock-card')
        .nth(1)
        .evaluate((element) => (element as unknown as { style: { opacity: string } }).style.opacity),
    ).toBe('0.5');
  });

  it('keeps what is typed, filters with it, and loses no focus', async () => {
    await page.locator('#find').click();
    await page.locator('#find').pressSequentially('marl');
    await page.getByText('Ines & Co').waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('#find').inputValue()).toBe('marl');
    await page.locator('#find').fill('nobody');
    await page.getByText('No order matches.').waitFor();
  });

  it('fields of forms answer: boxes, lists, texts and sending', async () => {
    await page.getByRole('button', { name: 'Settings (4)' }).click();
    expect(await page.locator('#size').inputValue()).toBe('m');
    expect(await page.locator('textarea').inputValue()).toBe('A note');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Mail me').check();
    await page.locator('#size').selectOption('s');
    await page.locator('textarea').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved & done').waitFor();
    expect([await page.locator('#size').inputValue(), await page.locator('textarea').inputValue()]).toEqual([
      's',
      'Mine',
    ]);
  });

  it('styles of states hold, drawings are drawings, and a component of a local script works', async () => {
    const stock = page.getByRole('button', { name: 'Stock (2)' });
    await stock.hover();
    await page.waitForFunction(
      "getComputedStyle([...document.querySelectorAll('nav button')].at(1)).backgroundColor === 'rgb(238, 238, 238)'",
    );
    expect(
      await page
        .locator('svg rect')
        .first()
        .evaluate((element) => (element as unknown as { namespaceURI: string }).namespaceURI),
    ).toBe('http://www.w3.org/2000/svg');
    const badge = page.locator('.badge');
    await badge.click();
    await badge.click();
    await page.locator('.badge', { hasText: 'Orders badge: 2 many' }).waitFor();
  });

  it('leads to the page of another canvas and back', async () => {
    await page.getByRole('link', { name: 'team' }).click();
    await page.getByRole('heading', { name: 'The team' }).waitFor();
    expect(page.url()).toBe(`${origin}/shop/About.html#team`);
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByText('Ines & Co').waitFor();
  });

  it('artifacts 13: says the same without any script, and a screen shows its branch', async () => {
    const still = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await still.newPage();
    await quiet.goto(`${origin}/shop/Shop.html`);
    expect(await quiet.locator('tbody tr').allInnerTexts()).toEqual([
      '1\tInes & Co\t12.50 €',
      '2\tMarlow <Ltd>\t0.80 €',
    ]);
    await quiet.goto(`${origin}/shop/Shop--stock-prices.html`);
    expect(await quiet.locator('.stock-card h2').allInnerTexts()).toEqual(['Cups', 'Bowls']);
    await still.close();
  });

  it('custom elements, scripts of the head, references and the hooks of a part work together', async () => {
    await page.goto(`${origin}/talk/Talk.html`);
    await page.getByText('A talk in two slides').waitFor();
    expect(await page.getByRole('heading', { name: 'Heat' }).isVisible()).toBe(false);
    await page.getByText('made by hand').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('1240 °C').waitFor();
    await page.locator('#unit').selectOption('F');
    await page.getByText('2264 °C').waitFor();

    await page.getByRole('button', { name: 'Open notes' }).click();
    await page.locator('body[data-notes=open]').waitFor();
    expect(await page.getByRole('heading', { name: 'Notes 2 for potters' }).count()).toBe(1);
    expect(await page.evaluate('document.activeElement.placeholder')).toBe('Write');
    await page.getByLabel('Note').fill('Glaze later');
    await page.getByRole('button', { name: 'Say it' }).click();
    await page.locator('#said', { hasText: 'Glaze later' }).waitFor();
    await page.getByRole('button', { name: 'Close notes' }).click();
    await page.locator('body[data-notes=closed]').waitFor();
  });

  it('a deck is whole without script, and its notes have a page', async () => {
    const still = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await still.newPage();
    await quiet.goto(`${origin}/talk/Talk.html`);
    expect(await quiet.locator('section').allInnerTexts()).toEqual([
      'Kilns\n\nA talk in two slides',
      'Heat\n\n1240 °C',
    ]);
    await quiet.goto(`${origin}/talk/Talk--notes.html`);
    expect(await quiet.getByRole('heading', { name: 'Notes 1 for potters' }).count()).toBe(1);
    await still.close();
  });
});
