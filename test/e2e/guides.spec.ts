import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, newProject, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const PUBLIC = 'https://loupe.acme.example';
const SOURCE = 'https://git.acme.example/loupe?a=1&b=2';

/** The guides as the built server sends them, to people without an account. */
describe('guides', () => {
  let server: LoupeServer;
  let admin: Visitor;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: { ...adminEnv, APP_SOURCE_URL: SOURCE } });
    admin = await signedIn(server.origin);
  }, 120_000);

  afterAll(() => server?.stop());

  const open = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.origin}${path}`, { redirect: 'manual', headers });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  const pages = async () => {
    const { html } = await open('/docs');
    return [...html.matchAll(/<li><a href="(\/docs\/[a-z-]+)"/g)].map(([, path]) => path!);
  };

  it('platform 13: every guide of the list opens without a sign-in, and every link between them leads to a page', async () => {
    const paths = [...new Set(await pages())];
    expect(paths.length).toBeGreaterThan(15);
    const ids = new Map<string, Set<string>>();
    const links: string[] = [];
    for (const path of ['/docs', ...paths]) {
      const { status, headers, html } = await open(path);
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
      expect(html.match(/<h1\b/g)).toHaveLength(1);
      ids.set(path, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)));
      links.push(
        ...[...html.matchAll(/href="([^"]+)"/g)].map(([, href]) =>
          href!.startsWith('#') ? path + href : href!,
        ),
      );
    }
    const broken: string[] = [];
    for (const link of new Set(links.filter((href) => href.startsWith('/docs')))) {
      const [path, fragment] = link.split('#') as [string, string | undefined];
      const known = ids.get(path);
      if (!known || (fragment !== undefined && !known.has(fragment))) broken.push(link);
    }
    expect(broken).toEqual([]);
  });

  it('are the same for everybody, with a strict policy and without a cookie', async () => {
    const stranger = await open('/docs/mcp');
    const known = await (await admin.request('/docs/mcp')).text();
    expect(known).toBe(stranger.html);
    expect(stranger.headers.get('set-cookie')).toBeNull();
    expect(stranger.headers.get('content-security-policy')).toContain("default-src 'none'");
    // Nothing of the page needs the nonce, so it may be kept.
    expect(stranger.html).not.toMatch(/nonce=|<style|style="|<script(?! src)/);
  });

  it('are kept by browsers, which ask whether they are still the same', async () => {
    const first = await open('/docs/board');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const etag = first.headers.get('etag')!;
    // A plain fetch with a condition asks past every cache; browsers do not.
    const asBrowsers = (value: string) => ({ 'if-none-match': value, 'cache-control': 'max-age=0' });
    const again = await open('/docs/board', asBrowsers(etag));
    expect([again.status, again.html]).toEqual([304, '']);
    const image = await open('/docs/images/review.png');
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await open('/docs/images/review.png', asBrowsers(image.headers.get('etag')!))).status).toBe(304);
  });

  it('platform 19.8: document_highlight is absent from /docs/mcp and the Connect page until its flag is on', async () => {
    const projectId = await newProject(admin, 'Ferry bookings');
    const connect = async () => {
      const { body } = await admin.api<{ tools: { name: string }[] }>(
        'GET',
        `/projects/${projectId}/connect`,
      );
      return body.tools.map(({ name }) => name);
    };
    const before = await open('/docs/mcp');
    expect(before.html).not.toContain('document_highlight');
    expect(await connect()).not.toContain('document_highlight');
    const flag = '/admin/flags/review.highlights.enabled';
    expect((await admin.api('PUT', flag, { value: true })).status).toBe(200);
    const seen = async () => (await open('/docs/mcp')).html;
    await until(
      async () => (await seen()).includes('id="document_highlight"'),
      20_000,
      'The page does not follow the flag.',
    );
    expect(await seen()).toContain('<code>review.highlights.enabled</code>');
    expect(await connect()).toContain('document_highlight');
    expect(
      (
        await open('/docs/mcp', {
          'if-none-match': before.headers.get('etag')!,
          'cache-control': 'max-age=0',
        })
      ).status,
    ).toBe(200);
    expect((await admin.api('PUT', flag, { value: false })).status).toBe(200);
    await until(
      async () => !(await seen()).includes('document_highlight'),
      20_000,
      'The page keeps the tool.',
    );
  });

  it('platform 2.1: /docs/mcp lists the tools that the Connect page lists, each with its role, scope and arguments', async () => {
    const projectId = await newProject(admin, 'Tools');
    const { body } = await admin.api<{ tools: { name: string }[] }>('GET', `/projects/${projectId}/connect`);
    const { html } = await open('/docs/mcp');
    const sections = html.split('<section class="tool" ').slice(1);
    expect(sections.map((section) => /^aria-labelledby="([^"]+)"/.exec(section)![1])).toEqual(
      body.tools.map(({ name }) => name),
    );
    for (const section of sections) {
      expect(section).toContain('Scope <code>mcp</code>');
      expect(section).toMatch(/Role: (every role|member|maintainer)/);
      expect(section).toMatch(/No arguments\.|<th scope="row"><code>/);
    }
    const create = sections.find((section) => section.includes('id="card_create"'))!;
    expect(create).toContain(
      '<code>relatedCards[].cardId</code> <span class="tool__required">required</span>',
    );
    expect(create).toContain('Flag <code>board.enabled</code>');
  });

  it('search by title works by the address alone, and shows what was typed as text', async () => {
    const { html, status } = await open('/docs?q=teams');
    expect(status).toBe(200);
    expect(html).toContain('1 guide with');
    expect(html).toContain('<a href="/docs/teams">Teams and roles</a>');
    expect((await open('/docs?q=document_create')).html).toContain('href="/docs/mcp#document_create"');
    const hostile = await open(`/docs?q=${encodeURIComponent('"><script>x</script>')}`);
    expect(hostile.html).not.toContain('<script>x');
    expect(hostile.html).toContain('No title has all of these words.');
    expect((await open('/docs?q=a&q=b')).status).toBe(200);
    expect((await open(`/docs?q=${'x'.repeat(5_000)}`)).status).toBe(200);
  });

  it.each([
    '/docs/environment-variables',
    '/docs/a/b/c',
    '/docs/images/none.png',
    '/docs/..%2f..%2fpackage.json',
    '/docs/%00',
  ])('an unknown page helps on: %s', async (path) => {
    const { status, html } = await open(path);
    expect(status).toBe(404);
    expect(html).toContain('There is no such guide');
    expect(html).toContain('role="search"');
    expect(html).not.toContain('"dependencies"');
  });

  it('guesses what was meant, and leads from the address of a file to its page', async () => {
    expect((await open('/docs/environment-variables')).html).toContain('You may have meant:');
    const { status, headers } = await open('/docs/using/artifacts.md');
    expect([status, headers.get('location')]).toEqual([302, '/docs/artifacts']);
  });

  it('platform 13: /about tells version, licence and source', async () => {
    const { version } = JSON.parse(readFileSync(join(applicationRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    const { status, html } = await open('/about');
    expect(status).toBe(200);
    expect(html).toContain(`<dt>Version</dt><dd>${version}</dd>`);
    expect(html).toContain('MIT License');
    const link = 'href="https://git.acme.example/loupe?a=1&amp;b=2"';
    expect(html.split(link).length - 1).toBe(2);
    expect((await open('/login')).html).toContain(link);
    expect((await open('/docs')).html).toContain(link);
  });
});

describe('guides of an instance behind a public address', () => {
  let server: LoupeServer;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: { ...adminEnv, DEFAULT_URI: PUBLIC } });
  }, 120_000);

  afterAll(() => server?.stop());

  it('platform 13: commands hold that address, whatever host the request names', async () => {
    const response = await fetch(`${server.origin}/docs/getting-started`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    const html = await response.text();
    expect(html).toContain(`claude mcp add --transport http loupe ${PUBLIC}/mcp`);
    expect(html).not.toMatch(/evil\.example|localhost|loupe\.example\.com/);
    expect(response.headers.get('strict-transport-security')).toContain('max-age');
  });

  it('platform 15.3: an empty APP_SOURCE_URL hides the link to the source', async () => {
    for (const path of ['/about', '/docs', '/login']) {
      const html = await (await fetch(`${server.origin}${path}`)).text();
      expect(html).toContain('href="/about"');
      expect(html).not.toContain('Source');
    }
  });
});
