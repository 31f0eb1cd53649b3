import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { HOSTILE_FUNCTION, HOSTILE_MARKDOWN } from '../support/hostile-markdown.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, liftRateLimit, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const BATCH = 20;

/** Events that a handler smuggled into the text would hear. */
const EVENTS =
  'click mouseover mouseenter pointerdown focus blur error load toggle animationstart transitionend wheel scroll copy ' +
  'paste input change submit keydown beforetoggle begin end repeat';

/** Hostile texts through the real server into the real review page, in a real browser. */
describeInBrowser('hostile documents on the review page', () => {
  let server: LoupeServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let admin: Visitor;
  let projectId: string;
  let seen: ReturnType<typeof watch>;
  /** What must never happen. */
  const happened: string[] = [];

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start({ env: adminEnv }), openBrowser()]);
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'Hostile');
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.exposeFunction(HOSTILE_FUNCTION, () => void happened.push('a script of a document ran'));
    page = await context.newPage();
    seen = watch(page, server.origin);
    page.on('dialog', (dialog) => {
      happened.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on('page', (opened) => happened.push(`a window opened: ${opened.url()}`));
    page.on('download', (download) => happened.push(`a download began: ${download.url()}`));
    await page.goto(`${server.origin}/login`);
    await page.getByLabel('E-mail').fill(ADMIN.email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/login');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const batches = Array.from({ length: Math.ceil(HOSTILE_MARKDOWN.length / BATCH) }, (_, at) =>
    HOSTILE_MARKDOWN.slice(at * BATCH, (at + 1) * BATCH),
  );

  it('has over 300 of them', () => {
    expect(HOSTILE_MARKDOWN.length).toBeGreaterThanOrEqual(300);
  });

  it('would notice a handler that the policy of the page stops, and a script that runs', async () => {
    await page.evaluate(`(() => {
      const box = document.createElement('div');
      box.innerHTML = '<img src="/assets/mark.svg" onload="${HOSTILE_FUNCTION}()">';
      document.body.append(box);
    })()`);
    await until(() => seen.errors.some((error) => error.includes('Content Security Policy')));
    expect(happened).toEqual([]);
    await page.evaluate(`${HOSTILE_FUNCTION}()`);
    expect(happened.splice(0)).toEqual(['a script of a document ran']);
    seen.errors.splice(0);
  });

  it.each(batches.map((batch, at) => [at * BATCH, batch] as const))(
    'from number %i on: none runs, loads, opens, navigates or breaks the page',
    async (first, batch) => {
      const swallowed = await read(
        batch.map(({ markdown }, at) => `## Case ${first + at}\n\n${markdown}`),
        batch.map((_, at) => `Case ${first + at}`),
      );
      // A text that keeps the next ones from being text of their own is read alone.
      for (const title of swallowed) {
        const { markdown } = batch[Number(title.slice(5)) - first]!;
        await read([markdown], []);
      }
    },
    60_000,
  );

  it('as comments, titles, tags, notes and selections: the same', async () => {
    const { body: made } = await admin.api<{ id: string }>('POST', base(), {
      title: `<img src=x onerror=${HOSTILE_FUNCTION}()>`,
      markdown: '# Plain',
      tags: ['<svg onload=hostileRan()>'],
      description: `[x](javascript:${HOSTILE_FUNCTION}())`,
      draft: false,
    });
    for (const batch of batches) {
      const body = batch.map(({ markdown }) => markdown).join('\n\n---\n\n');
      const { status } = await admin.api('POST', `${base()}/${made.id}/comments`, { version: 1, body });
      expect([201, 422]).toContain(status);
    }
    await admin.api('POST', `${base()}/${made.id}/verdicts`, {
      version: 1,
      verdict: 'changes-requested',
      note: HOSTILE_MARKDOWN.slice(0, 40)
        .map(({ markdown }) => markdown)
        .join('\n\n'),
    });
    await open(`/projects/${projectId}/documents/${made.id}/review`);
    await provoke();
    await open(`/projects/${projectId}/documents`);
    await provoke();
    expectNothing();
  }, 60_000);

  function base(): string {
    return `/projects/${projectId}/documents`;
  }

  /** Stores the parts as one document and reads it in the browser. @returns headings that did not become headings */
  async function read(parts: string[], titles: string[]): Promise<string[]> {
    const { status, body } = await admin.api<{ id: string }>('POST', base(), {
      title: 'Hostile',
      markdown: parts.join('\n\n'),
      draft: false,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    await open(`/projects/${projectId}/documents/${body.id}/review`);
    await provoke();
    expectNothing();
    const headings = new Set(await page.locator('article h2').allInnerTexts());
    return titles.filter((title) => ![...headings].some((heading) => heading.startsWith(title)));
  }

  async function open(path: string): Promise<void> {
    await page.goto(server.origin + path);
    await page.locator('main h1').first().waitFor();
    // Asked from outside: a condition that has to be looked at again is code in the page, which its policy refuses.
    await until(async () => (await page.locator('[aria-busy=true], .skeleton').count()) === 0, 20_000);
    expect(new URL(page.url()).pathname).toBe(path);
  }

  /** Does to every element what a person could do to it, but for leaving the page. */
  async function provoke(): Promise<void> {
    const offences = await page.evaluate(`(() => {
      addEventListener('click', (event) => event.preventDefault(), true);
      addEventListener('submit', (event) => event.preventDefault(), true);
      const found = [];
      for (const element of document.querySelectorAll('article *, main *')) {
        for (const { name, value } of element.attributes) {
          if (name.startsWith('on')) found.push(name);
          if (/^\\s*(javascript|vbscript|data:text)/i.test(value) && ['href', 'src', 'action', 'formaction'].includes(name)) {
            found.push(name + '=' + value);
          }
        }
        if (element.closest('article')) {
          for (const type of ${JSON.stringify(EVENTS)}.split(' ')) {
            element.dispatchEvent(new Event(type, { bubbles: false, cancelable: true }));
          }
        }
      }
      return found;
    })()`);
    expect(offences).toEqual([]);
    expect(new URL(page.url()).origin).toBe(server.origin);
    expect(
      page
        .frames()
        .filter((frame) => frame.url().startsWith('http') && !frame.url().startsWith(server.origin)),
    ).toEqual([]);
  }

  function expectNothing(): void {
    expect(happened).toEqual([]);
    expect(seen.foreign).toEqual([]);
    expect(seen.errors).toEqual([]);
  }
});
