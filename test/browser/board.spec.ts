import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, addMember, addPerson, adminEnv, liftRateLimit, signedIn } from '../support/settled-server.js';
import { pause, until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const axe = readFileSync(`${applicationRoot}/node_modules/axe-core/axe.min.js`, 'utf8');

interface Made {
  readonly projectId: string;
  readonly url: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly add: (
    title: string,
    column?: string,
    more?: object,
  ) => Promise<{ cardId: string; number: number }>;
  readonly api: <T>(method: string, path: string, body?: unknown) => Promise<{ status: number; body: T }>;
}

/** People at the board of the built server: with the mouse, with the keyboard alone, two at once. */
describeInBrowser('the board in the browser', () => {
  let server: LoupeServer;
  let browser: Browser;
  let ada: Visitor;
  let context: BrowserContext;

  beforeAll(async () => {
    [server, browser] = await Promise.all([LoupeServer.start({ env: adminEnv }), openBrowser()]);
    ada = await signedIn(server.origin);
    await liftRateLimit(ada);
    context = await enter(ADMIN.email);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A browser of its own in which this person is signed in. */
  async function enter(email: string, options: { width?: number; touch?: boolean } = {}) {
    const made = await browser.newContext({
      viewport: { width: options.width ?? 1440, height: 900 },
      hasTouch: options.touch ?? false,
      bypassCSP: true,
    });
    const page = await made.newPage();
    await page.goto(`${server.origin}/login`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
    await page.close();
    return made;
  }

  async function board(templateKey: 'simple' | 'lifecycle' = 'simple'): Promise<Made> {
    const { body } = await ada.api<{ id: string }>('POST', '/projects', { name: 'Ferry', templateKey });
    const base = `/projects/${body.id}/board`;
    const api: Made['api'] = (method, path, sent) => ada.api(method, base + path, sent);
    const list = await api<{ columns: { columnId: string; slug: string }[] }>('GET', '/columns');
    const columns = Object.fromEntries(list.body.columns.map(({ slug, columnId }) => [slug, columnId]));
    return {
      projectId: body.id,
      url: `${server.origin}${base}`,
      columns,
      api,
      add: async (title, column = 'next', more = {}) => {
        const { status, body: made } = await api<{ card: { cardId: string; number: number } }>(
          'POST',
          '/cards',
          {
            title,
            columnId: columns[column],
            ...more,
          },
        );
        if (status !== 201) throw new Error(`No card: ${status} ${JSON.stringify(made)}`);
        return made.card;
      },
    };
  }

  async function open(url: string, within = context): Promise<Page> {
    const page = await within.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'Board', level: 1 }).waitFor();
    return page;
  }

  const column = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true });
  const tile = (page: Page, number: number) => page.locator(`article[data-number="${number}"]`);
  const numbersIn = (page: Page, label: string) =>
    column(page, label)
      .getByRole('article')
      .evaluateAll((tiles) =>
        tiles.map((each) => Number((each as unknown as { dataset: { number: string } }).dataset.number)),
      );
  const shows = (page: Page, label: string, numbers: number[]) =>
    until(async () => JSON.stringify(await numbersIn(page, label)) === JSON.stringify(numbers));
  const focused = (page: Page) =>
    page.evaluate(() => {
      const here = globalThis as unknown as { document: { activeElement: { dataset: { number?: string } } } };
      return Number(here.document.activeElement.dataset.number);
    });

  async function drag(page: Page, from: number, to: { x: number; y: number }) {
    const box = (await tile(page, from).boundingBox())!;
    await page.mouse.move(box.x + 60, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 70, box.y + 40, { steps: 3 });
    await page.mouse.move(to.x, to.y, { steps: 8 });
    await page.locator('.drop-gap').waitFor();
    await page.mouse.up();
  }

  it('the button of a state narrows the list too, and rows name the epic; a decision in a text is prose', async () => {
    const { url, add, projectId } = await board('lifecycle');
    const documents = `/projects/${projectId}/documents`;
    const { body: plan } = await ada.api<{ id: string }>('POST', documents, {
      title: 'The plan',
      markdown: 'Words.',
      draft: false,
    });
    const epic = await add('Night ferries', 'backlog', { type: 'epic' });
    const body = '<!-- decision: where -->\n\nWhich pier?\n\n- ( ) North\n- ( ) South\n\n<!-- /decision -->';
    const waits = await add('Waits for a reader', 'implementation', { documentIds: [plan.id], body });
    const child = await add('Lights on deck', 'implementation', { parentCardId: epic.cardId });
    await add('Later', 'backlog', { parentCardId: epic.cardId });
    const page = await open(`${url}?view=list&page=2`);
    await page.getByRole('button', { name: '1 needs you' }).click();
    const rows = page.getByRole('table', { name: 'Open cards' }).locator('tbody tr');
    await until(async () => (await rows.count()) === 1);
    expect(await rows.first().textContent()).toContain(`#${waits.number}`);
    expect(new URL(page.url()).searchParams.get('page')).toBeNull();
    await page.getByRole('button', { name: '1 needs you' }).click();
    const second = rows.filter({ hasText: `#${child.number} ` });
    await second.getByText(`#${epic.number} Night ferries`).waitFor();

    await page.getByRole('link', { name: 'Waits for a reader' }).click();
    const text = page.locator('.card-text');
    await text.getByText('Which pier?').waitFor();
    expect(await text.getByRole('listitem').allTextContents()).toEqual(['North', 'South']);
    expect(await text.locator('input, fieldset').count()).toBe(0);

    await page.goto(`${url}/backlog`);
    await page.locator('tr', { hasText: 'Later' }).getByText(`#${epic.number} Night ferries`).waitFor();
    await page.close();
  });

  it('board 17: what is dragged in one browser shows in another, in the same place, and Undo takes it back', async () => {
    const { url, add } = await board();
    const [a, b] = [await add('A'), await add('B')];
    const [c, d] = [await add('C', 'in-progress'), await add('D', 'in-progress')];
    const [one, two] = [await open(url), await open(url, await enter(ADMIN.email))];
    const seen = watch(one, server.origin);
    await shows(two, 'In progress', [c.number, d.number]);

    const below = (await tile(one, d.number).boundingBox())!;
    await drag(one, a.number, { x: below.x + 60, y: below.y + 8 });
    await shows(one, 'In progress', [c.number, a.number, d.number]);
    await shows(two, 'In progress', [c.number, a.number, d.number]);
    await shows(two, 'Next', [b.number]);

    await one.getByRole('button', { name: 'Undo' }).click();
    await shows(one, 'Next', [a.number, b.number]);
    await shows(two, 'Next', [a.number, b.number]);

    const made = await add('New', 'next');
    await shows(two, 'Next', [a.number, b.number, made.number]);
    expect(seen.errors).toEqual([]);
    expect(seen.foreign).toEqual([]);
  });

  it('board 17: a page that was offline catches up with what it missed', async () => {
    const { url, add, api, columns } = await board();
    const [a, b, c] = [await add('A'), await add('B'), await add('C')];
    const away = await enter(ADMIN.email);
    const page = await open(url, away);
    await shows(page, 'Next', [a.number, b.number, c.number]);
    await away.setOffline(true);
    await api('POST', `/cards/${a.cardId}/move`, { columnId: columns.done });
    await api('DELETE', `/cards/${b.cardId}`, { confirm: b.number });
    const d = await add('D');
    await away.setOffline(false);
    await shows(page, 'Next', [c.number, d.number]);
    await shows(page, 'Done', [a.number]);
  }, 40_000);

  it('a page says at once that the network is gone; one whose code did not arrive comes by itself', async () => {
    const { url } = await board();
    const away = await enter(ADMIN.email);
    const page = await open(url, away);
    page.setDefaultTimeout(30_000);
    await away.setOffline(true);
    await page.getByText('Loupe does not answer.').waitFor();
    await page.getByRole('link', { name: 'Project settings' }).click();
    await page.getByRole('heading', { name: 'This page did not arrive' }).waitFor();
    await away.setOffline(false);
    await page.getByRole('heading', { name: 'Project settings', level: 1 }).waitFor();
    await away.close();
  }, 90_000);

  it('board 26: with the keyboard alone a tile is found, moved, heard and read', async () => {
    const { url, add } = await board();
    const [a, b] = [await add('A'), await add('B')];
    const c = await add('C', 'in-progress');
    const page = await open(url);
    await tile(page, a.number).focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(b.number);
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe(c.number);
    await page.keyboard.press('ArrowLeft');
    await tile(page, b.number).focus();

    await page.keyboard.press('m');
    await page.getByRole('menu', { name: `Move card ${b.number} to` }).waitFor();
    const hasFocus = (name: string) =>
      page.getByRole('menuitem', { name }).evaluate((item) => item.matches(':focus'));
    await until(async () => {
      await page.keyboard.press('ArrowDown');
      // The menu gives the focus on a moment later.
      await pause(50);
      return hasFocus('In progress');
    });
    await page.keyboard.press('Enter');
    await until(() => hasFocus('End'));
    await page.keyboard.press('ArrowDown');
    await until(() => hasFocus('Top'));
    await page.keyboard.press('Enter');
    await shows(page, 'In progress', [b.number, c.number]);
    await page.getByText(`Card ${b.number} moved to In progress, place 1`).waitFor({ state: 'attached' });
    await until(async () => (await focused(page)) === b.number);

    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'B' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'B' }).waitFor({ state: 'detached' });
    await until(async () => (await focused(page)) === b.number);

    await page.keyboard.press('z');
    await shows(page, 'Next', [a.number, b.number]);
  });

  it('board 13: a refused move puts the card back and says why, at once and loudly', async () => {
    const { url, add } = await board();
    const epic = await add('Epic', 'next', { type: 'epic', laneEnabled: false });
    const child = await add('Child', 'in-progress', { parentCardId: epic.cardId });
    const page = await open(url);
    await tile(page, epic.number).focus();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Done' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain(String(child.number));
    await shows(page, 'Next', [epic.number]);
    await shows(page, 'Done', []);
  });

  it('board 15: a drop that the workflow does not list asks first; only the confirmed one moves', async () => {
    const { url, add, api } = await board('lifecycle');
    const a = await add('A', 'next');
    const page = await open(url);
    const ask = async () => {
      await tile(page, a.number).focus();
      await page.keyboard.press('m');
      await page.getByRole('menuitem', { name: 'Implementation' }).click();
      await page.getByRole('menuitem', { name: 'End' }).click();
      return page.getByRole('dialog', { name: 'Make it unmanaged and move it?' });
    };
    const dialog = await ask();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await shows(page, 'Next', [a.number]);
    await (await ask()).getByRole('button', { name: 'Make unmanaged and move' }).click();
    await shows(page, 'Implementation', [a.number]);
    await tile(page, a.number).getByText('Unmanaged').waitFor();
    const { body } = await api<{ hold: object | null; status: string }>('GET', `/cards/${a.cardId}`);
    expect(body).toMatchObject({ status: 'implementation', hold: expect.anything() });
  });

  it('a move of a card that somebody else moved first is refused, and shows where it is', async () => {
    const { url, add, api, columns } = await board();
    const a = await add('A');
    const page = await open(url);
    await tile(page, a.number).waitFor();
    // The page hears nothing of it, as if the news were still on its way.
    await page.route('**/board/tiles?ids=*', (route) => route.abort());
    await api('POST', `/cards/${a.cardId}/move`, { columnId: columns.done });
    await tile(page, a.number).focus();
    await page.keyboard.press('m');
    await page.getByRole('menuitem', { name: 'Backlog' }).click();
    await page.getByRole('alert').waitFor();
    await shows(page, 'Done', [a.number]);
  });

  it('board 31: an edit over a change of somebody else asks first; Save anyway keeps the typed text', async () => {
    const { url, add, api } = await board();
    const a = await add('A', 'next', { body: 'before' });
    const page = await open(`${url}?card=${a.number}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('typed by me');
    const changed = await api('PATCH', `/cards/${a.cardId}`, { body: 'by another', contentVersion: 1 });
    expect(changed.status).toBe(200);
    await page.getByText('This card changed since you opened it.').waitFor();
    expect(await text.inputValue()).toBe('typed by me');
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByRole('tabpanel').getByText('typed by me').waitFor();
    expect((await api<{ body: string }>('GET', `/cards/${a.cardId}`)).body.body).toBe('typed by me');
  });

  it('board 32: what is selected in the Backlog moves together, or not at all', async () => {
    const { url, add } = await board();
    const [a, b] = [await add('A', 'backlog'), await add('B', 'backlog')];
    const epic = await add('Epic', 'backlog', { type: 'epic', laneEnabled: false });
    await add('Child', 'next', { parentCardId: epic.cardId });
    const page = await context.newPage();
    await page.goto(`${url}/backlog`);
    for (const each of [a, b, epic]) await page.getByLabel(`Select card ${each.number}`).check();
    const bar = page.getByRole('region', { name: 'Selected cards' });
    await bar.getByRole('button', { name: 'Move to', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Done' }).click();
    await page.getByRole('alert').getByText('No card was moved.').waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    await page.getByLabel(`Select card ${epic.number}`).uncheck();
    await bar.getByRole('button', { name: 'Move to Next' }).click();
    await until(async () => (await page.getByRole('row').count()) === 2);
    const shown = await open(url);
    await until(async () => (await numbersIn(shown, 'Next')).length === 3);
    expect((await numbersIn(shown, 'Next')).slice(1)).toEqual([a.number, b.number]);
  });

  it('lifts a tile by a long press of a finger, and lets a swipe scroll', async () => {
    const { url, add } = await board();
    const [a, b] = [await add('A'), await add('B', 'in-progress')];
    const phone = await enter(ADMIN.email, { width: 800, touch: true });
    const page = await open(url, phone);
    const touch = await phone.newCDPSession(page);
    const send = (type: string, x?: number, y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchStart',
        touchPoints: x === undefined ? [] : [{ x, y: y! }],
      });
    const from = (await tile(page, a.number).boundingBox())!;
    const to = (await tile(page, b.number).boundingBox())!;
    await send('touchStart', from.x + 40, from.y + 30);
    await send('touchMove', from.x + 80, from.y + 30);
    await send('touchEnd');
    await new Promise((done) => setTimeout(done, 400));
    await shows(page, 'Next', [a.number]);

    await send('touchStart', from.x + 40, from.y + 30);
    await page.locator('.tile-ghost').waitFor();
    for (let step = 1; step <= 6; step += 1) {
      await send('touchMove', from.x + 40 + ((to.x - from.x) * step) / 6, to.y + 6);
    }
    await page.locator('.drop-gap').waitFor();
    await send('touchEnd');
    await shows(page, 'In progress', [a.number, b.number]);
    expect(page.url()).not.toContain('card=');
  });

  it('board 33: a viewer reads the board and a card and finds no control', async () => {
    const { projectId, url, add } = await board();
    const a = await add('A', 'next', { body: 'text' });
    const viewer = await addPerson(server, 'vera@mail.example', 'Vera');
    await addMember(server, projectId, viewer, 'viewer');
    const page = await open(`${url}?card=${a.number}`, await enter('vera@mail.example'));
    await page.getByRole('tab', { name: 'Overview' }).waitFor();
    for (const name of [/^Add card/, 'Edit', 'Make unmanaged', /^Board settings/]) {
      expect(await page.getByRole('button', { name }).or(page.getByRole('link', { name })).count()).toBe(0);
    }
    await page.keyboard.press('Escape');
    await tile(page, a.number).focus();
    await page.keyboard.press('m');
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  it('columns are added, renamed, ordered and deleted with the cards led elsewhere', async () => {
    const { projectId, url, add } = await board();
    await add('A', 'in-progress');
    const page = await context.newPage();
    await page.goto(`${server.origin}/projects/${projectId}/settings/board`);
    await page.getByRole('button', { name: 'Add a column' }).click();
    await page.getByLabel('Name').fill('Next');
    await page.getByText('has this short name already').waitFor();
    await page.getByLabel('Name').fill('In review');
    await page.getByText('Agents call it in-review').waitFor();
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByRole('button', { name: 'Move In review up' }).click();
    const labels = () =>
      page
        .getByRole('list')
        .getByRole('listitem')
        .locator('b')
        .evaluateAll((all) => all.map((each) => (each as unknown as { textContent: string }).textContent));
    await until(async () => (await labels()).join() === 'Next,In progress,In review,Done');
    expect(await page.getByRole('button', { name: 'Delete Done' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete In progress' }).click();
    await page.getByLabel('Move its cards to').selectOption({ label: 'In review' });
    await page.getByRole('button', { name: 'Delete column' }).click();
    await until(async () => (await labels()).join() === 'Next,In review,Done');
    const shown = await open(url);
    await until(async () => (await numbersIn(shown, 'In review')).length === 1);
  });

  it('shows no card twice and misses none while others move many', async () => {
    const { url, add, api, columns } = await board();
    const cards: { cardId: string }[] = [];
    for (let at = 0; at < 12; at += 1) cards.push(await add(`C${at}`, at % 2 ? 'next' : 'in-progress'));
    const page = await open(url);
    await until(async () => (await page.getByRole('article').count()) === 12);
    let twice = 0;
    let running = true;
    const watching = (async () => {
      while (running) {
        const shown = await page
          .getByRole('article')
          .evaluateAll((tiles) =>
            tiles.map((each) => (each as unknown as { dataset: { number: string } }).dataset.number),
          );
        twice += shown.length - new Set(shown).size;
        await pause(30);
      }
    })();
    const places = [columns.next, columns['in-progress'], columns.done];
    for (let turn = 0; turn < 40; turn += 1) {
      await Promise.all(
        [3, 5, 7].map((step) =>
          api('POST', `/cards/${cards[(turn * step) % 12]!.cardId}/move`, {
            columnId: places[(turn + step) % 3],
            position: (turn * step) % 6,
          }),
        ),
      );
      if (turn === 20) {
        await page.getByRole('article').first().focus();
        await page.keyboard.press('m');
        await page
          .getByRole('menuitem', { name: 'Done' })
          .click({ timeout: 2_000 })
          .catch(() => undefined);
        await page.keyboard.press('Escape');
      }
    }
    const { body } = await api<{ tiles: { number: number; columnId: string }[] }>('GET', '?lanes=off');
    const there = (slug: string) =>
      body.tiles.filter(({ columnId }) => columnId === columns[slug]).map(({ number }) => number);
    await shows(page, 'Next', there('next'));
    await shows(page, 'In progress', there('in-progress'));
    await shows(page, 'Done', there('done'));
    running = false;
    await watching;
    expect(twice).toBe(0);
    expect(body.tiles).toHaveLength(12);
  }, 60_000);

  it('board 26: no page has a fault that axe finds, or is wider than the window', async () => {
    const { projectId, url, add, columns } = await board('lifecycle');
    const epic = await add('Epic', 'next', { type: 'epic' });
    const a = await add('A', 'next', { body: '# Head\n\n- one\n- two', parentCardId: epic.cardId });
    await add('B', 'backlog');
    const found: string[] = [];
    for (const width of [1440, 320]) {
      const looking = await enter(ADMIN.email, { width });
      for (const path of [
        url,
        `${url}?view=list`,
        `${url}?card=${a.number}`,
        `${url}?card=${epic.number}`,
        `${url}/cards/new`,
        `${url}/cards/${a.cardId}`,
        `${url}/backlog`,
        `${url}/terminal/${columns.done}`,
        `${server.origin}/projects/${projectId}/settings/board`,
      ]) {
        const page = await looking.newPage();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          if (colorScheme === 'light') await page.goto(path);
          await page.locator('h1, .drawer__title').first().waitFor({ state: 'attached' });
          await until(async () => (await page.getByText('Loading').count()) === 0);
          // Colours change over a moment; what is between two of them is neither.
          await pause(300);
          await page.addScriptTag({ content: axe });
          found.push(
            ...(await page.evaluate(
              async (where) => {
                const here = globalThis as unknown as {
                  axe: {
                    run(): Promise<{
                      violations: { impact: string; id: string; nodes: { html: string }[] }[];
                    }>;
                  };
                  document: { documentElement: { scrollWidth: number } };
                  innerWidth: number;
                };
                const { violations } = await here.axe.run();
                const wide = here.document.documentElement.scrollWidth > here.innerWidth;
                return [
                  ...violations.map(({ impact, id, nodes }) => `${where}: ${impact} ${id} ${nodes[0]?.html}`),
                  ...(wide ? [`${where}: wider than the window`] : []),
                ];
              },
              `${path.slice(server.origin.length)} ${width} ${colorScheme}`,
            )),
          );
        }
        await page.close();
      }
      await looking.close();
    }
    expect(found).toEqual([]);
  }, 120_000);
});
