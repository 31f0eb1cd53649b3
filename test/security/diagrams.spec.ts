import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { describeInBrowser, openBrowser, watch } from '../support/browser.js';
import { type Json, LoupeApp } from '../support/loupe-app.js';

// Names of the browser, where the functions given to `evaluate` run; the types of the DOM stay out of the server.
declare const window: Json;
declare const document: Json;
declare const self: Json;

interface Answer {
  readonly type: 'drawn' | 'failed';
  readonly id: string;
  readonly reason?: string;
  readonly width?: number;
  readonly height?: number;
}

const FLOW = 'flowchart LR\n  A[Plan] --> B{Good?}\n  B -->|yes| C[Approve]\n  B -->|no| A';

const GOOD: Readonly<Record<string, string>> = {
  flowchart: FLOW,
  'sequence diagram': 'sequenceDiagram\n  Agent->>Loupe: document_create\n  Loupe-->>Agent: review address',
  'state diagram': 'stateDiagram-v2\n  [*] --> draft\n  draft --> review\n  review --> [*]',
  'class diagram': 'classDiagram\n  Document "1" --> "*" Version\n  Document : title',
  'entity diagram': 'erDiagram\n  DOCUMENT ||--o{ VERSION : has',
  'words of other scripts': 'flowchart TD\n  A["مرحبا"] --> B["漢字 👩‍👩‍👧‍👦"]',
};

const HOSTILE: Readonly<Record<string, string>> = {
  'a script in a label': 'flowchart LR\n  A["<script>top.hit=1;hit=1</script>x"] --> B',
  'an image with a handler': 'flowchart LR\n  A["<img src=x onerror=\'hit=1;parent.postMessage(1)\'>"] --> B',
  'a remote image in a label': 'flowchart LR\n  A["<img src=\'https://evil.example/a.png\'>"] --> B',
  'an image shape': 'flowchart LR\n  A@{ img: "https://evil.example/a.png", label: "x", w: 60, h: 60 } --> B',
  'a click with javascript': 'flowchart LR\n  A --> B\n  click A "javascript:hit=1"',
  'a click with an address': 'flowchart LR\n  A --> B\n  click A "https://evil.example/" _top',
  'a click with a callback': 'flowchart LR\n  A --> B\n  click A call hit()',
  'a directive that lowers the guard':
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src=x onerror=hit=1>"] --> B\n  click A "javascript:hit=1"',
  'front matter that lowers the guard':
    '---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n---\nflowchart LR\n  A["<iframe srcdoc=\'<script>hit=1</script>\'></iframe>"] --> B',
  'style sheets that load':
    '%%{init: {"themeCSS": "@import url(https://evil.example/a.css); * { background: url(https://evil.example/b.png) }"}}%%\nflowchart LR\n  A --> B\n  style A fill:url(https://evil.example/c.png)',
  'a font from elsewhere':
    '%%{init: {"fontFamily": "x; } @font-face { src: url(https://evil.example/f.woff)"}}%%\nflowchart LR\n  A --> B',
  'a link in a sequence':
    'sequenceDiagram\n  participant A\n  link A: Here @ https://evil.example/\n  A->>A: x',
  'a class with a link': 'classDiagram\n  class A\n  link A "https://evil.example/" "tip" _top',
  'a gantt with a link':
    'gantt\n  dateFormat YYYY-MM-DD\n  section S\n  Task :t1, 2026-01-01, 3d\n  click t1 href "https://evil.example/"',
  'an svg in a note':
    'sequenceDiagram\n  participant A\n  Note over A: <svg onload=hit=1><use href="https://evil.example/a.svg#x"/></svg>',
};

describeInBrowser('the frame that draws diagrams', () => {
  let app: LoupeApp;
  let browser: Browser;
  let page: Page;
  let seen: ReturnType<typeof watch>;
  /** Requests that the policy of the frame stopped before they left. */
  let blocked: string[];

  beforeAll(async () => {
    if (!existsSync(join(applicationRoot, 'dist/web/assets/diagram-frame.js')))
      throw new Error('Run `npm run build:web` first.');
    [app, browser] = await Promise.all([LoupeApp.start(), openBrowser()]);
    await switchDiagrams(true);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage();
    seen = watch(page, app.url);
    blocked = [];
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') blocked.push(request.url());
    });
    // A page with the policy of the product stands in for the review page.
    await page.goto(`${app.url}/install`);
    await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.sandbox.add('allow-scripts');
      frame.src = '/diagram-frame';
      const ready = new Promise((resolve) => {
        window.addEventListener('message', ({ source, data }: Json) => {
          if (source === frame.contentWindow && data.type === 'ready') resolve(data);
        });
      });
      document.body.append(frame);
      await ready;
    });
  });
  afterEach(() => page.close());

  async function switchDiagrams(value: boolean): Promise<void> {
    const admin = await app.person();
    await app.get(SetFlag).execute({ ...admin, isAdmin: true }, { name: 'review.diagrams.enabled', value });
  }

  const draw = (source: string, theme: 'light' | 'dark' = 'light'): Promise<Answer> =>
    page.evaluate(
      (request) =>
        new Promise<Answer>((resolve, reject) => {
          const frame = document.querySelector('iframe');
          window.addEventListener('message', ({ source: from, data }: Json) => {
            if (from === frame.contentWindow && data.id === request.id) resolve(data);
          });
          setTimeout(() => reject(new Error('No answer within 20 seconds.')), 20_000);
          frame.contentWindow.postMessage({ type: 'draw', ...request }, '*');
        }),
      { id: `d-${Math.random()}`, source, theme },
    );
  const inside = () => page.frames()[1]!;

  test('has its own policy, and no origin however it is opened', async () => {
    const answer = await fetch(`${app.url}/diagram-frame`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    );
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await inside().evaluate(() => [self.origin, typeof window.indexedDB])).toEqual([
      'null',
      expect.any(String),
    ]);
    await page.goto(`${app.url}/diagram-frame`);
    expect(await page.evaluate(() => self.origin)).toBe('null');
  });

  test.each(Object.entries(GOOD))('draws a %s in both themes', async (_, source) => {
    for (const theme of ['light', 'dark'] as const) {
      const answer = await draw(source, theme);
      expect(answer).toMatchObject({ type: 'drawn' });
      expect(answer.width).toBeGreaterThan(20);
      expect(answer.height).toBeGreaterThan(20);
    }
    expect(seen).toEqual({ errors: [], foreign: [] });
  });

  test('says in one line why something cannot be drawn, and draws the next', async () => {
    expect(await draw('flowchart LR\n  A -->')).toMatchObject({
      type: 'failed',
      reason: expect.stringMatching(/^The diagram could not be drawn: [^\n]+\.$/),
    });
    expect(await draw('no diagram at all')).toMatchObject({ type: 'failed' });
    expect(await draw('x'.repeat(20_001))).toMatchObject({
      type: 'failed',
      reason: 'The diagram has more than 20000 characters.',
    });
    expect(await draw(FLOW)).toMatchObject({ type: 'drawn' });
    expect(seen.foreign).toEqual([]);
  });

  test.each(Object.entries(HOSTILE))(
    'documents 15.43: runs, loads and links nothing of %s',
    async (_, source) => {
      await draw(source);
      await page.waitForTimeout(100);
      expect(
        await inside().evaluate(() => ({
          hit: 'hit' in window,
          active: document.querySelectorAll('body a, body script, foreignObject, iframe, image, img').length,
          handlers: [...document.querySelectorAll('body *')].filter((element: Json) =>
            [...element.attributes].some(({ name }: Json) => name.startsWith('on')),
          ).length,
        })),
      ).toEqual({ hit: false, active: 0, handlers: 0 });
      expect(await page.evaluate(() => 'hit' in window)).toBe(false);
      expect(page.url()).toBe(`${app.url}/install`);
      expect(seen.foreign.filter((url) => !blocked.includes(url))).toEqual([]);
    },
  );

  test('listens to its own page alone', async () => {
    const drawn = await inside().evaluate(
      (source) =>
        new Promise<number>((resolve) => {
          window.postMessage({ type: 'draw', id: 'x', source, theme: 'light' }, '*');
          setTimeout(() => resolve(document.querySelectorAll('svg').length), 1_000);
        }),
      FLOW,
    );
    expect(drawn).toBe(0);
  });

  test('is not there while diagrams are off', async () => {
    await switchDiagrams(false);
    try {
      expect((await fetch(`${app.url}/diagram-frame`)).status).toBe(404);
    } finally {
      await switchDiagrams(true);
    }
  });
});
