import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ClientSite } from '../support/agent.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import type { Json } from '../support/loupe-app.js';
import { LoupeServer } from '../support/loupe-server.js';
import { AppSignIn, adminEnv, callTool, newProject, signedIn } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

// Names of the browser, where the functions given to `evaluate` run.
declare const document: Json;
declare const Image: Json;
declare const window: Json;

const HOSTILE = '</text></svg><script>window.hit=1</script><img src=x onerror="window.hit=1">';

/** Pictures of charts as a browser shows them. */
describeInBrowser('the picture of a chart', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let ada: Visitor;
  let projectId: string;
  let token: string;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    ada = await signedIn(server.origin);
    await ada.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
    projectId = await newProject(ada, 'Ferry');
    ({ access_token: token } = await AppSignIn.complete(ada, projectId));
    browser = await openBrowser();
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await site?.stop();
  });

  beforeEach(async () => {
    context = await browser.newContext();
    await context.addCookies(ada.cookiesFor(server.origin));
    page = await context.newPage();
  });
  afterEach(() => context.close());

  async function picture(type: string, payload: object, title = 'A chart'): Promise<string> {
    const { body } = await callTool(
      server.origin,
      token,
      'artifact_typed_create',
      { type, payload, title, description: title },
      { 'loupe-session-id': 'pictures' },
    );
    const { id } = body.result!.structuredContent as { id: number };
    return `${server.origin}/api/projects/${projectId}/charts/${id}.svg`;
  }

  const series = (name: string) => ({
    series: [
      {
        name,
        points: [
          { x: 'Mon', y: 1 },
          { x: 'Tue', y: 3 },
        ],
      },
    ],
    y: { label: 'Latency', unit: 'ms' },
  });

  it('artifacts 15.54: shows hostile text as text and runs nothing, also opened by itself', async () => {
    const address = await picture('bar_chart', series(HOSTILE), HOSTILE);
    const { errors, foreign } = watch(page, server.origin);
    await page.goto(address);
    const seen = await page.evaluate(() => ({
      root: document.documentElement.tagName,
      hit: window.hit ?? null,
      scripts: document.querySelectorAll('script, img, foreignObject, a').length,
      title: document.querySelector('title').textContent,
      texts: [...document.querySelectorAll('text')].map((text: Json) => text.textContent),
    }));
    expect(seen).toMatchObject({ root: 'svg', hit: null, scripts: 0, title: HOSTILE });
    expect(seen.texts.some((text: string) => text.startsWith('</text></svg><script>'))).toBe(true);
    expect(seen.texts).toEqual(expect.arrayContaining(['Mon', 'Tue', 'Latency (ms)']));
    expect([errors, foreign]).toEqual([[], []]);
  });

  it('artifacts 11: follows the colours that the reader prefers, or those it is told', async () => {
    const address = await picture('bar_chart', series('EU'));
    const fill = async (query: string, colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${address}${query}`);
      return page.evaluate(() => window.getComputedStyle(document.querySelector('rect.lc-f0')).fill);
    };
    const [light, dark] = [await fill('', 'light'), await fill('', 'dark')];
    expect(light).not.toBe(dark);
    expect(await fill('?theme=light', 'dark')).toBe(light);
    expect(await fill('?theme=dark', 'light')).toBe(dark);
  });

  it('artifacts 11: is an image with a name and a description for whoever does not see it', async () => {
    await page.goto(await picture('bar_chart', series('EU'), 'Latency by day'));
    const named = await page.evaluate(() => {
      const root = document.documentElement;
      const said = root.getAttribute('aria-labelledby').split(' ');
      return [
        root.getAttribute('role'),
        ...said.map((id: string) => document.getElementById(id).textContent),
      ];
    });
    expect(named).toEqual(['img', 'Latency by day', 'Latency by day']);
  });

  it('keeps every text inside the picture and clear of its neighbours, in every size', async () => {
    const names = [
      'Search and discovery',
      'Payments',
      'Data engineering',
      'Platform',
      'Mobile',
      'Growth',
      'Security',
      'Design systems',
    ];
    const payloads: [string, object][] = [
      [
        'bar_chart',
        {
          series: [{ name: 'Builds', points: names.map((x, y) => ({ x, y: y * 1234.5 })) }],
          y: { unit: '$' },
        },
      ],
      [
        'bar_chart',
        {
          series: [{ name: 'Builds', points: names.map((x, y) => ({ x, y: y * 12 - 30 })) }],
          orientation: 'horizontal',
        },
      ],
      [
        'line_chart',
        {
          series: names.map((name, n) => ({
            name,
            points: Array.from({ length: 90 }, (_, day) => ({
              x: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
              y: day * n,
            })),
          })),
          x: { type: 'time', label: 'Day' },
          y: { label: 'Open', unit: 'cards' },
          note: 'Counted at midnight.',
        },
      ],
      [
        'pie_chart',
        { slices: names.map((label, n) => ({ label, value: n + 1 })), unit: 'tokens', donut: true },
      ],
      [
        'table',
        {
          columns: [
            { key: 'a', label: 'Team' },
            { key: 'b', label: 'Builds', type: 'number' },
          ],
          rows: names.map((a, b) => ({ a, b: b * 1e6 })),
        },
      ],
      [
        'stat',
        {
          items: names
            .slice(0, 4)
            .map((label, n) => ({ label, value: n * 12345.6, unit: 'ms', delta: n, direction: 'up' })),
        },
      ],
    ];
    for (const [type, payload] of payloads) {
      const address = await picture(type, payload);
      for (const size of ['page', 'card', 'narrow']) {
        await page.goto(`${address}?size=${size}&theme=light`);
        const found = await page.evaluate(() => {
          const frame = document.documentElement.getBoundingClientRect();
          const boxes = [...document.querySelectorAll('text')]
            .filter((text: Json) => text.textContent.trim() !== '')
            // The box of a slanted text is larger than what it covers.
            .map((text: Json) => ({
              text: text.textContent,
              slanted: text.hasAttribute('transform'),
              box: text.getBoundingClientRect(),
            }));
          const outside = boxes.filter(
            ({ box }: Json) =>
              box.left < frame.left - 1 ||
              box.right > frame.right + 1 ||
              box.bottom > frame.bottom + 1 ||
              box.top < frame.top - 1,
          );
          const level = boxes.filter(({ slanted }: Json) => !slanted);
          const touching = level.filter(({ box: a }: Json, index: number) =>
            level
              .slice(index + 1)
              .some(
                ({ box: b }: Json) =>
                  a.left < b.right - 1 &&
                  a.right > b.left + 1 &&
                  a.top < b.bottom - 4 &&
                  a.bottom > b.top + 4,
              ),
          );
          return [...outside, ...touching].map(({ text }: Json) => text);
        });
        expect({ type, size, found }).toEqual({ type, size, found: [] });
      }
    }
  });

  it('loads as an image of a page', async () => {
    const address = await picture('stat', { items: [{ label: 'Cards', value: 3 }] });
    await page.goto(`${server.origin}/projects`);
    const [width, height] = await page.evaluate(
      (src: string) =>
        new Promise((resolve, reject) => {
          const image = new Image();
          image.onload = () => resolve([image.naturalWidth, image.naturalHeight]);
          image.onerror = () => reject(new Error('The picture did not load.'));
          image.src = src;
        }) as Promise<[number, number]>,
      `${address}?size=card`,
    );
    expect([width, height]).toEqual([448, 272]);
  });
});
