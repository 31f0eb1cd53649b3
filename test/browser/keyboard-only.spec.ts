import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { addMember, addPerson, adminEnv, liftRateLimit, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

/** No page of this product is longer than that many stops of Tab. */
const MOST_STOPS = 250;

/** What the focus is on, as a screen reader would name it, and whether a person sees that it is there. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const ids = (at.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
  const name = ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    || at.getAttribute('aria-label')
    || [...(at.labels ?? [])].map((label) => label.textContent).join(' ')
    || at.textContent;
  const style = getComputedStyle(at);
  // Of a date the browser itself marks the part that is typed into.
  const seen = style.outlineStyle !== 'none' || style.boxShadow !== 'none' || at.type === 'date';
  return { name: (name ?? '').replace(/\\s+/g, ' ').trim(), tag: at.tagName.toLowerCase(), seen };
})()`;

interface Focused {
  readonly name: string;
  readonly tag: string;
  readonly seen: boolean;
}

/** Administration, projects and their people without a mouse (`platform.md` 19.30). */
describeInBrowser('by keyboard alone', () => {
  let server: LoupeServer;
  let owner: Visitor;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies(owner.cookiesFor(server.origin));
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (path: string, heading: string | RegExp): Promise<void> => {
    await page.goto(server.origin + path);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.locator('.skeletons').waitFor({ state: 'detached' });
  };

  /** Presses Tab until the focus is there, and sees it at every stop on the way. */
  const tabTo = async (name: RegExp, tag: string): Promise<void> => {
    const passed: string[] = [];
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<Focused | null>(FOCUSED);
      if (!focused) continue;
      expect([focused.name, focused.seen]).toEqual([focused.name, true]);
      if (focused.tag === tag && name.test(focused.name)) return;
      passed.push(`${focused.tag} ${focused.name}`);
    }
    throw new Error(`No ${tag} ${name} among ${passed.slice(0, 60).join(' | ')}`);
  };

  it('platform 19.30: a project is made, its settings saved, a link to it made and a member removed', async () => {
    await open('/projects/new', /project/i);
    await tabTo(/^Name/, 'input');
    await page.keyboard.type('Made by keys');
    await tabTo(/Add project|Create project/, 'button');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/projects\/[0-9a-f-]{36}/);
    const projectId = /projects\/([0-9a-f-]{36})/.exec(page.url())![1]!;

    await open(`/projects/${projectId}/settings`, 'Project settings');
    await tabTo(/^Description/, 'textarea');
    await page.keyboard.type('Without a mouse');
    await tabTo(/^Save/, 'button');
    await page.keyboard.press('Enter');
    await until(async () => {
      const { body } = await owner.api<{ description: string }>('GET', `/projects/${projectId}`);
      return body.description === 'Without a mouse';
    }, 30_000);

    await addMember(server, projectId, await addPerson(server, 'kim@mail.example', 'Kim Berg'), 'member');
    await open(`/projects/${projectId}/settings/members`, 'Project settings');
    await page.getByRole('row', { name: /Kim Berg/ }).waitFor();
    await tabTo(/Remove/, 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(/^Remove member/, 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Kim Berg/ }).waitFor({ state: 'detached' });

    await tabTo(/^Make a link/, 'button');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Whoever opens the link first/ }).waitFor();
  }, 180_000);

  it('platform 19.30: a flag is switched, a person found and opened, an audit record opened', async () => {
    await open('/admin/feature-flags', 'Feature flags');
    await tabTo(/^Filter flags/, 'input');
    await page.keyboard.type('exports.enabled');
    await page.getByRole('switch', { name: /registration\.enabled/ }).waitFor({ state: 'detached' });
    await tabTo(/exports\.enabled/, 'input');
    await page.keyboard.press('Space');
    await until(async () => {
      const { body } = await owner.api<{ flags: { name: string; value: unknown }[] }>('GET', '/admin/flags');
      return body.flags.find(({ name }) => name === 'exports.enabled')!.value === false;
    }, 30_000);

    await open('/admin/people', 'People');
    await tabTo(/^Part of a name/, 'input');
    await page.keyboard.type('ada.admin');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=ada\.admin/);
    // The field keeps the focus, so the way goes on from there.
    expect(await page.evaluate('document.activeElement.name')).toBe('q');
    await tabTo(/^ada\.admin/, 'a');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /ada\.admin/ }).waitFor();

    await open('/admin/audit-log', 'Audit log');
    await tabTo(/^Operation begins with/, 'input');
    await page.keyboard.type('flag.');
    await page.keyboard.press('Enter');
    await page.waitForURL(/operation=flag/);
    expect(await page.evaluate('document.activeElement.name')).toBe('operation');
    await tabTo(/flag\.changed/, 'button');
    await page.keyboard.press('Enter');
    await page.getByText('exports.enabled').first().waitFor();
  }, 180_000);
});
