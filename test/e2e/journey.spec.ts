import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { Agent, CLIENT_HOST, ClientSite } from '../support/agent.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import { until } from '../support/until.js';

const samples = process.env.LOUPE_SAMPLES_DIR ?? join(applicationRoot, '..', 'shared', 'samples');
const PLAN = join(samples, 'revisions', '03');

const plan = existsSync(PLAN)
  ? {
      before: readFileSync(join(PLAN, 'before.md'), 'utf8'),
      after: readFileSync(join(PLAN, 'after.md'), 'utf8'),
    }
  : {
      before:
        '## Summary\n\nAdd the methods to the trait.\n\n## Unresolved questions\n\nIs the key variant useless?\n',
      after:
        '## Summary\n\nAdd the methods to the trait and to slices.\n\n## Unresolved questions\n\nIs the key variant useless?\n',
    };

const ADMIN = { email: 'ada@example.com', name: 'Ada Lovelace', password: 'a long sentence as a password' };

/** The main job of the product, through every layer: real browser, real MCP client, real server and database. */
describeInBrowser('the journey of the first five minutes', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let second: LoupeServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let agent: Agent;
  let seen: ReturnType<typeof watch>;
  let projectId: string;
  let document: { documentId: string; reviewUrl: string; version: number; status: string };

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ fresh: true, env: site.env });
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    seen = watch(page, server.url);
  }, 120_000);

  afterAll(async () => {
    await agent?.stop();
    await browser?.close();
    await second?.stop();
    await server?.stop();
    await site?.stop();
  });

  it('2: the install page makes the first admin, the wizard a project, and the Connect page tells how to connect', async () => {
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Go on to your account' }).click();
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Name').fill(ADMIN.name);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.locator('form button[type=submit]').last().click();
    await page.waitForURL('**/welcome');
    await page.getByLabel('Name').fill('Ferry bookings');
    await page.getByRole('button', { name: 'Add project' }).click();
    await page.waitForURL('**/welcome/connect**');
    const { body } = await fetchJson<{ projects: { id: string }[] }>('/api/projects');
    projectId = body.projects[0]!.id;
    await page.goto(`${server.url}/projects/${projectId}/connect`);
    await page.getByText(`${server.url}/mcp`).first().waitFor();
  });

  it('3: an agent that knows only the address of /mcp finds the sign-in and is allowed on the consent page', async () => {
    agent = await Agent.meet(`${server.url}/mcp`);
    expect(await agent.connect()).toBe('needs-person');
    const consent = await context.newPage();
    await consent.goto(agent.authorizationUrl!.toString());
    await expectText(consent, CLIENT_HOST);
    await expectText(consent, 'Ferry bookings');
    await consent.getByRole('radio', { name: /Ferry bookings/ }).check();
    await consent.getByRole('button', { name: 'Allow', exact: true }).click();
    await agent.finishSignIn();
    await consent.close();
  });

  it('3: a second client signs in by a device code', async () => {
    const device = await DeviceClient.start(server.url, 'build-mac');
    const approval = await context.newPage();
    await approval.goto(device.verificationUriComplete);
    await expectText(approval, device.userCode);
    await expectText(approval, 'build-mac');
    await approval.getByRole('button', { name: 'Allow', exact: true }).click();
    const tokens = await device.poll();
    const me = await fetch(`${server.url}/api/me`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(await me.json()).toMatchObject({
      person: { displayName: ADMIN.name },
      projects: [{ name: 'Ferry bookings', role: 'owner' }],
    });
    await approval.close();
  });

  it('4: the agent looks around and submits a real plan', async () => {
    expect(await agent.call('project_current')).toMatchObject({ id: projectId, name: 'Ferry bookings' });
    expect(await agent.listTools()).toEqual(
      expect.arrayContaining(['document_create', 'document_get_review']),
    );
    document = await agent.call('document_create', { title: 'Sorted slices', markdown: plan.before });
    expect(document).toMatchObject({ version: 1, status: 'in-review' });
    expect(document.reviewUrl).toBe(
      `${server.url}/projects/${projectId}/documents/${document.documentId}/review`,
    );
  });

  it('5: the person reads it rendered, comments on two passages and asks for changes', async () => {
    await page.goto(document.reviewUrl);
    await page.getByRole('heading', { name: 'Unresolved questions' }).first().waitFor();
    await commentOn('Summary', 'Say which types get them.');
    await commentOn('Unresolved questions', 'Please settle these first.');
    await page.getByRole('button', { name: 'Finish review' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Request changes' }).check();
    await dialog.getByLabel(/Note/).fill('Two points to settle.');
    await dialog.getByRole('button', { name: 'Request changes' }).click();
    await page
      .getByText(/Changes requested by/)
      .first()
      .waitFor();
  });

  it('6: the agent reads the review, replies, marks a thread addressed and revises; open threads move along', async () => {
    const review = await agent.call<Review>('document_get_review', { documentId: document.documentId });
    expect(review).toMatchObject({ verdict: 'changes-requested', note: 'Two points to settle.', version: 1 });
    expect(review.comments.map((comment) => comment.body)).toEqual([
      'Say which types get them.',
      'Please settle these first.',
    ]);
    expect(JSON.stringify(review)).not.toContain(ADMIN.name);
    expect(JSON.stringify(review)).not.toContain(ADMIN.email);
    const [first] = review.comments;
    await agent.call('document_reply_to_comment', { commentId: first!.id, body: 'The types are named now.' });
    expect(await agent.call('document_mark_comment_addressed', { commentIds: [first!.id] })).toEqual({
      addressed: [first!.id],
      skipped: [],
    });
    const revised = await agent.call<Revised>('document_revise', {
      documentId: document.documentId,
      markdown: plan.after,
      description: 'Names the types and settles the open questions.',
    });
    expect(revised).toMatchObject({ version: 2, status: 'in-review' });
    expect(revised.carried + revised.orphaned).toBe(2);
    await expect(
      agent.call('document_reply_to_comment', { commentId: first!.id, body: 'Again.' }),
    ).rejects.toThrow(/version 1.*version 2/s);
  });

  it('7: the new version arrives live, the person compares and approves, and the agent reads the verdict', async () => {
    await page
      .getByText(/Version 2 arrived/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'See changes' }).first().click();
    await page.waitForURL('**/review/diff/1/2**');
    await page.locator('ins, del').first().waitFor();
    await page.goto(document.reviewUrl);
    await page.getByText('The types are named now.').first().waitFor();
    await page.getByRole('button', { name: 'Finish review' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'Approve' }).check();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page
      .getByText(/Approved by/)
      .first()
      .waitFor();
    const review = await agent.call<Review>('document_get_review', { documentId: document.documentId });
    expect(review).toMatchObject({ status: 'approved', verdict: 'approved', version: 2 });
  });

  it('8: a flag that an admin switches off takes its tools away within 2 seconds, in a second process too', async () => {
    second = await LoupeServer.start({ beside: server, env: { ...site.env, DEFAULT_URI: server.url } });
    const there = (origin: string) => tools(origin, agent.tokensNow.access_token);
    const turn = async (name: 'On' | 'Off') => {
      const row = page.getByRole('switch', { name: /review\.highlights\.enabled/ });
      await row.click();
      await until(async () => (await row.isChecked()) === (name === 'On'), 5_000);
      return Date.now();
    };
    await page.goto(`${server.url}/admin/feature-flags`);
    expect((await there(server.origin)).includes('document_highlight')).toBe(false);
    await turn('On');
    await until(async () => (await there(second.origin)).includes('document_highlight'), 2_000);
    await until(async () => (await there(server.origin)).includes('document_highlight'), 2_000);
    await turn('Off');
    await until(async () => !(await there(server.origin)).includes('document_highlight'), 2_000);
    await until(async () => !(await there(second.origin)).includes('document_highlight'), 2_000);
    await expect(
      agent.call('document_highlight', { documentId: document.documentId, quotes: ['x'] }),
    ).rejects.toThrow('Highlights are switched off on this instance.');
  });

  it('no page ran into an error or asked another host for anything', () => {
    expect(seen.foreign).toEqual([]);
    expect(seen.errors).toEqual([]);
  });

  interface Review {
    status: string;
    verdict: string | null;
    note: string | null;
    version: number;
    comments: { id: string; body: string; quote: string }[];
  }

  interface Revised {
    version: number;
    status: string;
    carried: number;
    orphaned: number;
  }

  async function fetchJson<T>(path: string): Promise<{ body: T }> {
    const response = await context.request.get(`${server.url}${path}`);
    return { body: (await response.json()) as T };
  }

  /** Selects the first words of the first paragraph below a heading, as a mouse would, and comments on them. */
  async function commentOn(heading: string, text: string): Promise<void> {
    // A text, since the types of a page are not those of this program.
    await page.evaluate(`(() => {
      const name = ${JSON.stringify(heading)};
      const headings = [...document.querySelectorAll('article h1, article h2, article h3')];
      let block = headings.find((each) => each.textContent.includes(name))?.nextElementSibling;
      while (block && !(block.tagName === 'P' && block.textContent.length > 20)) {
        block = block.nextElementSibling ?? block.parentElement?.nextElementSibling ?? null;
      }
      block?.scrollIntoView({ block: 'center' });
      block?.setAttribute('data-under-test', name);
    })()`);
    const block = page.locator(`[data-under-test="${heading}"]`);
    const box = (await block.boundingBox())!;
    // The second line of a long paragraph: the first one may begin with a link, and a link is dragged, not selected.
    const line = box.y + (box.height > 60 ? 38 : 12);
    await page.mouse.move(box.x + 2, line);
    await page.mouse.down();
    await page.mouse.move(box.x + Math.min(220, box.width - 4), line, { steps: 6 });
    await page.mouse.up();
    await page
      .getByRole('toolbar', { name: 'Selected passage' })
      .getByRole('button', { name: 'Comment' })
      .click();
    const composer = page.getByRole('form', { name: 'New comment' });
    await composer.getByRole('textbox').fill(text);
    await composer.getByRole('button', { name: 'Comment' }).click();
    await page.getByRole('article').or(page.getByRole('listitem')).getByText(text).first().waitFor();
  }
});

async function expectText(page: Page, text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

async function tools(origin: string, token: string): Promise<string[]> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
  return result.tools.map((tool) => tool.name);
}
