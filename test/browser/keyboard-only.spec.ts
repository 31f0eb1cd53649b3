import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  addMember,
  addPerson,
  adminEnv,
  liftRateLimit,
  newProject,
  signedIn,
} from '../support/settled-server.js';
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
  // A link that stretches over its row or card is marked there.
  const card = at.closest('.art, .tile, .project-tile');
  const stretched = [getComputedStyle(at, '::after'), card && getComputedStyle(card)].some(
    (look) => look && look.outlineStyle !== 'none',
  );
  // Of a date the browser itself marks the part that is typed into, and in a frame what is in it.
  const own = at.type === 'date' || at.tagName === 'IFRAME';
  const box = at.getBoundingClientRect();
  const x = Math.min(Math.max(box.left + Math.min(box.width / 2, 30), 1), innerWidth - 2);
  const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 12), 1), innerHeight - 2);
  const front = document.elementFromPoint(x, y);
  const labelled = [...(at.labels ?? [])].some((label) => label.contains(front));
  return {
    name: (name ?? '').replace(/\\s+/g, ' ').trim(),
    tag: at.tagName.toLowerCase(),
    seen: stretched || own || style.outlineStyle !== 'none' || style.boxShadow !== 'none',
    inFront: front !== null && (at.contains(front) || front.contains(at) || labelled),
  };
})()`;

interface Focused {
  readonly name: string;
  readonly tag: string;
  readonly seen: boolean;
  /** Neither scrolled away nor under a bar. */
  readonly inFront: boolean;
}

/** Work and administration without a mouse (`platform.md` 19.30); the text of a review has a suite of its own. */
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
      // A page that has just come takes the focus as a whole.
      if (!focused || focused.tag === 'main') continue;
      expect([focused.tag, focused.name, focused.seen]).toEqual([focused.tag, focused.name, true]);
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

  describe('at work in a project', () => {
    let projectId: string;
    let at: string;

    beforeAll(async () => {
      const { status } = await owner.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
      expect(status).toBe(200);
      projectId = await newProject(owner, 'Keys at work');
      at = `/projects/${projectId}`;
      await until(
        async () => (await owner.api('GET', `/projects/${projectId}/artifacts`)).status === 200,
        30_000,
      );
    }, 60_000);

    it('platform 19.30: a document is written, sent to review, revised, compared and archived', async () => {
      await open(`${at}/documents/new`, 'New document');
      await tabTo(/^Title/, 'input');
      await page.keyboard.type('Plan by keys');
      await tabTo(/^Markdown/, 'textarea');
      await page.keyboard.type('## Summary\n\nOne queue for all exports.');
      await tabTo(/^(Create|Save|Add)/, 'button');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Plan by keys', level: 1 }).waitFor();
      await tabTo(/^Send to review/, 'button');
      await page.keyboard.press('Enter');
      await page.getByText('Needs review').first().waitFor();

      await menu(/^More actions/, 'Revise');
      await page.getByRole('heading', { name: 'Revise to version 2', level: 1 }).waitFor();
      await tabTo(/^Markdown/, 'textarea');
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' And one for imports.');
      await tabTo(/^What changed/, 'textarea');
      await page.keyboard.type('Imports too.');
      await tabTo(/^Save new version/, 'button');
      await page.keyboard.press('Enter');
      await page.waitForURL(/review$/);
      await page.getByRole('button', { name: 'Version 2' }).waitFor();

      await menu(/^More actions/, 'Compare versions');
      await page.getByText('And one for imports.').first().waitFor();
      await page.goBack();
      await menu(/^More actions/, 'Archive');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('Done with it.');
      await tabTo(/^Archive document/, 'button');
      await page.keyboard.press('Enter');
      await page.getByText('This document is archived').waitFor();
    }, 180_000);

    it('platform 19.30: a card is added, edited, moved in the list of the Backlog, and found again', async () => {
      await open(`${at}/board`, 'Board');
      await tabTo(/^Add card/, 'a');
      await page.keyboard.press('Enter');
      await page.getByRole('form', { name: 'Add card' }).waitFor();
      await page.keyboard.type('Card by keys');
      await tabTo(/^Column/, 'select');
      await page.keyboard.type('Next');
      await tabTo(/^Add card/, 'button');
      await page.keyboard.press('Enter');
      await page.getByRole('article', { name: /Card by keys/ }).waitFor();
      await open(`${at}/board`, 'Board');
      await page.getByRole('article', { name: /Card by keys/ }).waitFor();
      await tabTo(/Card by keys/, 'article');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Card by keys', level: 2 }).waitFor();
      await tabTo(/^Edit/, 'button');
      await page.keyboard.press('Enter');
      await tabTo(/^Text/, 'textarea');
      await page.keyboard.type('Without a mouse.');
      await tabTo(/^Save/, 'button');
      await page.keyboard.press('Enter');
      await page.getByText('Without a mouse.').waitFor();
      // The form goes, and the focus is back where it came from.
      await page.getByRole('button', { name: 'Edit', exact: true }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Shift+Tab');
      await page.getByRole('combobox', { name: 'Status' }).and(page.locator(':focus')).waitFor();
      // Each letter chooses in a closed select; only what is chosen in the end may move the card.
      await page.keyboard.type('Backlog');
      await until(async () => (await columnOf('Card by keys')) === 'backlog', 30_000);
      expect(await page.getByText('was not moved').count()).toBe(0);

      await open(`${at}/backlog`, 'Backlog');
      await page.getByRole('link', { name: /Card by keys/ }).waitFor();
      await tabTo(/^Select card/, 'input');
      await page.keyboard.press('Space');
      await tabTo(/^Move to (?!$)/, 'button');
      await page.keyboard.press('Enter');
      await until(async () => (await columnOf('Card by keys')) !== 'backlog', 30_000);
    }, 180_000);

    it('platform 19.30: an artifact is opened, its files read, its versions compared, its name changed', async () => {
      const { artifactId } = await artifact();
      await open(`${at}/artifacts`, 'Artifacts');
      await page.getByRole('link', { name: 'Made elsewhere' }).waitFor();
      await tabTo(/^Made elsewhere/, 'a');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(artifactId));
      await page.getByRole('treeitem', { name: 'index.html' }).waitFor();
      await tabTo(/index\.html/, 'div');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.locator('.source__text', { hasText: 'color: teal' }).waitFor();

      await tabTo(/^Playground/, 'a');
      await page.keyboard.press('Enter');
      await page.getByRole('treeitem', { name: 'index.html' }).waitFor();
      await tabTo(/index\.html/, 'textarea');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('<p>More</p>');
      // The editor keeps Tab for the text; Escape lets it out.
      await page.keyboard.press('Escape');
      await tabTo(/^Save version/, 'button');
      await page.keyboard.press('Enter');
      await until(async () => (await versionOf(artifactId)) === 2, 30_000);

      await open(`${at}/artifacts/${artifactId}`, 'Made elsewhere');
      await tabTo(/^Compare/, 'a');
      await page.keyboard.press('Enter');
      await page.getByText('1 changed, 0 added, 0 removed, 1 same').waitFor();

      await open(`${at}/artifacts/${artifactId}`, 'Made elsewhere');
      await menu(/^More actions/, 'Rename and describe');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type('Named by keys');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Named by keys', level: 1 }).waitFor();
    }, 180_000);

    it('platform 19.30: every stop of Tab has a name, is seen, and stands in front, from the first to the last', async () => {
      const { artifactId } = await artifact();
      const { body } = await owner.api<{ id: string }>('POST', `/projects/${projectId}/documents`, {
        title: 'Stops',
        markdown: `${'## Part\n\nWords of a plan.\n\n'.repeat(12)}- [ ] open`,
      });
      for (const path of [
        '/documents',
        `/documents/${body.id}/review`,
        '/board',
        '/board?view=list',
        '/artifacts',
        `/artifacts/${artifactId}`,
        '/connect',
        '/settings/board',
      ]) {
        await page.goto(server.origin + at + path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.locator('.skeletons').first().waitFor({ state: 'detached' });
        const faults: string[] = [];
        let stops = 0;
        for (let outside = 0; stops < MOST_STOPS && outside < 1; ) {
          await page.keyboard.press('Tab');
          const focused = await page.evaluate<Focused | null>(FOCUSED);
          if (!focused) {
            outside += 1;
            continue;
          }
          stops += 1;
          const { name, tag, seen, inFront } = focused;
          if (name === '' || !seen || !inFront) faults.push(`${path}: ${tag} “${name}” ${seen} ${inFront}`);
        }
        expect(faults).toEqual([]);
        expect([stops > 10, stops < MOST_STOPS]).toEqual([true, true]);
      }
    }, 240_000);

    /** Opens a menu and chooses, by keys. */
    async function menu(trigger: RegExp, item: string): Promise<void> {
      await tabTo(trigger, 'button');
      await page.keyboard.press('Enter');
      const wanted = page.getByRole('menuitem', { name: item });
      await wanted.waitFor();
      await until(async () => {
        if (await wanted.evaluate((element) => element.matches(':focus'))) return true;
        await page.keyboard.press('ArrowDown');
        return false;
      }, 30_000);
      await page.keyboard.press('Enter');
    }

    async function artifact(): Promise<{ artifactId: string }> {
      const { body } = await owner.api<{ artifactId: string }>('POST', `/projects/${projectId}/artifacts`, {
        type: 'import',
        name: 'Made elsewhere',
        files: {
          'index.html': '<!doctype html><html lang="en"><title>Page</title><h1>Page</h1></html>\n',
          'styles.css': 'body { color: teal; }\n',
        },
      });
      return body;
    }

    async function versionOf(artifactId: string): Promise<number> {
      const { body } = await owner.api<{ latestVersion: number }>(
        'GET',
        `/projects/${projectId}/artifacts/${artifactId}`,
      );
      return body.latestVersion;
    }

    async function columnOf(title: string): Promise<string | undefined> {
      const { body } = await owner.api<{ rows: { title: string; status: string }[] }>(
        'GET',
        `/projects/${projectId}/board/list`,
      );
      return body.rows.find((card) => card.title === title)?.status ?? 'backlog';
    }
  });
});
