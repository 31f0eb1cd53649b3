import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, liftRateLimit, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');

interface Automation {
  readonly enabled: boolean;
  readonly version: number;
  readonly values: { key: string; value: unknown }[];
}

/** The pages of the workflow of the built server: what they say, save and refuse. */
describeInBrowser('the workflow in the browser', () => {
  let server: LoupeServer;
  let browser: Browser;
  let ada: Visitor;
  let context: BrowserContext;
  let page: Page;
  let projectId: string;

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start({ env: adminEnv }), openBrowser()]);
    ada = await signedIn(server.origin);
    await liftRateLimit(ada);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${server.origin}/login`);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const automation = async () => (await ada.api<Automation>('GET', `/projects/${projectId}/automation`)).body;
  const setting = async (key: string) =>
    (await automation()).values.find((value) => value.key === key)?.value;
  const open = (path: string) => page.goto(`${server.origin}/projects/${projectId}/settings/${path}`);

  async function expectAccessible(): Promise<void> {
    await page.addScriptTag({ content: axe });
    const found = await page.evaluate(
      'axe.run().then((result) => result.violations.filter((one) => ["serious", "critical"].includes(one.impact)).map((one) => one.id + " " + one.nodes[0].target))',
    );
    expect(found).toEqual([]);
  }

  it('a new project is made with the workflow that is chosen in its form', async () => {
    await page.goto(`${server.origin}/projects/new`);
    await page.getByLabel('Name').fill('Plain');
    await page.getByLabel('Workflow').selectOption({ label: 'No workflow' });
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}$/);
    projectId = page.url().split('/').at(-1)!;
    await open('workflow');
    await page.getByText('This project has no workflow yet.').waitFor();

    await page.goto(`${server.origin}/projects/new`);
    await page.getByLabel('Name').fill('Ferry');
    await page.getByText('Moves by hand follow these steps.').waitFor();
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.waitForURL(
      (url) => !url.pathname.includes(projectId) && /\/[0-9a-f-]{36}$/.test(url.pathname),
    );
    projectId = page.url().split('/').at(-1)!;
    expect((await automation()).enabled).toBe(true);
  });

  it('the automation page says what the switch does today, saves, and shows a refusal at its field', async () => {
    await open('automation');
    await page.getByText('This release shows the rules but does not act on them').waitFor();
    const save = page.getByRole('button', { name: 'Save settings' });
    await page.getByLabel('Follow the workflow').click();
    await page.getByLabel('Minutes until a card counts as stuck').fill('0');
    await save.click();
    await page.getByText('Use a whole number from 1 to 1440.').waitFor();
    expect((await automation()).enabled).toBe(true);
    await page.getByLabel('Minutes until a card counts as stuck').fill('30');
    await save.click();
    await until(async () => !(await automation()).enabled);
    expect(await setting('stuckDelayMinutes')).toBe(30);
    expect(await page.getByLabel('An approval covers a resolved conflict').count()).toBe(0);
    await page.getByText('An agent changes this').waitFor();
    await expectAccessible();
  });

  it('a form that somebody overtook keeps what was chosen, and says that it is not stored', async () => {
    await open('automation');
    await page.getByLabel('Merge method').selectOption('rebase');
    const { version } = await automation();
    const theirs = { values: { mergeMethod: 'merge' }, version };
    expect((await ada.api('PATCH', `/projects/${projectId}/automation`, theirs)).status).toBe(200);
    await page.getByText('Changed meanwhile.').waitFor();
    expect(await page.getByLabel('Merge method').inputValue()).toBe('rebase');
    await page.getByRole('button', { name: 'Load the saved values' }).click();
    await until(async () => (await page.getByLabel('Merge method').inputValue()) === 'merge');
    expect(await setting('mergeMethod')).toBe('merge');
  });

  it('workflow 29: an empty place is shown, and gets a column on the page', async () => {
    const board = `/projects/${projectId}/board`;
    const { columns } = (
      await ada.api<{ columns: { columnId: string; slug: string }[] }>('GET', `${board}/columns`)
    ).body;
    const { columnId } = columns.find(({ slug }) => slug === 'tech-design')!;
    expect((await ada.api('POST', `${board}/columns/${columnId}/delete`, {})).status).toBe(200);
    expect((await ada.api('POST', `${board}/columns`, { label: 'Drawing board' })).status).toBe(201);
    await open('workflow');
    await page.getByLabel('Link a column to Tech design').selectOption({ label: 'Drawing board' });
    await page.getByText('Tech design has a column again.').waitFor();
    await page.getByRole('row', { name: 'Tech design Drawing board' }).waitFor();
    await page.getByRole('row', { name: /^accept-tech-design / }).waitFor();
    await expectAccessible();
  });

  it('the page holds on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['workflow', 'automation']) {
      await open(path);
      await page.getByText('This release shows the rules').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
  });
});
