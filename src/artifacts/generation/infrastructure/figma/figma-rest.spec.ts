import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GenerationFailed } from '../../application/ports/artifact-generator.js';
import { type GivenGeneration, readGenerationRequest } from '../../domain/generation-request.js';
import { previewOf } from '../../testing/preview-of.js';
import { ConfiguredApi } from '../configured-api.js';
import { GuardedPageFetcher } from '../guarded-page-fetcher.js';
import { FigmaRest } from './figma-rest.js';

const TOKEN = 'figd_token';
const black = { r: 0, g: 0, b: 0, a: 1 };
const solid = (r: number, g: number, b: number) => [{ type: 'SOLID', color: { r, g, b, a: 1 } }];
const box = (x: number, y: number, width: number, height: number) => ({
  absoluteBoundingBox: { x, y, width, height },
});

const LOGIN = {
  id: '1:2',
  name: 'Login Screen',
  type: 'FRAME',
  ...box(100, 50, 400, 300),
  layoutMode: 'VERTICAL',
  itemSpacing: 12,
  paddingTop: 24,
  paddingRight: 16,
  paddingBottom: 24,
  paddingLeft: 16,
  counterAxisAlignItems: 'CENTER',
  fills: solid(1, 1, 1),
  cornerRadius: 8,
  effects: [
    { type: 'DROP_SHADOW', color: { ...black, a: 0.25 }, offset: { x: 0, y: 4 }, radius: 8, spread: 0 },
  ],
  children: [
    {
      id: '1:3',
      name: 'Title</style><script>alert(1)</script>',
      type: 'TEXT',
      ...box(116, 74, 200, 32),
      characters: 'Welcome <b>back</b>\nfriend',
      fills: solid(0.2, 0.4, 0.6),
      style: {
        fontFamily: 'Inter"; } body{x:url(http://evil.example)} .y{a:"',
        fontWeight: 700,
        fontSize: 24,
        lineHeightPx: 32,
        textAlignHorizontal: 'CENTER',
      },
      characterStyleOverrides: [...Array(8).fill(0), ...Array(11).fill(7)],
      styleOverrideTable: { 7: { fontWeight: 400, fills: solid(1, 0, 0) } },
    },
    {
      id: '1:4',
      name: 'Field',
      type: 'RECTANGLE',
      ...box(116, 120, 368, 40),
      layoutSizingHorizontal: 'FILL',
      layoutSizingVertical: 'FIXED',
      fills: [{ type: 'IMAGE', imageRef: 'ref1', scaleMode: 'FIT' }],
      strokes: solid(0, 0, 0),
      strokeWeight: 1,
      strokeAlign: 'INSIDE',
    },
    {
      id: '1:5',
      name: 'Icon',
      type: 'GROUP',
      ...box(116, 170, 24, 24),
      children: [{ id: '1:6', name: 'Path', type: 'VECTOR', ...box(116, 170, 24, 24) }],
    },
    {
      id: '1:7',
      name: 'Card',
      type: 'FRAME',
      ...box(116, 200, 100, 60),
      clipsContent: true,
      fills: [
        {
          type: 'GRADIENT_LINEAR',
          gradientHandlePositions: [
            { x: 0, y: 0 },
            { x: 1, y: 0 },
          ],
          gradientStops: [
            { position: 0, color: black },
            { position: 1, color: { r: 1, g: 1, b: 1, a: 0.5 } },
          ],
        },
      ],
      children: [
        {
          id: '1:8',
          name: 'Dot',
          type: 'ELLIPSE',
          ...box(126, 210, 10, 10),
          opacity: 0.5,
          fills: solid(1, 0, 0),
        },
        { id: '1:9', name: 'Hidden', type: 'RECTANGLE', ...box(0, 0, 1, 1), visible: false },
        { id: '1:10', name: 'Star', type: 'STAR', ...box(140, 210, 10, 10) },
      ],
    },
  ],
};
const SECOND = {
  id: '3:4',
  name: 'Login Screen',
  type: 'FRAME',
  ...box(0, 0, 100, 100),
  fills: solid(0, 0, 1),
  children: [],
};
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('FigmaRest', () => {
  let server: Server;
  let base: string;
  let asked: { url: string; token: unknown }[];
  let busy: number;
  let override: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  let waited: number[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, base);
      asked.push({ url: request.url!, token: request.headers['x-figma-token'] });
      if (override?.(request, response)) return;
      if (pathname === '/pictures/ref1.png')
        return void response.setHeader('content-type', 'image/png').end(PNG);
      if (pathname === '/pictures/icon.svg') {
        return void response
          .setHeader('content-type', 'image/svg+xml')
          .end('<svg xmlns="http://www.w3.org/2000/svg"><script>x</script><path d="M0 0"/></svg>');
      }
      if (pathname === '/pictures/star.png')
        return void response.setHeader('content-type', 'image/png').end(Buffer.concat([PNG, PNG]));
      if (request.headers['x-figma-token'] !== TOKEN)
        return void response.writeHead(403).end('{"err":"Invalid token figd_wrong"}');
      if (busy > 0) {
        busy -= 1;
        return void response.writeHead(429, { 'retry-after': '7' }).end('{}');
      }
      const ids = (searchParams.get('ids') ?? '').split(',');
      const json = (value: unknown) => response.end(JSON.stringify(value));
      if (pathname === '/v1/files/KEY/nodes') {
        const all: Record<string, unknown> = { '1:2': { document: LOGIN }, '3:4': { document: SECOND } };
        return void json({
          name: 'My File',
          nodes: Object.fromEntries(ids.map((id) => [id, all[id] ?? null])),
        });
      }
      if (pathname === '/v1/files/KEY/images')
        return void json({ meta: { images: { ref1: `${base}/pictures/ref1.png` } } });
      if (pathname === '/v1/images/KEY') {
        const isSvg = searchParams.get('format') === 'svg';
        return void json({
          images: Object.fromEntries(
            ids.map((id) => [
              id,
              id === '1:5' ? `${base}/pictures/icon.svg` : isSvg ? null : `${base}/pictures/star.png`,
            ]),
          ),
        });
      }
      response.writeHead(404).end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    asked = [];
    busy = 0;
    override = null;
    waited = [];
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function generate(given: Partial<GivenGeneration> = {}, token: string | null = TOKEN) {
    const api = new ConfiguredApi({ baseUrl: base, proxy: null, maxBytes: 1_000_000 });
    const pages = new GuardedPageFetcher({ allow: [base.replace('http://', '')], proxy: null });
    const generator = new FigmaRest(api, pages, async (seconds) => {
      waited.push(seconds);
    });
    try {
      const set = await generator.generate(
        readGenerationRequest({ type: 'f2c', fileKey: 'KEY', nodesId: ['1-2'], ...given }),
        {
          projectId: 'p',
          signal: new AbortController().signal,
          figmaToken: token,
          progress: () => undefined,
          problemsOf: () => [],
        },
      );
      const files = new Map(set.files.map(({ path, content }) => [path, content.toString()]));
      return { ...set, paths: [...files.keys()].sort(), text: (path: string) => files.get(path) ?? '' };
    } finally {
      await api.close();
    }
  }

  const reason = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error) => (error instanceof GenerationFailed ? error.message : `fault: ${error}`),
    );

  it('artifacts 15.28: a frame becomes a page with its text, layout and pictures', async () => {
    const { name, paths, text, notes } = await generate({ styling: 'inline_styles' });
    expect(name).toBe('Login Screen');
    expect(paths.filter((path) => !path.startsWith('assets/'))).toEqual(['index.html', 'styles.css']);
    expect(paths.filter((path) => /^assets\/\w{12}\.(png|svg)$/.test(path))).toHaveLength(3);
    const html = text('index.html');
    expect(html).toContain('<title>Login Screen</title>');
    expect(html).toContain('Welcome ');
    expect(html).toContain('&#x3C;b>back&#x3C;/b>');
    expect(html).toMatch(
      /<main style="[^"]*display: flex; flex-direction: column; align-items: center; gap: 12px; padding: 24px 16px 24px 16px/,
    );
    expect(html).toMatch(
      /background-color: #ffffff; border-radius: 8px; box-shadow: 0 4px 8px 0 rgba\(0, 0, 0, 0.25\)/,
    );
    expect(html).toMatch(/color: #336699; font-family: &#x22;Inter/);
    expect(html).toMatch(/<span style="color: #ff0000; font-weight: 400">/);
    expect(html).toMatch(/align-self: stretch; height: 40px/);
    expect(html).toMatch(/url\(&#x22;assets\/\w+\.png&#x22;\) center \/ contain no-repeat/);
    expect(html).toContain('box-shadow: inset 0 0 0 1px #000000');
    expect(html).toContain('linear-gradient(90deg, #000000 0%, rgba(255, 255, 255, 0.5) 100%)');
    expect(html).toMatch(
      /position: absolute; left: 10px; top: 10px; width: 10px; height: 10px; box-sizing: border-box; background-color: #ff0000; border-radius: 50%; opacity: 0.5/,
    );
    expect(html).not.toContain('Hidden');
    for (const [, src] of html.matchAll(/src="([^"]*)"/g)) expect(paths).toContain(src);
    expect(asked.filter(({ url }) => url.includes('/images/KEY')).map(({ url }) => url)).toEqual([
      '/v1/images/KEY?ids=1%3A5%2C1%3A10&format=svg',
      '/v1/images/KEY?ids=1%3A10&format=png&scale=2',
    ]);
    expect(notes[0]).toMatch(/^Fonts are named and not included: Inter/);
  });

  it('hostile names and fonts stay text, and drawn pictures hold no script', async () => {
    for (const styling of ['inline_styles', 'plain_css', 'tailwind']) {
      const { paths, text } = await generate({ styling });
      const all = paths.map(text).join('\n');
      expect(all).not.toContain('<script');
      expect(all).not.toMatch(/url\(["']?http/);
      expect(all).not.toContain('</style><');
    }
  });

  it('plain_css: a class for each look; tailwind: utilities with their CSS', async () => {
    const plain = await generate({ styling: 'plain_css' });
    expect(plain.text('index.html')).toMatch(/<main class="login-screen">/);
    expect(plain.text('styles.css')).toMatch(/\.login-screen \{\n {2}position: relative;/);
    expect(plain.text('styles.css')).toMatch(/url\("assets\/\w+\.png"\)/);
    const tailwind = await generate();
    expect(tailwind.text('index.html')).toContain('[flex-direction:column]');
    expect(tailwind.text('styles.css')).toContain(
      '.\\[flex-direction\\:column\\] { flex-direction: column; }',
    );
    const shadow = /\[box-shadow:0_4px_8px_0_rgba\(0,_0,_0,_0\.25\)\]/;
    expect(tailwind.text('index.html')).toMatch(shadow);
  });

  it('several frames: a page each, and an index that lists them', async () => {
    const { name, paths, text } = await generate({ nodesId: ['1:2', '3:4'], styling: 'plain_css' });
    expect(name).toBe('My File');
    expect(paths.filter((path) => path.endsWith('.html'))).toEqual([
      'frames/login-screen-2.html',
      'frames/login-screen.html',
      'index.html',
    ]);
    expect(text('index.html')).toContain('<a href="frames/login-screen-2.html">Login Screen</a>');
    expect(text('frames/login-screen.html')).toContain('href="../styles.css"');
    expect(text('frames/login-screen.html')).toMatch(/src="\.\.\/assets\/\w+\.svg"/);
  });

  it.each([
    ['css_modules', 'typescript', 'tsx'],
    ['plain_css', 'javascript', 'jsx'],
    ['tailwind', 'typescript', 'tsx'],
    ['inline_styles', 'typescript', 'tsx'],
  ] as const)('react with %s in %s builds in a preview', async (styling, language, extension) => {
    const set = await generate({
      framework: 'react',
      styling,
      language,
      nodesId: ['1:2', '3:4'],
      uiLibrary: 'mui',
    });
    const { paths, text, notes } = set;
    const sources = paths.filter((path) => path.startsWith('src/') && path.endsWith(extension));
    expect(sources).toEqual([
      `src/App.${extension}`,
      `src/frames/login-screen-2.${extension}`,
      `src/frames/login-screen.${extension}`,
      `src/main.${extension}`,
    ]);
    const built = [...(await previewOf(set)).values()].join('\n');
    const shown = ['"Welcome "', '"<b>back</b>', '\nfriend', '.jsxs)("main"'];
    expect(shown.filter((part) => !built.includes(part))).toEqual([]);
    if (styling === 'css_modules') {
      expect(text('src/frames/login-screen.tsx')).toContain("className={styles['login-screen']}");
      expect(text('src/frames/login-screen.module.css')).toContain('.login-screen {');
    }
    expect(notes).toContain('uiLibrary mui was not applied: the frames become plain elements.');
  });

  it('artifacts 15.28: fails with the sentence of what Figma said, which holds no token', async () => {
    expect(await reason(generate({}, 'figd_wrong'))).toBe('Figma refused the token.');
    expect(await reason(generate({ fileKey: 'NONE' }))).toBe('Figma has no file NONE for this token.');
    expect(await reason(generate({ nodesId: ['1:2', '9:9'] }))).toBe('Figma file has no node 9:9.');
    expect(await reason(generate({}, null))).toContain('is gone');
    override = (_, response) => {
      response.writeHead(500).end();
      return true;
    };
    expect(await reason(generate())).toBe('Figma answered with status 500.');
    override = (_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      return true;
    };
    expect(await reason(generate())).toBe('Figma answered with status 302.');
    override = (_, response) => {
      response.destroy();
      return true;
    };
    expect(await reason(generate())).toBe('Figma could not be reached.');
  });

  it('waits as Figma says, three times', async () => {
    busy = 3;
    expect((await generate({ styling: 'plain_css' })).name).toBe('Login Screen');
    expect(waited).toEqual([7, 7, 7]);
    busy = 4;
    expect(await reason(generate())).toBe('Figma allows no more requests at the moment. Try again later.');
  });

  it('sends the token to the API alone, not to where pictures lie', async () => {
    await generate();
    for (const { url, token } of asked)
      expect([url, token !== undefined]).toEqual([url, url.startsWith('/v1/')]);
  });
});
