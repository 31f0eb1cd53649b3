import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  ADMIN,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  signedIn,
} from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

/** How a machine arrives on the Connect page and in the first-run wizard. */
describeInBrowser('connecting', () => {
  let server: LoupeServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watch>;

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start({ env: adminEnv }), openBrowser()]);
    await liftRateLimit(await signedIn(server.origin));
  }, 120_000);

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(40_000);
    seen = watch(page, server.origin);
  });

  afterEach(() => context?.close());

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function signIn(email: string): Promise<void> {
    await page.goto(`${server.origin}/login`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/login');
  }

  /** As `loupe login` on a machine, allowed by this person. @returns the access token */
  async function loginOf(person: Visitor, machine: string): Promise<string> {
    const device = await DeviceClient.start(server.origin, machine);
    const answered = await person.submit(await person.open(device.verificationUriComplete), {
      answer: 'allow',
    });
    expect(answered.status).toBe(200);
    return (await device.poll()).access_token;
  }

  /** Gone when the page was loaded anew. */
  const stay = () => page.evaluate('window.stayed = true');
  const stayed = () => page.evaluate('window.stayed === true');

  it('platform 19.12: a new CLI login, and its first call, show on the Connect page without reload', async () => {
    const admin = await signedIn(server.origin);
    const projectId = await newProject(admin, 'Ferry bookings');
    await newProject(admin, 'Another one');
    await signIn(ADMIN.email);
    await page.goto(`${server.origin}/projects/${projectId}/connect`);
    await page.getByText('No machine yet').waitFor();
    const sees = page.getByRole('status', { name: 'What Loupe sees' });
    await sees.getByText('Waiting for an agent to sign in').waitFor();
    await stay();

    const token = await loginOf(admin, 'quay-02');
    const row = page.getByRole('row', { name: /quay-02/ });
    await row.waitFor();
    await row.getByText('Not used yet').waitFor();
    await sees.getByText('Signed in').waitFor();
    await sees.getByText('Waiting for the first call to this project').waitFor();

    const answer = await callTool(
      server.origin,
      token,
      'project_current',
      {},
      { 'loupe-project-id': projectId },
    );
    expect(answer.body.result?.structuredContent).toMatchObject({ id: projectId });
    await row.getByText(/^Used/).waitFor();
    await sees.getByText('First call to this project').waitFor();
    expect(await stayed()).toBe(true);
    expect(seen.errors).toEqual([]);
  }, 180_000);

  it('platform 4.1: the Connect page names this project in its commands, and leads to what each tool takes', async () => {
    const admin = await signedIn(server.origin);
    const projectId = await newProject(admin, 'Commands');
    await signIn(ADMIN.email);
    await page.goto(`${server.origin}/projects/${projectId}/connect`);
    await page.getByText(`claude mcp add --transport http loupe ${server.url}/mcp`).first().waitFor();
    await page.getByText('Codex', { exact: true }).click();
    await page.getByText(`codex mcp add loupe -- loupe mcp --project ${projectId}`).waitFor();
    await page.getByText('Let your agent do it, with a prompt').click();
    await page.getByText(`/setup.md?project=${projectId}`).waitFor();
    expect(await page.getByText('document_highlight').count()).toBe(0);
    await page.getByRole('link', { name: 'card_create' }).click();
    await page.waitForURL('**/docs/mcp#card_create');
    await page.getByRole('heading', { name: /card_create/ }).waitFor();
  }, 120_000);

  it('platform 4.3: the wizard leads a person without a project to the first call, back and forward and by reload', async () => {
    const email = 'newcomer@mail.example';
    await addPerson(server, email, 'Nora Newcomer');
    const nora = await signedIn(server.origin, email);
    await signIn(email);
    await page.waitForURL('**/welcome');
    await page.getByRole('link', { name: 'Skip for now' }).waitFor();
    await page.getByLabel('Name').fill('First steps');
    await page.getByLabel('Description').fill('What it is about');
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.waitForURL('**/welcome/connect?project=*');
    const projectId = new URL(page.url()).searchParams.get('project')!;

    // The first step is done: going back leads to the project, and forward into the wizard again.
    await page.goBack();
    await page.waitForURL(`**/projects/${projectId}`);
    await page.goForward();
    await page.waitForURL('**/welcome/connect?project=*');
    await page.reload();
    await page.getByText(`claude mcp add --transport http loupe ${server.url}/mcp`).waitFor();
    await page.getByText('The loupe command: one sign-in').click();
    await page.getByText(`loupe project link --project ${projectId} --mcp`).waitFor();

    const sees = page.getByRole('status', { name: 'What Loupe sees' });
    await sees.getByText('Waiting for an agent to sign in').waitFor();
    await page.getByRole('link', { name: 'Skip for now' }).click();
    // What was skipped is not called done.
    const steps = page.getByRole('list', { name: 'Steps' });
    await steps.getByText('Agent, skipped').waitFor();
    await page.goBack();
    await stay();
    const token = await loginOf(nora, 'nora-laptop');
    await sees.getByText('from “nora-laptop”').waitFor();
    await callTool(server.origin, token, 'project_current', {});
    await sees.getByText('First call to this project').waitFor();
    expect(await stayed()).toBe(true);

    await page.getByRole('link', { name: 'Go on' }).click();
    await page.waitForURL('**/welcome/done?project=*');
    await steps.getByText('Agent, done').waitFor();
    await page.goBack();
    await sees.getByText('First call to this project').waitFor();
    await page.goForward();
    await page.getByRole('link', { name: 'Open the Workshop' }).click();
    await page.waitForURL(`**/projects/${projectId}`);
    await page.goto(`${server.origin}/welcome`);
    await page.waitForURL(`**/projects/${projectId}`);
    expect(seen.errors).toEqual([]);
  }, 180_000);

  it('platform 13: the menu of the account leads to the guides and to the page about Loupe', async () => {
    await signIn(ADMIN.email);
    for (const [name, address] of [
      ['Guides', '**/docs'],
      ['About Loupe', '**/about'],
    ] as const) {
      await page.goto(`${server.origin}/projects`);
      await page.getByRole('button', { name: ADMIN.name }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.waitForURL(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
  }, 120_000);
});
