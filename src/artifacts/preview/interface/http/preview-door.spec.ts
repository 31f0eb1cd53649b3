import { TestDatabase } from '../../../../../test/support/test-database.js';
import { type Answer, PreviewRig } from '../../testing/preview-rig.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const FILES = {
  'index.html':
    '<!doctype html><link rel=stylesheet href="/style.css"><a href="/pages/a.html">A</a><script src="app.js"></script>',
  'style.css': 'body { background: url("/img/a.png") } @import "/more.css";',
  'app.js': 'fetch("/data.json")',
  'pages/a.html': '<h1>A</h1>',
  'docs/index.html': '<h1>Docs</h1>',
  'img/a.png': PNG,
  'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  'fake.png': '<script>alert(1)</script>',
  'notes.unknown': 'words',
  'data.bin': Buffer.from([0, 1, 2, 3, 0xff]),
  'ü ö/日本 #1%.html': '<h1>Unicode</h1>',
  'api/session': 'a file named like a route',
  'empty.txt': '',
};

describe('The door of previews', () => {
  let test: TestDatabase;
  let rig: PreviewRig;
  let artifactId: string;
  let base: string;

  beforeAll(async () => {
    test = await TestDatabase.start();
    rig = await PreviewRig.start(test.database);
    ({ artifactId } = await rig.library.create(FILES));
    base = await rig.frame(artifactId);
  });
  afterAll(async () => {
    await rig?.stop();
    await test?.stop();
  });

  const expectPolicy = (answer: Answer, itsBase: string | null): void => {
    const b = itsBase === null ? '' : `${itsBase} `;
    expect(answer.headers['content-security-policy']).toBe(
      [
        `sandbox ${itsBase === null ? '' : 'allow-scripts '}allow-forms allow-popups allow-modals`,
        "default-src 'none'",
        `script-src ${b}'unsafe-inline' 'unsafe-eval' blob:`,
        `style-src ${b}'unsafe-inline'`,
        `img-src ${b}data: blob:`,
        `media-src ${b}data: blob:`,
        `font-src ${b}data: blob:`,
        `connect-src ${itsBase ?? "'none'"}`,
        `worker-src blob:${itsBase === null ? '' : ` ${itsBase}`}`,
        `frame-src ${itsBase ?? "'none'"}`,
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        'frame-ancestors https://loupe.example',
      ].join('; '),
    );
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy':
        'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-robots-tag': 'noindex',
    });
    for (const name of ['set-cookie', 'access-control-allow-credentials', 'cross-origin-opener-policy'])
      expect(answer.headers[name]).toBeUndefined();
  };

  it('artifacts 15.43: sends the policy of 10.2 with every answer, whatever its status', async () => {
    const page = await rig.get(`${base}index.html`);
    expect(page.status).toBe(200);
    const etag = page.headers.etag!;
    const answers: [number, Answer, string | null][] = [
      [200, page, base],
      [200, await rig.get(`${base}img/a.png`), base],
      [304, await rig.get(`${base}index.html`, { headers: { 'if-none-match': etag } }), base],
      [206, await rig.get(`${base}img/a.png`, { headers: { range: 'bytes=0-3' } }), base],
      [416, await rig.get(`${base}img/a.png`, { headers: { range: 'bytes=99-' } }), base],
      [404, await rig.get(`${base}missing.js`), base],
      [404, await rig.get(`${base}a%2fb.html`), base],
      [200, await rig.get(`${base}index.html`, { method: 'HEAD' }), base],
      [404, await rig.get('https://loupe.example/artifact-preview/nothing/index.html'), null],
      [405, await rig.get(`${base}index.html`, { method: 'POST' }), null],
    ];
    for (const [status, answer, itsBase] of answers) {
      expect(answer.status).toBe(status);
      if (status !== 405) expectPolicy(answer, itsBase);
    }
  });

  it('puts its own path before root-absolute addresses in attributes and styles, and nowhere else', async () => {
    const path = new URL(base).pathname;
    expect((await rig.get(`${base}index.html`)).text).toBe(
      `<!doctype html><link rel=stylesheet href="${path}style.css"><a href="${path}pages/a.html">A</a><script src="app.js"></script>`,
    );
    expect((await rig.get(`${base}style.css`)).text).toBe(
      `body { background: url("${path}img/a.png") } @import "${path}more.css";`,
    );
    expect((await rig.get(`${base}app.js`)).text).toBe(FILES['app.js']);
  });

  it.each([
    ['index.html', 'text/html; charset=utf-8', undefined],
    ['app.js', 'text/javascript; charset=utf-8', undefined],
    ['img/a.png', 'image/png', undefined],
    ['icon.svg', 'image/svg+xml; charset=utf-8', undefined],
    ['fake.png', 'text/plain; charset=utf-8', undefined],
    ['notes.unknown', 'text/plain; charset=utf-8', undefined],
    ['data.bin', 'application/octet-stream', 'attachment'],
  ])('serves %s as %s', async (path, type, disposition) => {
    const answer = await rig.get(`${base}${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.headers['content-disposition']).toBe(disposition);
  });

  it('artifacts 13: serves odd names by their exact key; an encoded slash and every other trick is 404', async () => {
    const odd = `${base}${encodeURIComponent('ü ö')}/${encodeURIComponent('日本 #1%.html')}`;
    expect((await rig.get(odd)).text).toBe('<h1>Unicode</h1>');
    expect((await rig.get(`${base}api/session`)).text).toBe('a file named like a route');
    const tricks = [
      'pages%2fa.html',
      'pages%2Fa.html',
      'pages%5ca.html',
      'pages\\a.html',
      'pages//a.html',
      '../index.html',
      'pages/../index.html',
      'pages/%2e%2e/index.html',
      './index.html',
      '%00index.html',
      'index.html%00.png',
      'INDEX.HTML',
      'index.html/',
      '%c3%28.html',
      '%E0%A4%A.html',
      '/index.html',
      '/etc/passwd',
      `${'a/'.repeat(400)}x.html`,
    ];
    for (const trick of tricks)
      expect([trick, (await rig.get(`${base}${trick}`)).status]).toEqual([trick, 404]);
  });

  it('finds the index of a folder, and leads places of a router to the start page', async () => {
    expect((await rig.get(`${base}docs`)).text).toBe('<h1>Docs</h1>');
    expect((await rig.get(`${base}docs/`)).text).toBe('<h1>Docs</h1>');
    expect((await rig.get(base)).text).toContain('style.css');
    expect((await rig.get(`${base}orders/17`)).text).toContain('style.css');
    expect((await rig.get(`${base}orders/17.png`)).status).toBe(404);
  });

  it('answers ranges, HEAD and conditions with the length of what it sends', async () => {
    const part = await rig.get(`${base}pages/a.html`, { headers: { range: 'bytes=4-4' } });
    expect([part.status, part.text, part.headers['content-range'], part.headers['content-length']]).toEqual([
      206,
      'A',
      'bytes 4-4/10',
      '1',
    ]);
    const rewritten = await rig.get(`${base}style.css`);
    const end = await rig.get(`${base}style.css`, { headers: { range: 'bytes=-5' } });
    expect(end.text).toBe(rewritten.text.slice(-5));
    const head = await rig.get(`${base}style.css`, { method: 'HEAD' });
    expect(head.headers['content-length']).toBe(String(rewritten.text.length));
    expect(head.text).toBe('');
    const stale = { range: 'bytes=0-0', 'if-range': '"old"' };
    expect((await rig.get(`${base}app.js`, { headers: stale })).status).toBe(200);
    expect((await rig.get(`${base}app.js`, { headers: { range: 'bytes=0-0,2-3' } })).status).toBe(200);
    expect(await rig.get(`${base}empty.txt`)).toMatchObject({ status: 200, text: '' });
  });

  it('keeps a pinned version for ever and asks again for the latest, by its hash', async () => {
    const pinned = await rig.frame(artifactId, 1);
    expect((await rig.get(`${pinned}app.js`)).headers['cache-control']).toBe(
      'private, max-age=31536000, immutable',
    );
    const { headers } = await rig.get(`${base}app.js`);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers.etag).toMatch(/^"[0-9a-f]{64}"$/);
  });

  it('artifacts 15.44: opens one artifact alone, and none once access narrowed or the time is over', async () => {
    const other = await rig.library.create({ 'index.html': 'other', 'secret.html': 'secret of the other' });
    expect((await rig.get(`${base}secret.html`)).status).toBe(404);
    const [ticket] = base.split('/').slice(-2);
    const [body, mark] = ticket!.split('.') as [string, string];
    const forged = Buffer.from(
      Buffer.from(body, 'base64url').toString().replace(artifactId, other.artifactId),
    ).toString('base64url');
    const flipped = `${mark.startsWith('A') ? 'B' : 'A'}${mark.slice(1)}`;
    for (const wrong of [
      `${forged}.${mark}`,
      `${body}.${flipped}`,
      `${body}.`,
      body,
      `${ticket}.x`,
      `${ticket}=`,
      `${ticket}%20`,
    ])
      expect([
        wrong,
        (await rig.get(`https://loupe.example/artifact-preview/${wrong}/index.html`)).status,
      ]).toEqual([wrong, 404]);
    const mine = await rig.frame(other.artifactId);
    expect((await rig.get(`${mine}secret.html`)).status).toBe(200);
    await test.database.query(
      'UPDATE artifacts.artifact SET preview_epoch = preview_epoch + 1 WHERE id = $1',
      [other.artifactId],
    );
    expect((await rig.get(`${mine}secret.html`)).status).toBe(404);
    const fresh = await rig.frame(other.artifactId);
    expect((await rig.get(`${fresh}secret.html`)).status).toBe(200);
    await test.database.query('UPDATE artifacts.artifact SET deleted_at = now() WHERE id = $1', [
      other.artifactId,
    ]);
    expect((await rig.get(`${fresh}secret.html`)).status).toBe(404);
    const { clock } = rig.library;
    const life = 12 * 3_600_000;
    clock.advance(life);
    expect((await rig.get(`${base}index.html`)).status).toBe(404);
    clock.advance(-life);
    expect((await rig.get(`${base}index.html`)).status).toBe(200);
  });

  it('closes the open previews of a member at once when they leave, and says nothing about who looks', async () => {
    const { access, member, projectId } = rig.library;
    const { baseUrl } = await rig.tickets.execute(member, { artifactId, projectId });
    expect((await rig.get(`${baseUrl}index.html`)).status).toBe(200);
    const [ticket] = baseUrl.split('/').slice(-2);
    const readable = Buffer.from(ticket!.split('.')[0]!, 'base64url').toString();
    expect(readable).not.toContain(member.personId);
    access.setRole(projectId, member.personId, null);
    expect((await rig.get(`${baseUrl}index.html`)).status).toBe(404);
    expect((await rig.get(`${base}index.html`)).status).toBe(200);
    access.setRole(projectId, member.personId, 'member');
    access.setActive(member.personId, false);
    expect((await rig.get(`${baseUrl}index.html`)).status).toBe(404);
    access.setActive(member.personId, true);
  });

  it('answers nothing while artifacts are switched off', async () => {
    rig.library.flags.set('artifacts.enabled', 'false');
    expect((await rig.get(`${base}index.html`)).status).toBe(404);
    rig.library.flags.set('artifacts.enabled', 'true');
  });

  it('artifacts 15.48: a stranger sees a public artifact only while public links are on', async () => {
    const { flags, projectId, stranger } = rig.library;
    const open = await rig.library.create({ 'index.html': 'open' });
    const input = { artifactId: open.artifactId, projectId };
    await expect(rig.tickets.execute(null, input)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await test.database.query("UPDATE artifacts.artifact SET privacy = 'public' WHERE id = $1", [
      open.artifactId,
    ]);
    await expect(rig.tickets.execute(null, input)).rejects.toMatchObject({ kind: 'unauthenticated' });
    flags.set('artifacts.public_links.enabled', 'true');
    const { baseUrl } = await rig.tickets.execute(null, input);
    expect((await rig.get(`${baseUrl}index.html`)).text).toBe('open');
    await expect(rig.tickets.execute(stranger, { artifactId, projectId })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await rig.pages.execute(null, { artifactId: open.artifactId, version: null })).toMatchObject({
      projectId: null,
      name: 'Checkout prototype',
    });
    flags.set('artifacts.public_links.enabled', 'false');
    expect((await rig.get(`${baseUrl}index.html`)).status).toBe(404);
  });

  it('artifacts 10.2: adds the hosts of the project to the policy, and takes nothing else for a host', async () => {
    const { owner, member, projectId } = rig.library;
    const origins = ['https://fonts.example', 'https://cdn.example:8443/'];
    expect(await rig.setHosts.execute(owner, { projectId, origins })).toEqual([
      'https://fonts.example',
      'https://cdn.example:8443',
    ]);
    const { headers } = await rig.get(`${base}index.html`);
    const both = 'https://fonts.example https://cdn.example:8443';
    const policy = headers['content-security-policy']!;
    for (const part of [
      `connect-src ${base} ${both};`,
      `'unsafe-eval' blob: ${both};`,
      `data: blob: ${both};`,
    ])
      expect(policy).toContain(part);
    expect(policy).toContain(`frame-src ${base};`);
    const wrong = [
      'http://plain.example',
      "https://x.example; script-src 'self'",
      'https://x.example/path',
      'https://*.example',
      'nonsense',
      'https://user@x.example',
    ];
    await expect(rig.setHosts.execute(owner, { projectId, origins: wrong })).rejects.toMatchObject({
      problems: wrong.map((_, index) => ({ argument: `origins[${index}]` })),
    });
    const many = Array.from({ length: 21 }, (_, index) => `https://h${index}.example`);
    await expect(rig.setHosts.execute(owner, { projectId, origins: many })).rejects.toThrow('at most 20');
    await expect(rig.setHosts.execute(member, { projectId, origins: [] })).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await rig.setHosts.execute(owner, { projectId, origins: [] });
  });

  it('says plainly that there is nothing to render', async () => {
    const bare = await rig.library.create({ 'data.json': '{}' });
    const answer = await rig.get(await rig.frame(bare.artifactId));
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('Nothing to render');
  });

  it('answers 503 with a sentence when a stored file is gone', async () => {
    const lost = await rig.library.create({ 'index.html': 'will be lost, unlike all others' });
    const itsBase = await rig.frame(lost.artifactId);
    const [row] = await test.database.query<{ sha256: string }>(
      'SELECT sha256 FROM artifacts.file f JOIN artifacts.version v ON v.id = f.version_id WHERE v.artifact_id = $1',
      [lost.artifactId],
    );
    const { rmSync } = await import('node:fs');
    const { sha256 } = row!;
    rmSync(`${rig.library.folder}/blobs/artifacts/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`);
    const answer = await rig.get(`${itsBase}index.html`);
    expect([answer.status, answer.text.includes('A stored file is damaged.')]).toEqual([503, true]);
    expect((await rig.get(`${base}index.html`)).status).toBe(200);
  });
});

describe('The door of previews on hosts of their own', () => {
  let test: TestDatabase;
  let rig: PreviewRig;

  beforeAll(async () => {
    test = await TestDatabase.start();
    rig = await PreviewRig.start(test.database, {
      env: {
        ARTIFACT_PREVIEW_ORIGIN: 'https://{label}.preview.example.net',
        ARTIFACT_LIVE_ORIGIN: 'https://{label}.apps.example.net',
      },
    });
    rig.library.flags.set('artifacts.publish.enabled', 'true');
  });
  afterAll(async () => {
    await rig?.stop();
    await test?.stop();
  });

  it('artifacts 10.1: gives each artifact a host and an origin, and no host answers for another', async () => {
    const one = await rig.library.create({ 'index.html': 'one' });
    const two = await rig.library.create({ 'index.html': 'two' });
    const base = await rig.frame(one.artifactId);
    expect(base).toMatch(
      new RegExp(`^https://${one.artifactId.replaceAll('-', '')}\\.preview\\.example\\.net/`),
    );
    const answer = await rig.get(`${base}index.html`);
    expect(answer.text).toBe('one');
    expect(answer.headers['content-security-policy']).toMatch(
      /^sandbox allow-scripts allow-forms allow-popups allow-modals allow-same-origin; /,
    );
    const path = new URL(base).pathname;
    const other = `https://${two.artifactId.replaceAll('-', '')}.preview.example.net`;
    expect((await rig.get(`${other}${path}index.html`)).status).toBe(404);
    // The application answers on no host of previews, and previews on no host of the application.
    for (const route of ['/api/session', '/', '/login', '/mcp', '/assets/x.js'])
      expect([route, (await rig.get(`${other}${route}`)).status]).toEqual([route, 404]);
    expect((await rig.get(`https://loupe.example/artifact-preview${path}index.html`)).status).toBe(299);
    expect((await rig.get('https://preview.example.net/api/session')).status).toBe(299);
  });

  it('artifacts 15.47: serves a published app on a host of its own, with an origin and in no frame', async () => {
    const { owner, projectId } = rig.library;
    const app = await rig.library.create({ 'index.html': '<a href="/x">x</a>' });
    const { liveUrl, subdomain } = await rig.publish.execute(owner, {
      projectId,
      artifactId: app.artifactId,
    });
    expect(liveUrl).toBe(`https://${subdomain}.apps.example.net/`);
    const answer = await rig.get(liveUrl);
    expect(answer.text).toBe('<a href="/x">x</a>');
    const policy = answer.headers['content-security-policy']!;
    expect(policy).toContain('allow-same-origin');
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`connect-src ${liveUrl};`);
    expect((await rig.get(`https://loupe.example/live/${subdomain}/`)).status).toBe(299);
  });
});
