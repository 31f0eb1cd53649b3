import { TestDatabase } from '../../../../test/support/test-database.js';
import { PreviewRig } from '../testing/preview-rig.js';

describe('Publishing an app', () => {
  let test: TestDatabase;
  let rig: PreviewRig;

  beforeAll(async () => {
    test = await TestDatabase.start();
    rig = await PreviewRig.start(test.database);
  });
  beforeEach(() => {
    rig.library.flags.set('artifacts.publish.enabled', 'true');
    rig.library.forget();
  });
  afterAll(async () => {
    await rig?.stop();
    await test?.stop();
  });

  const publish = (artifactId: string, more: object = {}, actor = rig.library.agent as never) =>
    rig.publish.execute(actor, { projectId: rig.library.projectId, artifactId, ...more });
  const unpublish = (artifactId: string) =>
    rig.unpublish.execute(rig.library.owner, { projectId: rig.library.projectId, artifactId });

  it('artifacts 15.47: pins a version; an edit changes nothing, publishing again moves it, unpublishing gives 404', async () => {
    const { artifactId } = await rig.library.create(
      { 'index.html': 'first' },
      { name: 'Kassen-Prototyp Über' },
    );
    const first = await publish(artifactId);
    expect(first).toEqual({
      liveUrl: `https://loupe.example/live/${first.subdomain}/`,
      subdomain: expect.stringMatching(/^kassen-prototyp-uber-[a-z0-9]{4}$/),
      version: 1,
    });
    expect((await rig.get(first.liveUrl)).text).toBe('first');
    await rig.library.push(artifactId, { 'index.html': 'second' });
    expect((await rig.get(first.liveUrl)).text).toBe('first');
    expect(await publish(artifactId)).toEqual({ ...first, version: 2 });
    expect((await rig.get(first.liveUrl)).text).toBe('second');
    expect(await publish(artifactId, { version: 1 })).toEqual({ ...first, version: 1 });
    expect(await unpublish(artifactId)).toBe(true);
    expect((await rig.get(first.liveUrl)).status).toBe(404);
    expect(await unpublish(artifactId)).toBe(false);
    expect((await publish(artifactId)).subdomain).toBe(first.subdomain);
  });

  it('keeps one record of each change, and none of a repeat', async () => {
    const { artifactId } = await rig.library.create();
    rig.library.forget();
    await publish(artifactId);
    await publish(artifactId);
    await unpublish(artifactId);
    await unpublish(artifactId);
    const operations = rig.library.audit.entries.map(({ operation }) => operation);
    expect(operations).toEqual(['artifact.published', 'artifact.unpublished']);
    const types = rig.library.outbox.events.map(({ type }) => type);
    expect(types).toEqual(['ArtifactPublished', 'ArtifactUnpublished']);
  });

  it('gives one address when two publish at the same moment', async () => {
    const { artifactId } = await rig.library.create();
    const both = await Promise.all([1, 2, 3, 4].map(() => publish(artifactId)));
    expect(new Set(both.map(({ subdomain }) => subdomain)).size).toBe(1);
  });

  it('artifacts 15.47: live pages are 404 while publishing is off, and the call is refused', async () => {
    const { artifactId } = await rig.library.create();
    const { liveUrl } = await publish(artifactId);
    rig.library.flags.set('artifacts.publish.enabled', 'false');
    expect((await rig.get(liveUrl)).status).toBe(404);
    await expect(publish(artifactId)).rejects.toMatchObject({
      kind: 'switched-off',
      message: 'Publishing artifacts is switched off on this instance.',
    });
  });

  it('carries no ticket, no session and no frame: the policy names the live address alone', async () => {
    const { artifactId } = await rig.library.create({
      'index.html': '<script src="/app.js"></script>',
      'app.js': '1',
    });
    const { liveUrl, subdomain } = await publish(artifactId);
    const page = await rig.get(liveUrl, { headers: { cookie: 'loupe_session=x' } });
    expect(page.text).toBe(`<script src="/live/${subdomain}/app.js"></script>`);
    expect(page.headers['cache-control']).toBe('no-cache');
    const policy = page.headers['content-security-policy']!;
    expect(policy).toContain(`connect-src ${liveUrl};`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('allow-same-origin');
    expect((await rig.get('https://loupe.example/live/nothing-here/')).status).toBe(404);
    expect((await rig.get("https://loupe.example/live/a'--/")).status).toBe(404);
  });

  it('refuses what is no app, archived, without a page, of another version, or in no right', async () => {
    const { owner, viewer, stranger } = rig.library;
    const { artifactId } = await rig.library.create();
    const markdown = await rig.library.create({ 'README.md': '# Hi' }, { artifactType: 'markdown' });
    await expect(publish(markdown.artifactId)).rejects.toThrow('only an app is published');
    await expect(publish(artifactId, { mode: 'static' })).rejects.toThrow('mode: must be webapp.');
    await expect(publish(artifactId, { version: 9 })).rejects.toThrow(
      'version 9 does not exist; the latest is 1.',
    );
    const seed = await rig.library.create({ 'README.md': '# Clone me' });
    await expect(publish(seed.artifactId)).rejects.toMatchObject({
      code: 'nothing_to_publish',
      message: 'Nothing to publish: version 1 has no index.html.',
    });
    await expect(publish(artifactId, {}, viewer as never)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(publish(artifactId, {}, stranger as never)).rejects.toMatchObject({ kind: 'not-found' });
    await test.database.query('UPDATE artifacts.artifact SET archived_at = now() WHERE id = $1', [
      artifactId,
    ]);
    await expect(publish(artifactId, {}, owner as never)).rejects.toMatchObject({
      code: 'archived',
      message: 'Artifact is archived. Call artifact_unarchive first.',
    });
  });

  it('artifacts 7.7: refuses a version that does not build, with the reason', async () => {
    const broken = await rig.library.create(
      {
        'index.html': '<script type="module" src="/src/main.jsx"></script>',
        'src/main.jsx': 'import "left-pad";',
      },
      { framework: 'react' },
    );
    await expect(publish(broken.artifactId)).rejects.toMatchObject({
      code: 'does_not_build',
      message:
        'Version 1 does not build: Cannot find module "left-pad" in src/main.jsx. Preview has: react, react-dom.',
    });
    const frame = await rig.get(await rig.frame(broken.artifactId));
    expect(frame.status).toBe(422);
    expect(frame.text).toContain('Cannot find module &quot;left-pad&quot;');
  });

  it('artifacts 12: refuses the session of a worker', async () => {
    const { artifactId } = await rig.library.create();
    rig.hooks.serveWorkerSessions({ isWorkerSession: async (session) => session === 'a-worker' });
    const worker = { ...rig.library.agent, agentSessionId: 'a-worker' };
    await expect(publish(artifactId, {}, worker as never)).rejects.toMatchObject({ code: 'worker_session' });
    const other = { ...rig.library.agent, agentSessionId: 'no-worker' };
    expect(await publish(artifactId, {}, other as never)).toMatchObject({ version: 1 });
  });

  it('lets an admin who is no member take a page down with a reason, and nobody else', async () => {
    const { stranger, owner } = rig.library;
    const { artifactId } = await rig.library.create();
    const { liveUrl } = await publish(artifactId);
    const admin = { ...stranger, isAdmin: true };
    const input = { artifactId, reason: ' Phishing. ' };
    await expect(rig.unpublish.byAdmin(owner, input)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(rig.unpublish.byAdmin(admin, { artifactId, reason: ' ' })).rejects.toThrow('reason:');
    expect(await rig.unpublish.byAdmin(admin, input)).toBe(true);
    expect((await rig.get(liveUrl)).status).toBe(404);
    expect(await rig.publications.of(artifactId)).toMatchObject({
      version: null,
      takenDownReason: 'Phishing.',
    });
    const other = await rig.library.create();
    await expect(
      rig.unpublish.byAdmin(admin, { artifactId: other.artifactId, reason: 'x' }),
    ).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('Previews that are built', () => {
  let test: TestDatabase;
  let rig: PreviewRig;

  beforeAll(async () => {
    test = await TestDatabase.start();
    rig = await PreviewRig.start(test.database);
  });
  afterAll(async () => {
    await rig?.stop();
    await test?.stop();
  });

  it('artifacts 15.45: shows a React app, its built files, and what lies in public/', async () => {
    const { artifactId } = await rig.library.create(
      {
        'index.html':
          '<div id="root"></div><script type="module" src="/src/main.jsx"></script><img src="/logo.svg">',
        'src/main.jsx':
          'import { createRoot } from "react-dom/client"; createRoot(document.getElementById("root")).render(<b>Hi</b>);',
        'public/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
      { framework: 'react' },
    );
    const base = await rig.frame(artifactId);
    const page = await rig.get(base);
    expect(page.status).toBe(200);
    const [, script] = /src="([^"]+\.js)"/.exec(page.text)!;
    expect(script).toMatch(new RegExp(`^${new URL(base).pathname}preview-build/main-`));
    const code = await rig.get(`https://loupe.example${script}`);
    expect([code.status, code.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect((await rig.get(`${base}logo.svg`)).status).toBe(200);
    expect((await rig.get(`${base}orders/7`)).text).toBe(page.text);
  });

  it('artifacts 15.46: shows Markdown as a page without scripts, with its pictures', async () => {
    const { artifactId } = await rig.library.create(
      {
        'README.md': '# Plan\n\n![x](img/a.svg) [more](more.md) <script>alert(1)</script>',
        'more.md': '# More',
        'img/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      },
      { artifactType: 'markdown' },
    );
    const { frameUrl, baseUrl } = await rig.tickets.execute(rig.library.owner, {
      artifactId,
      projectId: rig.library.projectId,
    });
    expect(frameUrl).toBe(`${baseUrl}README.md`);
    const page = await rig.get(frameUrl);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toMatch(
      /^sandbox allow-forms allow-popups allow-modals; /,
    );
    expect(page.text).toContain('<h1 id="plan">');
    expect(page.text).not.toContain('alert(1)');
    expect((await rig.get(`${baseUrl}more.md`)).text).toContain('More');
    const picture = await rig.get(`${baseUrl}img/a.svg`);
    expect(picture.headers['content-security-policy']).not.toContain('allow-scripts');
  });

  it('builds once, however many look at the same time', async () => {
    const { artifactId } = await rig.library.create({ 'README.md': '# Once' }, { artifactType: 'markdown' });
    const base = await rig.frame(artifactId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.get(`${base}README.md`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const rows = await test.database.query(
      'SELECT state FROM artifacts.preview_build b JOIN artifacts.version v ON v.id = b.version_id WHERE v.artifact_id = $1',
      [artifactId],
    );
    expect(rows).toEqual([{ state: 'ready' }]);
  });

  it('takes over a build whose process died', async () => {
    const { artifactId } = await rig.library.create({ 'README.md': '# Left' }, { artifactType: 'markdown' });
    const [version] = await test.database.query<{ id: string }>(
      'SELECT id FROM artifacts.version WHERE artifact_id = $1',
      [artifactId],
    );
    expect(await rig.builds.claim(version!.id, 'markdown-1')).toBe(true);
    expect(await rig.builds.claim(version!.id, 'markdown-1')).toBe(false);
    rig.library.clock.advance(121_000);
    expect((await rig.get(`${await rig.frame(artifactId)}README.md`)).status).toBe(200);
  });

  it('tries again, ten minutes later, what ran out of time on a busy machine', async () => {
    const { artifactId } = await rig.library.create({ 'README.md': '# Slow' }, { artifactType: 'markdown' });
    const [version] = await test.database.query<{ id: string }>(
      'SELECT id FROM artifacts.version WHERE artifact_id = $1',
      [artifactId],
    );
    const { builds } = rig;
    const builder = 'markdown-1';
    expect(await builds.claim(version!.id, builder)).toBe(true);
    const failed = { versionId: version!.id, builder, state: 'failed', root: '', entryPath: null } as const;
    const retryAt = new Date(rig.library.clock.now().getTime() + 600_000);
    await builds.finish({ ...failed, log: 'The build took longer than 60 seconds.' }, [], retryAt);
    const base = await rig.frame(artifactId);
    const answer = await rig.get(`${base}README.md`);
    expect([answer.status, answer.text.includes('longer than 60 seconds')]).toEqual([422, true]);
    rig.library.clock.advance(600_000);
    expect((await rig.get(`${base}README.md`)).status).toBe(200);
  });
});
