import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { PageFetcher, PageRefused } from '#src/artifacts/generation/application/ports/page-fetcher.js';
import { readGenerationRequest } from '#src/artifacts/generation/domain/generation-request.js';
import { makeSnapshot } from '#src/artifacts/generation/infrastructure/website/snapshot-work.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';

const RUN = 'window.ran=(window.ran||0)+1';

/** Each would run, load or lead away if it came through. */
const ATTACKS = [
  `<script>${RUN}</script>`,
  `<SCRIPT/x>${RUN}</SCRIPT>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<img src=x onerror="${RUN}">`,
  `<img src="x:x" onerror=${RUN}>`,
  `<image src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:text/javascript,${RUN}"></script></svg>`,
  `<svg><script xlink:href="data:text/javascript,${RUN}"/></svg>`,
  `<svg><style>&lt;img src=x onerror="${RUN}"&gt;</style></svg>`,
  `<svg><style><img src=x onerror="${RUN}"></style></svg>`,
  `<math><style>&lt;img src=x onerror="${RUN}"&gt;</style></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror="${RUN}"></style></mglyph></form>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUN}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>"></noscript>`,
  `<style>a{content:"</style><img src=x onerror=${RUN}>"}</style>`,
  `<style><!--</style><img src=x onerror="${RUN}">--></style>`,
  `<style>@import "javascript:${RUN}"; a{background:url(javascript:${RUN})}</style>`,
  `<textarea></textarea><img src=x onerror="${RUN}"></textarea>`,
  `<title></title><img src=x onerror="${RUN}"></title>`,
  `<xmp></xmp><img src=x onerror="${RUN}"></xmp>`,
  `<noembed><img src=x onerror="${RUN}"></noembed>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<frameset onload="${RUN}"><frame src="javascript:${RUN}"></frameset>`,
  `<object data="javascript:${RUN}"></object><embed src="javascript:${RUN}">`,
  `<object data="data:text/html,<script>parent.${RUN}</script>"></object>`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<input autofocus onfocus="${RUN}"><select autofocus onfocus="${RUN}"></select>`,
  `<video src=x onerror="${RUN}"></video><video><source onerror="${RUN}"></video><audio src=x onerror="${RUN}"></audio>`,
  `<body onload="${RUN}" onpageshow="${RUN}">`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<div style="animation-name:x" onanimationstart="${RUN}"></div><style>@keyframes x{}</style>`,
  `<template><script>${RUN}</script></template>`,
  `<div><template shadowrootmode="open"><img src=x onerror="${RUN}"></template></div>`,
  `<base href="javascript:${RUN}//">`,
  `<meta http-equiv="refresh" content="0;url=javascript:${RUN}">`,
  `<meta http-equiv="refresh" content="0;url=http://away.invalid/">`,
  `<link rel="stylesheet" href="javascript:${RUN}"><link rel="import" href="http://away.invalid/">`,
  `<link rel="stylesheet" href="http://away.invalid/x.css" onerror="${RUN}">`,
  `<link rel="preload" as="image" href="http://away.invalid/x.png"><link rel="preconnect" href="http://away.invalid">`,
  `<img src="http://away.invalid/x.png" srcset="http://away.invalid/y.png 2x">`,
  `<p style="background:url(http://away.invalid/x.png)">x</p>`,
  `<style>@font-face{font-family:x;src:url(http://away.invalid/x.woff)} body{font-family:x} p{--a:url(http://away.invalid/z.png);background:var(--a)}</style>`,
  `<svg><image href="http://away.invalid/x.png"/><use href="http://away.invalid/x.svg#a"/><rect fill="url(http://away.invalid/x.svg#a)"/></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='x' onerror='${RUN}'/></svg>#x"></use></svg>`,
  `<table background="http://away.invalid/x.png"><tr><td background="http://away.invalid/x.png">x</table>`,
  `<input type="image" src="http://away.invalid/x.png"><video poster="http://away.invalid/x.png"></video>`,
  `<picture><source srcset="http://away.invalid/x.png"><img></picture>`,
  `<a id="go" href="javascript:${RUN}">x</a>`,
  `<a id="go" href="&#x6a;ava&Tab;script&colon;${RUN}">x</a>`,
  `<a id="go" href=" \u0001javascript:${RUN}">x</a>`,
  `<a id="go" href="data:text/html,<script>opener.${RUN}</script>">x</a>`,
  `<a id="go" href="/x" ping="http://away.invalid/">x</a>`,
  `<svg><a id="go" xlink:href="javascript:${RUN}"><text y="20">x</text></a></svg>`,
  `<svg><a id="go"><animate attributeName="href" values="javascript:${RUN}"/><text y="20">x</text></a></svg>`,
  `<svg><a id="go"><set attributeName="xlink:href" to="javascript:${RUN}"/><text y="20">x</text></a></svg>`,
  `<form id="send" action="javascript:${RUN}"><button id="go">x</button></form>`,
  `<form><button id="go" formaction="javascript:${RUN}">x</button></form>`,
  `<form action="http://away.invalid/"><input name="q"><button id="go">x</button></form>`,
  `<isindex action="javascript:${RUN}" type="image">`,
  `<p>${'<b>'.repeat(300)}<img src=x onerror="${RUN}">`,
  // Swallows whatever comes after it.
  `<plaintext><img src=x onerror="${RUN}">`,
];

/** Nothing outside answers: a snapshot holds the page alone. */
class NobodyAnswers extends PageFetcher {
  override accepts(): boolean {
    return true;
  }

  override async fetch(): Promise<never> {
    throw new PageRefused('Its host name is unknown.');
  }
}

describeInBrowser('snapshots of hostile pages', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  let shown = '';
  let context: BrowserContext;
  const did: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    server = createServer((request, response) => {
      if (request.url === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(shown);
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    context = await browser.newContext();
    await context.route('**/*', (route) => {
      const url = route.request().url();
      if (url.startsWith(`${origin}/`)) return route.continue();
      if (!url.startsWith('data:')) did.push(`asked ${url}`);
      return route.abort();
    });
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  /** Opens a page, presses what can be pressed, and tells what it did. */
  async function what(html: string): Promise<string[]> {
    shown = html;
    did.length = 0;
    // A page of its own each: where an attack leads to must not meet the next one.
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.goto(`${origin}/`);
    const target = page.locator('#go').first();
    if ((await target.count()) > 0) {
      await target.click({ timeout: 1_000, noWaitAfter: true }).catch(() => undefined);
    }
    // After everything that the page and the click have set going.
    const ran = await page
      .evaluate(async () => {
        await new Promise((done) => setTimeout(done, 30));
        return (globalThis as { ran?: number }).ran ?? 0;
      })
      .catch(() => 0);
    await page.close();
    return ran > 0 ? [...did, 'ran'] : [...did];
  }

  const snapshotOf = async (html: string, more = {}): Promise<string> => {
    const request = readGenerationRequest({
      type: 'l2c',
      url: 'http://site.invalid/',
      styling: 'inline_styles',
      ...more,
    });
    const set = await makeSnapshot(
      { request, address: 'http://site.invalid/', html, at: new Date(0), resourcesMs: 5_000 },
      new NobodyAnswers(),
      () => undefined,
    );
    return String(set.files.find(({ path }) => path === 'index.html')!.content);
  };

  it('the attacks work where nothing is cleaned', async () => {
    const working = [];
    for (const attack of ATTACKS.slice(0, 12))
      working.push((await what(`<!doctype html>${attack}`)).length > 0);
    expect(working.filter(Boolean).length).toBeGreaterThan(6);
  }, 60_000);

  it('run nothing, load nothing and lead nowhere but by a plain link', async () => {
    const pressed = ATTACKS.filter((attack) => attack.includes('id="go"'));
    const others = ATTACKS.filter((attack) => !attack.includes('id="go"'));
    const some = Array.from({ length: Math.ceil(others.length / 6) }, (_, i) =>
      others.slice(6 * i, 6 * i + 6).join('\n'),
    );
    for (const attack of [...pressed, ...some]) {
      const html = await snapshotOf(`<!doctype html><title>x</title><body>${attack}`);
      const led = (await what(html)).filter((one) => !one.startsWith('asked http://site.invalid/'));
      expect({ attack, led }).toEqual({ attack, led: [] });
    }
  }, 120_000);

  it('all of them in one page, one inside the other, run nothing either', async () => {
    const html = await snapshotOf(`<!doctype html><body>${ATTACKS.join('\n')}`);
    expect(await what(html)).toEqual([]);
    const files = await snapshotOf(`<!doctype html><body>${ATTACKS.join('\n')}`, { styling: 'vanilla_css' });
    expect(await what(files)).toEqual([]);
    const nested = await snapshotOf(
      `<!doctype html><body>${ATTACKS.map((attack) => `<div><svg><desc>${attack}`).join('')}`,
    );
    expect(await what(nested)).toEqual([]);
    // A copy of a copy is as harmless.
    expect(await what(await snapshotOf(html))).toEqual([]);
  }, 60_000);
});
