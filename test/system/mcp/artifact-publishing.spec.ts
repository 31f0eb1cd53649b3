import type { PersonActor } from '#libs/kernel/actor.js';
import { PreviewStage } from '../../support/preview-stage.js';

const REFUSAL = 'Publishing artifacts is switched off on this instance.';

describe('publishing over MCP and HTTP', () => {
  let stage: PreviewStage;
  let token: string;

  beforeAll(async () => {
    stage = await PreviewStage.start();
    ({ token } = await stage.app.connect(stage.owner.personId, { projectId: stage.projectId }));
  });
  afterAll(() => stage?.stop());

  const live = (liveUrl: string) => fetch(liveUrl);

  it('artifacts 15.47: is hidden and refused while its flag is off', async () => {
    const { artifactId } = await stage.artifact({ 'index.html': 'x' });
    await stage.flag('artifacts.publish.enabled', false);
    expect((await stage.app.toolNames(token)).filter((name) => /^artifact.publish/.test(name))).toEqual([]);
    const result = await stage.app.call(token, 'artifact_publish', { sessionId: artifactId });
    expect([result.isError, result.content[0]!.text]).toEqual([true, REFUSAL]);
  });

  describe('while its flag is on', () => {
    beforeAll(() => stage.flag('artifacts.publish.enabled', true));

    it('artifacts 15.47: serves the pinned version to anybody, moves it on a repeat, and takes it down', async () => {
      const { artifactId } = await stage.artifact({ 'index.html': 'first' });
      const first = await stage.app.call(token, 'artifact_publish', {
        sessionId: artifactId,
        mode: 'webapp',
      });
      expect(first.structuredContent).toMatchObject({ success: true, version: 1 });
      const { liveUrl, subdomain } = first.structuredContent!;
      expect(await (await live(liveUrl)).text()).toBe('first');
      await stage.push(artifactId, { 'index.html': 'second' });
      expect(await (await live(liveUrl)).text()).toBe('first');
      // The compatibility name, and the other name of the argument.
      const again = await stage.app.call(token, 'artifact-publish', { artifactId });
      expect(again.structuredContent).toEqual({ success: true, liveUrl, subdomain, version: 2 });
      expect(await (await live(liveUrl)).text()).toBe('second');
      const down = await stage.app.call(token, 'artifact_unpublish', { sessionId: artifactId });
      expect(down.structuredContent).toEqual({ success: true, message: 'The live page is down.' });
      expect((await live(liveUrl)).status).toBe(404);
      const repeat = await stage.app.call(token, 'artifact-unpublish', { sessionId: artifactId });
      expect(repeat.structuredContent).toEqual({
        success: true,
        message: 'The artifact was not published.',
      });
    });

    it('refuses with a code and the argument', async () => {
      const { artifactId } = await stage.artifact({ 'index.html': 'x' });
      const refused = async (args: object) => {
        const result = await stage.app.call(token, 'artifact_publish', args);
        expect(result.isError).toBe(true);
        return result.structuredContent!.error;
      };
      expect(await refused({ sessionId: artifactId, version: 7 })).toMatchObject({
        code: 'NOT_FOUND',
        message: 'version 7 does not exist; the latest is 1.',
      });
      expect(await refused({ sessionId: artifactId, mode: 'static' })).toMatchObject({
        code: 'INVALID_ARGUMENT',
        argument: 'mode',
      });
      const unknown = { code: 'NOT_FOUND', message: 'Artifact not found or not accessible.' };
      expect(await refused({ sessionId: '0195c0de-0000-7000-8000-0000000000f1' })).toEqual(unknown);
      expect(await refused({ sessionId: 'nonsense' })).toEqual(unknown);
      const other = await stage.artifact({ 'index.html': 'y' });
      expect(await refused({ sessionId: artifactId, artifactId: other.artifactId })).toMatchObject({
        message: 'Pass sessionId or artifactId, not two different ids.',
      });
    });

    it('says in the list that it is seen outside and destroys nothing', async () => {
      const { tools } = await stage.app.rpc<{ tools: { name: string; annotations: object }[] }>(
        token,
        'tools/list',
      );
      expect(tools.find(({ name }) => name === 'artifact_publish')!.annotations).toEqual({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      });
    });

    it('serves the same to people, who also set the hosts of previews', async () => {
      const browser = await stage.app.signIn(stage.owner.personId);
      const { artifactId } = await stage.artifact({ 'index.html': 'x' });
      const base = `/api/projects/${stage.projectId}/artifacts`;
      const published = await browser('POST', `${base}/${artifactId}/publish`, { version: 1 });
      expect([published.status, published.json.version]).toEqual([200, 1]);
      const ticket = await browser('GET', `${base}/${artifactId}/preview-ticket?version=1`);
      expect(ticket.json).toEqual({
        frameUrl: expect.stringMatching(/\/artifact-preview\/[^/]+\/index\.html$/),
        baseUrl: expect.stringMatching(/\/artifact-preview\/[^/]+\/$/),
        expiresAt: expect.any(String),
        sandbox: 'allow-scripts allow-forms allow-modals',
      });
      expect((await browser('GET', `${base}/${artifactId}/preview-ticket?version=x`)).status).toBe(422);
      expect((await browser('GET', `${base}/${artifactId}/preview-ticket?version=9`)).status).toBe(404);
      const hosts = await browser('PUT', `${base}/preview-hosts`, { origins: ['https://fonts.example/'] });
      expect([hosts.status, hosts.json]).toEqual([200, { origins: ['https://fonts.example'] }]);
      expect((await browser('GET', `${base}/preview-hosts`)).json).toEqual({
        origins: ['https://fonts.example'],
      });
      expect((await browser('PUT', `${base}/preview-hosts`, { origins: ['http://x.example'] })).status).toBe(
        422,
      );
      const answer = await fetch(ticket.json.frameUrl);
      expect(answer.headers.get('content-security-policy')).toContain(' https://fonts.example;');
      const undone = await browser('POST', `${base}/${artifactId}/unpublish`);
      expect(undone.json).toEqual({ published: false, changed: true });
    });

    it('lets an admin take a page down, who sees nothing else of the project', async () => {
      const { artifactId } = await stage.artifact({ 'index.html': 'x' });
      const { liveUrl } = (await stage.app.call(token, 'artifact_publish', { sessionId: artifactId }))
        .structuredContent!;
      const admin: PersonActor = await stage.app.person('Ida Admin');
      await stage.app.db.database.query('UPDATE identity.persons SET is_admin = true WHERE id = $1', [
        admin.personId,
      ]);
      const browser = await stage.app.signIn(admin.personId);
      const path = `/api/admin/artifacts/${artifactId}/unpublish`;
      expect((await browser('POST', path, { reason: '' })).status).toBe(422);
      const taken = await browser('POST', path, { reason: 'It asks for passwords.' });
      expect([taken.status, taken.json]).toEqual([200, { published: false, changed: true }]);
      expect((await live(liveUrl)).status).toBe(404);
      // artifacts 10.6: the people of the project read why.
      const owner = await stage.app.signIn(stage.owner.personId);
      const page = `/api/projects/${stage.projectId}/artifacts/${artifactId}`;
      expect((await owner('GET', page)).json).toMatchObject({
        published: false,
        liveUrl: null,
        takenDown: 'It asks for passwords.',
      });
      const ticket = `${page}/preview-ticket`;
      expect((await browser('GET', ticket)).status).toBe(404);
    });
  });

  it('shows the state of the origins of previews among the checks of the instance', async () => {
    const admin = await stage.app.person('Ona Admin');
    await stage.app.db.database.query('UPDATE identity.persons SET is_admin = true WHERE id = $1', [
      admin.personId,
    ]);
    const browser = await stage.app.signIn(admin.personId);
    const { json } = await browser('GET', '/api/admin/status');
    expect(JSON.stringify(json)).toContain('Previews are shown from this host on an opaque origin.');
  });
});
