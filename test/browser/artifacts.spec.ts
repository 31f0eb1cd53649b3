import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { ClientSite } from '../support/agent.js';
import { BoardAgent } from '../support/board-agent.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const axe = readFileSync(join(applicationRoot, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** A page whose colour tells its version. */
const pageOf = (title: string, words: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="styles.css"></head>
<body><h1>${title}</h1><p>${words}</p><button onclick="this.textContent='Pressed'">Press</button></body>
</html>
`;
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The pages of artifacts in a real browser, against the built server (`artifacts.md` 11, 15.56 to 15.60). */
describeInBrowser('the pages of artifacts', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let owner: Visitor;
  let agent: BoardAgent;
  let projectId: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watch>;
  let app: { artifactId: string; revision: string };

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...adminEnv, ...site.env } });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    for (const flag of ['artifacts.enabled', 'artifacts.publish.enabled', 'artifacts.public_links.enabled']) {
      await owner.api('PUT', `/admin/flags/${flag}`, { value: true });
    }
    projectId = await newProject(owner, 'Ferry bookings');
    agent = await BoardAgent.signedIn(owner, projectId, server.origin);
    app = (await agent.call('artifact_create', {
      type: 'import',
      name: 'Seat map',
      files: {
        'index.html': pageOf('Seat map', 'Choose two seats.'),
        'styles.css': 'body { background: #fbfaf7; }\nh1 { color: #0f766e; }\n',
        'pages/deck-6.html': pageOf('Deck 6', 'The upper deck.'),
        'data/deck.json': '{"rows": 12}\n',
      },
    })) as unknown as typeof app;
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(owner.cookiesFor(server.origin));
    page = await context.newPage();
    seen = watch(page, server.origin);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await site?.stop();
  });

  const base = () => `${server.origin}/projects/${projectId}/artifacts`;
  const frameText = async (title: string) =>
    (await page.frameLocator(`iframe[title^="${title}"]`).locator('body').textContent()) ?? '';
  const edit = async (change: object) => {
    const stored = await agent.call('artifact_edit', {
      sessionId: app.artifactId,
      baseRevision: app.revision,
      commitMessage: 'Larger targets on touch',
      changes: [change],
    });
    app = { artifactId: app.artifactId, revision: String(stored.revision) };
    return Number(stored.version);
  };

  it('artifacts 11: the library begins with help, takes dropped files, and shows what they make', async () => {
    const empty = await newProject(owner, 'Nothing yet');
    await page.goto(`${server.origin}/projects/${empty}/artifacts`);
    await page.getByRole('heading', { name: 'No artifacts yet' }).waitFor();
    await page.getByRole('button', { name: 'New artifact' }).click();
    const dialog = page.getByRole('dialog', { name: 'New artifact' });
    await dialog.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'index.html', mimeType: 'text/html', buffer: Buffer.from(pageOf('Dropped', 'From a disk.')) },
      { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
    ]);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Dropped page');
    await dialog.getByRole('button', { name: 'Create artifact' }).click();
    await page.getByRole('heading', { name: 'Dropped page', level: 1 }).waitFor();
    await until(async () => (await frameText('Preview of Dropped page')).includes('From a disk.'));
    await page.goto(`${server.origin}/projects/${empty}/artifacts`);
    await page.getByRole('link', { name: 'Dropped page' }).waitFor();
    await until(async () => (await frameText('Small picture of Dropped page')).includes('From a disk.'));
  }, 60_000);

  it('artifacts 11: the artifact shows its page, its files and their text', async () => {
    await page.goto(`${base()}/${app.artifactId}`);
    await page.getByRole('heading', { name: 'Seat map', level: 1 }).waitFor();
    await until(async () => (await frameText('Preview of Seat map')).includes('Choose two seats.'));
    await page.getByRole('treeitem', { name: 'styles.css' }).click();
    await page.locator('.source__text .tok-f, .source__text .tok-k').first().waitFor();
    expect(await page.locator('.source__text').textContent()).toContain('h1 { color: #0f766e; }');
    await page.getByRole('treeitem', { name: 'deck-6.html' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await until(async () => (await frameText('Preview of Seat map')).includes('The upper deck.'));
  });

  it('artifacts 15.58: a version of another session appears without a reload', async () => {
    await page.goto(`${base()}/${app.artifactId}`);
    await page.getByText('v1', { exact: true }).waitFor();
    await edit({ op: 'str_replace', path: 'index.html', oldText: 'two seats', newText: 'three seats' });
    await page.getByText('v2', { exact: true }).waitFor();
    await until(async () => (await frameText('Preview of Seat map')).includes('Choose three seats.'));
  });

  it('artifacts 15.57: two versions are compared by files, by words and by their pages', async () => {
    await page.goto(`${base()}/${app.artifactId}/compare`);
    await page.getByText('1 changed, 0 added, 0 removed, 3 same').waitFor();
    await page.locator('.diff__half[data-change="cut"] del', { hasText: 'two' }).waitFor();
    await page.locator('.diff__half[data-change="add"] ins', { hasText: 'three' }).waitFor();
    const file = page.locator('.compare-files__list .side-link').first();
    expect((await file.boundingBox())!.width).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'Pages' }).click();
    await until(async () => (await frameText('Preview of Seat map, version 1')).includes('two seats'));
    await until(async () => (await frameText('Preview of Seat map, version 2')).includes('three seats'));
  });

  it('artifacts 15.59: restoring version 1 stores a new version with its files', async () => {
    await page.goto(`${base()}/${app.artifactId}?version=1`);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('v3', { exact: true }).waitFor();
    await until(async () => (await frameText('Preview of Seat map, version 3')).includes('two seats'));
    for (const version of ['v1', 'v2'])
      expect(await page.getByText(version, { exact: true }).count()).toBe(1);
    app = (await agent.call('artifact_status', { sessionId: app.artifactId })) as unknown as typeof app;
  });

  it('artifacts 11: the playground saves a version, and keeps what was typed when somebody else was faster', async () => {
    await page.goto(`${base()}/${app.artifactId}/playground?file=styles.css`);
    const editor = page.getByRole('textbox', { name: 'styles.css' });
    await editor.fill('body { background: #eee; }\n');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('Stored as version 4.').waitFor();
    await until(async () => (await editor.inputValue()) === 'body { background: #eee; }\n');

    await editor.fill('body { background: #ddd; }\n');
    app = (await agent.call('artifact_status', { sessionId: app.artifactId })) as unknown as typeof app;
    await edit({ op: 'write', path: 'data/deck.json', content: '{"rows": 13}\n' });
    await page.getByRole('alert').getByText('Somebody stored version 5 meanwhile').waitFor();
    expect(await editor.inputValue()).toBe('body { background: #ddd; }\n');
    await page.getByRole('button', { name: 'Go on from version 5' }).click();
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('Stored as version 6.').waitFor();
    const { body } = await owner.api<{ version: { files: { path: string; bytes: number }[] } }>(
      'GET',
      `/projects/${projectId}/artifacts/${app.artifactId}`,
    );
    expect(body.version.files.find(({ path }) => path === 'data/deck.json')!.bytes).toBe(13);
  }, 60_000);

  it('artifacts 15.56: files and versions are reached by keyboard alone', async () => {
    await page.goto(`${base()}/${app.artifactId}`);
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: 'index.html' }).focus();
    await page.keyboard.press('Home');
    await tree.locator('[data-path="data"]:focus').waitFor();
    await page.keyboard.press('ArrowLeft');
    await tree.locator('[data-path="data"][aria-expanded="false"]').waitFor();
    await page.keyboard.press('s');
    await tree.locator('[data-path="styles.css"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.source__text').waitFor();
    await page.locator('.ver[aria-current]').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('.ver:focus', { hasText: 'v5' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Version 5 of 6.').waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('j');
    await page.getByText('Version 4 of 6.').waitFor();
    await page.keyboard.press('c');
    await page.waitForURL('**/compare?from=3&to=4');
  });

  it('artifacts 15.60: a deleted artifact is gone for everybody, and one press brings it back', async () => {
    await page.goto(`${base()}/${app.artifactId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete artifact' }).click();
    await page.getByText('Seat map is deleted.').waitFor();
    expect(await agent.refusal('artifact_get', { artifactId: app.artifactId })).toBe(
      'Artifact not found or not accessible.',
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Seat map' }).waitFor();
    expect((await agent.call('artifact_get', { artifactId: app.artifactId })).latestVersion).toBe(6);
  });

  it('artifacts 11: charts of a conversation are shown, sorted, and put beside each other', async () => {
    const conversation = { 'loupe-session-id': 'session-1' };
    const months = ['2026-09', '2026-10', '2026-11'];
    for (const name of ['Bookings', 'Cancellations']) {
      await agent.call(
        'artifact_typed_create',
        {
          type: 'line_chart',
          title: `${name} by month`,
          payload: { series: [{ name, points: months.map((x, at) => ({ x, y: 120 - at * 30 })) }] },
        },
        conversation,
      );
    }
    await page.goto(`${base()}/charts`);
    await page.getByRole('link', { name: 'Bookings by month' }).click();
    await page.getByRole('heading', { name: 'Bookings by month' }).waitFor();
    const picture = page.locator('.chart-view img.chart-picture');
    await until(() =>
      picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    await page.getByRole('button', { name: 'Data' }).click();
    const cells = page.locator('.table-scroll tbody td:last-child');
    expect(await cells.allInnerTexts()).toEqual(['120', '90', '60']);
    // The head that stays in view covers no row.
    await cells.first().click({ trial: true });
    await page.getByRole('columnheader', { name: 'Bookings' }).getByRole('button').click();
    expect(await cells.allInnerTexts()).toEqual(['60', '90', '120']);
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Cancellations by month' }).waitFor();
    await page.goto(`${base()}/charts/2?beside=1`);
    await page.getByRole('heading', { name: 'Bookings by month' }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'artifacts 15.56: no page has a serious finding of axe, or is wider than the window, in the %s theme',
    async (theme) => {
      for (const width of [1440, 390]) {
        const narrow = await browser.newContext({ viewport: { width, height: 844 }, colorScheme: theme });
        await narrow.addCookies(owner.cookiesFor(server.origin));
        const other = await narrow.newPage();
        const one = `${base()}/${app.artifactId}`;
        for (const [name, url] of [
          ['library', base()],
          ['artifact', one],
          ['code', `${one}?file=styles.css&show=code`],
          ['playground', `${one}/playground`],
          ['compare', `${one}/compare?from=1&to=6`],
          ['pages', `${one}/compare?from=1&to=6&view=pages`],
          ['charts', `${base()}/charts`],
          ['chart', `${base()}/charts/1`],
          ['settings', `${base()}/settings`],
          ['admin', `${server.origin}/admin/artifacts`],
        ] as const) {
          await other.goto(url);
          await other.locator('h1').first().waitFor({ state: 'attached' });
          await other
            .locator('.skeleton, [aria-busy]')
            .waitFor({ state: 'hidden' })
            .catch(() => undefined);
          const overflow = await other.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect([name, width, overflow]).toEqual([name, width, 0]);
          await other.evaluate(axe);
          const serious =
            await other.evaluate(`axe.run({ exclude: ['iframe'] }).then(({ violations }) => violations
            .filter(({ impact }) => impact === 'serious' || impact === 'critical')
            .map(({ id, nodes }) => id + ': ' + nodes[0].target))`);
          expect([name, width, serious]).toEqual([name, width, []]);
        }
        await narrow.close();
      }
    },
    120_000,
  );

  it('artifacts 11: with a further workspace a copy still goes beside its source, and long names stay in their column', async () => {
    const name = 'Everything that the harbour office ever drew';
    const { status } = await owner.api('POST', `/projects/${projectId}/artifacts/workspaces`, { name });
    expect(status).toBe(201);
    await page.goto(`${base()}/${app.artifactId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'Seat map (Copy)', level: 1 }).waitFor();
    await page.getByText(/^ada\.admin, /).waitFor();

    await page.goto(base());
    const entry = page.getByRole('link', { name: new RegExp(`^${name}`) });
    await entry.waitFor();
    const column = (await page.getByRole('link', { name: 'All', exact: false }).first().boundingBox())!;
    expect((await entry.boundingBox())!.width).toBe(column.width);
    expect(column.width).toBeLessThan(300);
  }, 60_000);

  it('artifacts 11: versions say whether an agent made them, and unpublishing asks first', async () => {
    await page.goto(`${base()}/${app.artifactId}`);
    await page
      .getByText(/^Agent for ada\.admin, /)
      .first()
      .waitFor();
    await agent.call('artifact_publish', { sessionId: app.artifactId });
    await page.getByRole('link', { name: 'Published' }).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('Unpublish it first, then it can be deleted.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Unpublish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
    await page.getByRole('link', { name: 'Published' }).waitFor({ state: 'detached' });
  }, 60_000);

  it('no step ran into an error or asked another host', () => {
    expect(seen.errors).toEqual([]);
    expect(seen.foreign).toEqual([]);
  });
});
