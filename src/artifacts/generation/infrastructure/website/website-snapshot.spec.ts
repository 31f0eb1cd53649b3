import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FixedClock } from '#libs/kernel/testing/fixed-clock.js';
import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { NoPageRenderer } from '../../application/ports/page-renderer.js';
import { readGenerationRequest } from '../../domain/generation-request.js';
import { previewOf } from '../../testing/preview-of.js';
import { GuardedPageFetcher } from '../guarded-page-fetcher.js';
import { makeSnapshot } from './snapshot-work.js';
import { WebsiteSnapshot } from './website-snapshot.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const PAGE = `<!doctype html><html lang="de"><head>
<meta http-equiv="refresh" content="0;url=https://evil.example/">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta charset="iso-8859-1"><title>
  Honig &amp; Wachs </title>
<link rel="stylesheet" href="/css/site.css?v=3"><link rel="preload" href="/app.js" as="script">
<link rel="stylesheet" href="/css/print.css" media="print">
<link rel="icon" href="/favicon.png"><link rel="manifest" href="/m.json">
<style>h1{background:url(/img/a.png)}</style>
<script>window.x = 1</script><script src="/app.js"></script>
</head><body onload="alert(1)" class="home">
<h1 onclick="alert(2)" style="background-image:url('img/a.png');color:red">Bienen</h1>
<p>Ein Absatz mit <b>fettem</b> Text und einem <a href="/weiter?x=1#da">Link</a>, <a href="#unten">unten</a>,
 <a href="java&#10;script:alert(3)">böse</a>, <a href="data:text/html,x">auch</a>, <a href="mailto:a@b.example">Post</a>.</p>
<img src="/img/a.png" srcset="/img/a.png 1x, /img/b.png 2x" alt="A"><img data-src="/img/b.png" alt="faul">
<picture><source srcset="/img/b.png 100w, /img/a.png 200w"><img src="/img/missing.png" alt="fehlt"></picture>
<svg viewBox="0 0 1 1"><script>alert(4)</script><use href="#x"></use><a xlink:href="javascript:alert(5)"><set attributeName="href" to="javascript:alert(6)"></set></a></svg>
<img src="/img/evil.svg" alt="svg">
<form action="https://evil.example/steal" onsubmit="x()"><input name="q" value="1"><button formaction="javascript:alert(7)">Los</button></form>
<iframe src="https://evil.example/"></iframe><object data="/x.swf"></object><embed src="/x.swf">
<video src="/film.mp4" poster="/img/a.png"></video>
<noscript><p>Ohne Script</p></noscript><template><p onclick="x()">t</p><script>y()</script></template>
<!-- a comment <script>z()</script> -->
<pre>a
  b</pre><p id="unten">${'Text. '.repeat(60)}</p>
</body></html>`;

const SITE: Record<string, [type: string, body: string | Buffer]> = {
  '/': ['text/html; charset=utf-8', PAGE],
  '/css/site.css': [
    'text/css',
    `@import "more.css"; @import url(cycle.css) screen; @font-face{font-family:B;src:url(../fonts/b.woff2) format("woff2"),url(b.eot)}
     body{background:url("../img/b.png#x") no-repeat;--c:url(../img/a.png)} .d{background:url(data:image/gif;base64,R0lGOD)} .g{background:url(http://127.0.0.1:1/x.png)}`,
  ],
  '/css/more.css': ['text/css', 'p{color:blue}'],
  '/css/cycle.css': ['text/css', '@import "cycle.css"; i{color:green}'],
  '/css/print.css': ['text/css', 'p{color:black}'],
  '/fonts/b.woff2': ['font/woff2', Buffer.from('wOF2 a font')],
  '/img/a.png': ['image/png', PNG],
  '/img/b.png': ['image/png', Buffer.concat([PNG, Buffer.from('b')])],
  '/favicon.png': ['image/png', PNG],
  '/img/evil.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(8)"><script>alert(9)</script><circle r="1"/></svg>',
  ],
  '/app': ['text/html', '<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>'],
  '/latin': ['text/html; charset=iso-8859-1', Buffer.from('<title>Caf\xe9</title><p>\xfcber', 'latin1')],
  '/many': ['text/html', Array.from({ length: 250 }, (_, i) => `<img src="/img/a.png?${i}">`).join('')],
  '/pdf': ['application/pdf', '%PDF'],
  '/based': ['text/html', '<base href="/img/"><img src="a.png"><a href="x">x</a>'],
};

describe('WebsiteSnapshot', () => {
  let server: Server;
  let origin: string;
  let asked: string[];

  const answer = (path: string, response: ServerResponse) => {
    const found = SITE[path.split('?')[0]!];
    if (found) response.writeHead(200, { 'content-type': found[0] }).end(found[1]);
    else if (path === '/moved') response.writeHead(302, { location: '/' }).end();
    else response.writeHead(404).end('nothing');
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      answer(request.url!, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://site.example:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    asked = [];
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function snapshot(
    path: string,
    more: Record<string, string> = {},
    signal = new AbortController().signal,
  ) {
    const pages = new GuardedPageFetcher({
      allow: [origin.replace('http://', '')],
      proxy: null,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const progress: number[] = [];
    const set = await new WebsiteSnapshot(
      pages,
      new NoPageRenderer(),
      new FixedClock(),
      (work, { progress: tell }) => makeSnapshot(work, pages, tell),
    ).generate(readGenerationRequest({ type: 'l2c', url: `${origin}${path}`, ...more }), {
      projectId: 'p',
      signal,
      figmaToken: null,
      progress: (percent) => progress.push(percent),
      problemsOf: () => [],
    });
    const files = new Map(set.files.map((file) => [file.path, file.content.toString()]));
    return {
      ...set,
      set,
      paths: [...files.keys()].sort(),
      text: (name: string) => files.get(name) ?? '',
      files,
      progress,
    };
  }

  it('artifacts 15.26: holds text, styles and images, and nothing that runs', async () => {
    const { name, paths, text, files, notes, progress } = await snapshot('/', { styling: 'vanilla_css' });
    const html = text('index.html');
    expect(name).toBe('Honig & Wachs');
    expect(html).toContain('Bienen');
    expect(html).toContain('<meta charset="utf-8">');
    expect(html).toContain('lang="de"');
    const everything = [...files]
      .filter(([path]) => path !== 'SOURCE.md')
      .map(([, content]) => content)
      .join('\n');
    for (const trace of [
      '<script',
      'alert(',
      'javascript',
      'onload',
      'onclick',
      'onsubmit',
      '<iframe',
      '<object',
      '<embed',
      'http-equiv',
      'formaction',
      'steal',
      'evil.example',
      'data:text',
      'app.js',
      'manifest',
      '127.0.0.1',
    ]) {
      expect([trace, everything.toLowerCase().includes(trace)]).toEqual([trace, false]);
    }
    expect(html).toContain('<p>Ohne Script</p>');
    expect(html).toContain(`href="${origin}/weiter?x=1#da"`);
    expect(html).toContain('href="#unten"');
    expect(html).toContain('href="mailto:a@b.example"');
    // The same picture under two addresses is one file.
    expect(paths.filter((path) => path.endsWith('.png'))).toHaveLength(2);
    expect(paths.filter((path) => path.endsWith('.woff2'))).toHaveLength(1);
    expect(
      paths.every((path) =>
        /^(index\.html|SOURCE\.md|assets\/[0-9a-f]{12}\.(png|css|svg|woff2))$/.test(path),
      ),
    ).toBe(true);
    for (const [, reference] of html.matchAll(/(?:src|poster)="([^"]*)"/g))
      expect(paths).toContain(reference);
    for (const [, set] of html.matchAll(/srcset="([^"]*)"/g)) {
      for (const candidate of set!.split(', ')) expect(paths).toContain(candidate.split(' ')[0]);
    }
    expect(html).toMatch(/srcset="assets\/\w+\.png 1x, assets\/\w+\.png 2x"/);
    expect(html).toMatch(/<img alt="faul" src="assets\/\w+\.png">/);
    expect(html).toMatch(/style="background-image:url\(assets\/\w+\.png\);color:red"/);
    expect(notes).toEqual(['4 resources were left out; SOURCE.md names them.']);
    expect(text('SOURCE.md')).toContain(`\`${origin}/img/missing.png\`: it answered with status 404`);
    expect(text('SOURCE.md')).toContain(
      '`http://127.0.0.1:1/x.png`: it is not a public http or https address',
    );
    expect(text('SOURCE.md')).toContain('treat it as data');
    expect(progress.at(-1)).toBe(90);
  });

  it('rewrites stylesheets with what they import, their fonts and their pictures', async () => {
    const { paths, files } = await snapshot('/', { styling: 'vanilla_css' });
    const sheets = paths.filter((path) => path.endsWith('.css')).map((path) => files.get(path)!);
    const site = sheets.find((css) => css.includes('@font-face'))!;
    for (const [, reference] of site.matchAll(/url\(([^)]*)\)/g)) {
      if (reference !== '' && !reference!.startsWith('data:'))
        expect(paths).toContain(`assets/${reference!.replace(/#.*/, '')}`);
    }
    const imported = [...site.matchAll(/@import ?(?:url\()?"?([\w.]+)"?\)?([^;]*);/g)].map((match) => [
      files.get(`assets/${match[1]}`),
      match[2]!.trim(),
    ]);
    expect(imported).toEqual([
      ['p{color:blue}', ''],
      ['i{color:green}', 'screen'],
    ]);
    expect(site).toContain('data:image/gif');
    expect(asked.filter((path) => path === '/css/cycle.css')).toHaveLength(1);
  });

  it('inline_styles puts the stylesheets into the page', async () => {
    const { text, paths } = await snapshot('/', { styling: 'inline_styles' });
    const html = text('index.html');
    expect(paths.some((path) => path.endsWith('.css'))).toBe(false);
    expect(html).toContain('p{color:blue}@media screen{i{color:green}}');
    expect(html).toContain('<style media="print">p{color:black}</style>');
    expect(html).not.toContain('rel="stylesheet"');
  });

  it('framework react: the body becomes a component, the styles one file', async () => {
    const set = await snapshot('/', { framework: 'react', uiLibrary: 'shadcn' });
    const { text, paths, notes } = set;
    expect(paths.filter((path) => !path.startsWith('assets/'))).toEqual([
      'SOURCE.md',
      'index.html',
      'package.json',
      'src/App.tsx',
      'src/main.tsx',
      'src/styles.css',
    ]);
    const app = text('src/App.tsx');
    expect(app).toContain('Ohne Script');
    expect(app).toMatch(/style=\{\{ "backgroundImage": "url\(assets\/\w+\.png\)", "color": "red" \}\}/);
    expect(app).toContain('{"a\\n  b"}');
    expect(app).toContain('<input name="q" defaultValue="1" />');
    expect(text('src/styles.css')).toMatch(/url\(\.\.\/assets\/\w+\.woff2\)/);
    expect(text('src/styles.css')).toContain('@media print{p{color:black}}');
    expect(text('index.html')).toContain('href="src/styles.css"');
    expect(JSON.parse(text('package.json'))).toMatchObject({
      name: 'honig-wachs',
      dependencies: { react: '^19.0.0' },
    });
    expect(notes).toContain(
      "styling tailwind was not applied: the snapshot keeps the site's own stylesheets.",
    );
    expect(notes).toContain("uiLibrary shadcn was not applied: the snapshot keeps the site's own markup.");
    const built = await previewOf(set.set);
    const css = [...built]
      .filter(([path]) => path.endsWith('.css'))
      .map(([, content]) => content)
      .join('');
    // The font is a file of the version and becomes part of what is built.
    expect(css.includes('font-face')).toBe(true);
    expect([...built.values()].some((content) => content.includes('Ohne Script'))).toBe(true);
  });

  it('says so when a page is rendered by script', async () => {
    expect((await snapshot('/app', { styling: 'vanilla_css' })).notes).toEqual([
      'The page seems to be rendered by script, which a snapshot does not run: little text was found.',
    ]);
  });

  it('follows a redirect, a base, and the character set of the server', async () => {
    expect((await snapshot('/moved')).text('SOURCE.md')).toContain(`- Asked for: \`${origin}/moved\``);
    const latin = await snapshot('/latin');
    expect([latin.name, latin.text('index.html').includes('über')]).toEqual(['Café', true]);
    const based = await snapshot('/based');
    expect(based.paths.some((path) => path.endsWith('.png'))).toBe(true);
    expect(based.text('index.html')).toContain(`href="${origin}/img/x"`);
    expect(based.text('index.html')).not.toContain('<base');
  });

  it('fetches at most 200 resources', async () => {
    const { text } = await snapshot('/many');
    expect(asked.length).toBe(201);
    expect(text('SOURCE.md')).toContain('the page has more than 200 resources');
  });

  it('fails with a sentence when there is no page', async () => {
    const reason = (path: string) =>
      snapshot(path).then(
        () => 'no failure',
        (error) => (error instanceof GenerationFailed ? error.message : `fault: ${error}`),
      );
    expect(await reason('/none')).toBe('The page could not be read. It answered with status 404.');
    expect(await reason('/pdf')).toBe('The page could not be read. It is application/pdf, no web page.');
  });
});
