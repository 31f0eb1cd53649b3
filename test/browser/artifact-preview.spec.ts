import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { LiveUpdates } from '#libs/kernel/ports/live-updates.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import type { Json } from '../support/loupe-app.js';
import { PreviewStage } from '../support/preview-stage.js';
import { until } from '../support/until.js';

// Names of the browser, where the functions given to `evaluate` run.
declare const document: Json;
declare const performance: Json;
declare const window: Json;

const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');
const PAGE = '<!doctype html><title>Till</title><link rel="stylesheet" href="/s.css"><h1>Version one</h1>';

describeInBrowser('the page that shows a preview', () => {
  let stage: PreviewStage;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    stage = await PreviewStage.start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    await stage.signIn(context);
    page = await context.newPage();
  });
  afterEach(() => context.close());

  const sql = (text: string, values: unknown[]) => stage.app.db.database.query(text, values);
  const addressOf = (artifactId: string, query = '') =>
    `${stage.app.url}/artifacts/${artifactId}/preview${query}`;
  const tell = (artifactId: string) =>
    stage.app
      .get(LiveUpdates)
      .publish(`project:${stage.projectId}:artifacts`, { type: 'artifact', subjectId: artifactId });
  const shown = (text: string) => page.frameLocator('iframe').getByText(text).waitFor();

  /** A stylesheet may arrive after the words that it colours. */
  const coloured = (selector: string, colour: string) =>
    until(async () => {
      const found = page.frameLocator('iframe').locator(selector);
      return (await found.evaluate((element: Json) => window.getComputedStyle(element).color)) === colour;
    });

  it('shows the latest version, and any other by the picker, at three widths', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE, 's.css': 'h1{color:rgb(1,2,3)}' });
    await stage.push(artifactId, { 'index.html': PAGE.replace('one', 'two') });
    const { errors, foreign } = watch(page, stage.app.url);
    await page.goto(addressOf(artifactId));
    await shown('Version two');
    await page.selectOption('#version', '1');
    await shown('Version one');
    expect(page.url()).toBe(addressOf(artifactId, '?version=1'));
    await coloured('h1', 'rgb(1, 2, 3)');
    await page.getByRole('button', { name: 'Phone' }).click();
    expect((await page.locator('iframe').boundingBox())!.width).toBe(390);
    await page.getByRole('button', { name: 'Full' }).click();
    expect((await page.locator('iframe').boundingBox())!.width).toBeGreaterThan(1_000);
    await page.reload();
    await shown('Version one');
    expect(await page.locator('iframe').getAttribute('title')).toBe('Preview of Till');
    expect([errors.filter((one) => !one.includes('/s.css')), foreign]).toEqual([[], []]);
  });

  it('hides its bar with bare=1, and keyboards can step over the frame', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    await page.goto(addressOf(artifactId, '?bare=1'));
    await shown('Version one');
    expect(await page.locator('.pv-bar').count()).toBe(0);
    await page.keyboard.press('Tab');
    await until(
      async () => (await page.evaluate(() => document.activeElement.textContent)) === 'Skip preview',
    );
    await page.keyboard.press('Enter');
    await until(async () => (await page.evaluate(() => document.activeElement.id)) === 'after-preview');
  });

  it('artifacts 15.33: shows the progress of a generation and then the page, without a reload', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': '<h1>Seed</h1>' });
    await sql("UPDATE artifacts.artifact SET status = 'generating' WHERE id = $1", [artifactId]);
    await sql(
      `INSERT INTO artifacts.generation_job (id, artifact_id, project_id, workspace_id, type, request, request_identity,
         generator, state, progress, notes, requested_by_kind, requested_by, created_at, started_at)
       SELECT gen_random_uuid(), id, project_id, workspace_id, 'p2c', '{}', repeat('a', 64), 'bridge-worker', 'running', 40,
         '[]', 'person', $2, now(), now() FROM artifacts.artifact WHERE id = $1`,
      [artifactId, stage.owner.personId],
    );
    await page.goto(addressOf(artifactId));
    await page.getByRole('heading', { name: 'Generating' }).waitFor();
    await page.getByText('40 % done').waitFor();
    expect(await page.locator('progress').evaluate((bar: Json) => bar.value)).toBe(40);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.evaluate(() => {
      window.marked = true;
    });
    await stage.push(artifactId, { 'index.html': '<h1>Finished page</h1>' });
    await sql("UPDATE artifacts.artifact SET status = 'ready' WHERE id = $1", [artifactId]);
    await sql(
      "UPDATE artifacts.generation_job SET state = 'succeeded', progress = 100 WHERE artifact_id = $1",
      [artifactId],
    );
    await tell(artifactId);
    await shown('Finished page');
    expect(await page.evaluate(() => window.marked)).toBe(true);
    expect(await page.locator('#note').isHidden()).toBe(true);
  });

  it('shows what went wrong when a generation failed', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    await sql("UPDATE artifacts.artifact SET status = 'failed', error = $2 WHERE id = $1", [
      artifactId,
      'The model said <b>no</b>.',
    ]);
    await page.goto(addressOf(artifactId));
    await page.getByText('The model said <b>no</b>.').waitFor();
  });

  it('artifacts 15.58: swaps in a version that somebody else stored', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    await page.goto(addressOf(artifactId));
    await shown('Version one');
    await stage.push(artifactId, { 'index.html': '<h1>By somebody else</h1>' });
    await shown('By somebody else');
    expect(await page.locator('#version option').allTextContents()).toEqual(['Latest (v2)', 'v2', 'v1']);
  });

  it('artifacts 15.56: has no fault that axe finds, and fits 320 px, in both themes', async () => {
    const ready = await stage.artifact({ 'index.html': PAGE }, { name: 'A rather long name of a prototype' });
    const waiting = await stage.artifact({ 'index.html': PAGE });
    await sql("UPDATE artifacts.artifact SET status = 'generating' WHERE id = $1", [waiting.artifactId]);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const { artifactId } of [ready, waiting]) {
        const narrow = await browser.newContext({
          colorScheme,
          viewport: { width: 320, height: 700 },
          bypassCSP: true,
        });
        await stage.signIn(narrow);
        const seen = await narrow.newPage();
        await seen.goto(addressOf(artifactId));
        await seen.locator(artifactId === ready.artifactId ? 'iframe' : '#note h2').waitFor();
        await seen.addScriptTag({ content: axe });
        const faults = await seen.evaluate(async () => {
          const { violations } = await window.axe.run({ exclude: ['iframe'] });
          return violations.map((one: Json) => `${one.id}: ${one.nodes[0].html}`);
        });
        expect(faults).toEqual([]);
        expect(await seen.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
        await narrow.close();
      }
    }
  });

  it('works under the other name that a local instance has', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    const url = stage.app.url.replace('localhost', '127.0.0.1');
    const other = await browser.newContext();
    await stage.signIn(other, stage.owner.personId, url);
    const seen = await other.newPage();
    await seen.goto(`${url}/artifacts/${artifactId}/preview`);
    await seen.frameLocator('iframe').getByText('Version one').waitFor();
    await other.close();
  });

  it('escapes a hostile name everywhere', async () => {
    const name = '</script><script>window.hit=1</script>"><img src=x onerror=hit=1>';
    const { artifactId } = await stage.artifact({ 'index.html': PAGE }, { name });
    await page.goto(addressOf(artifactId));
    await shown('Version one');
    expect(await page.evaluate(() => window.hit)).toBeUndefined();
    expect(await page.locator('.pv-name').textContent()).toBe(name);
  });

  it('sends a stranger to the sign-in or to a 404, and shows a public one to everybody', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    const nobody = await browser.newContext();
    const seen = await nobody.newPage();
    await seen.goto(addressOf(artifactId));
    expect(seen.url()).toContain(`/login?next=%2Fartifacts%2F${artifactId}%2Fpreview`);
    await seen.goto(addressOf('0195c0de-0000-7000-8000-0000000000f1'));
    expect(seen.url()).toContain('/login?next=');
    const stranger = await stage.app.person('Sam Stranger');
    const other = await browser.newContext();
    await stage.signIn(other, stranger.personId);
    const theirs = await other.newPage();
    for (const id of [artifactId, '0195c0de-0000-7000-8000-0000000000f1', 'nonsense'])
      expect((await theirs.goto(addressOf(id)))!.status()).toBe(404);
    await sql("UPDATE artifacts.artifact SET privacy = 'public' WHERE id = $1", [artifactId]);
    expect((await theirs.goto(addressOf(artifactId)))!.status()).toBe(404);
    await stage.flag('artifacts.public_links.enabled', true);
    await seen.goto(addressOf(artifactId));
    await seen.frameLocator('iframe').getByText('Version one').waitFor();
    expect(await seen.getByRole('link', { name: 'Close' }).count()).toBe(0);
    // artifacts 13: the page asks to sign in once access has narrowed.
    await stage.flag('artifacts.public_links.enabled', false);
    await seen.getByRole('button', { name: 'Reload' }).click();
    await seen.waitForURL(/\/login\?next=/);
    await nobody.close();
    await other.close();
  });

  it('shows a React app and Markdown with its table', async () => {
    const app = await stage.artifact(
      {
        'index.html': '<div id="root"></div><script type="module" src="/src/main.jsx"></script>',
        'src/main.jsx': `import { lazy, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
const Later = lazy(() => import('./later.jsx'));
function App() {
  const [n, set] = useState(0);
  return <><button onClick={() => set(n + 1)}>Pressed {n} times</button><Suspense><Later /></Suspense></>;
}
createRoot(document.getElementById('root')).render(<App />);`,
        'src/later.jsx': `import './later.css'; export default () => <p className="later">Loaded later</p>;`,
        'src/later.css': '.later { color: rgb(4, 5, 6) }',
      },
      { framework: 'react' },
    );
    await page.goto(addressOf(app.artifactId));
    const button = page.frameLocator('iframe').getByRole('button');
    await button.click({ timeout: 60_000 });
    await shown('Pressed 1 times');
    await shown('Loaded later');
    await coloured('.later', 'rgb(4, 5, 6)');
    const text = await stage.artifact(
      { 'README.md': '# Plan\n\n| a | b |\n|---|---|\n| one | two |\n' },
      { artifactType: 'markdown' },
    );
    await page.goto(addressOf(text.artifactId));
    await page.frameLocator('iframe').getByRole('cell', { name: 'two' }).waitFor({ timeout: 60_000 });
  }, 150_000);

  it('figures: the first paint of a preview comes within a second', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': PAGE });
    await page.goto(addressOf(artifactId));
    await shown('Version one');
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      await page.reload();
      await shown('Version one');
      const start = await page.evaluate(() => performance.timeOrigin);
      const paint = await page.frames()[1]!.evaluate(async () => {
        const found = () => performance.getEntriesByName('first-contentful-paint')[0];
        while (!found()) await new Promise((done) => setTimeout(done, 20));
        return performance.timeOrigin + found().startTime;
      });
      times.push(Math.round(paint - start));
    }
    // The best of five, because the machine does other work too.
    expect(Math.min(...times)).toBeLessThan(1_000);
    process.stdout.write(`first paint of a preview: ${times.join(', ')} ms\n`);
  });
});
