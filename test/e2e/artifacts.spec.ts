import { randomUUID } from 'node:crypto';
import { PageStream } from '../../src/platform/testing/page-stream.js';
import { ClientSite } from '../support/agent.js';
import { BoardAgent } from '../support/board-agent.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  addMember,
  addPerson,
  adminEnv,
  liftRateLimit,
  type McpAnswer,
  newProject,
  signedIn,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const FIVE = ['artifact_list', 'artifact_get', 'artifact_read', 'artifact_archive', 'artifact_unarchive'];

interface Row {
  readonly artifactId: string;
  readonly name: string;
}

/** Agents and people work with artifacts of the built server, over MCP and in the browser. */
describe('artifacts, seen by agents and people', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let ada: Visitor;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    ada = await signedIn(server.origin);
    await liftRateLimit(ada);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  async function flag(name: string, value: unknown): Promise<void> {
    const { status } = await ada.api('PUT', `/admin/flags/${name}`, { value });
    expect(status).toBe(200);
  }

  async function project() {
    const projectId = await newProject(ada, 'Ferry');
    const agent = await BoardAgent.signedIn(ada, projectId, server.origin);
    const api = <T = Record<string, unknown>>(method: string, path = '', body?: unknown) =>
      ada.api<T>(method, `/projects/${projectId}/artifacts${path}`, body);
    const imported = async (files: Record<string, string>, more: object = {}) =>
      (await agent.call('artifact_create', { type: 'import', files, ...more })) as unknown as {
        artifactId: string;
        revision: string;
        version: number;
      };
    return { projectId, agent, api, imported };
  }

  it('artifacts 1: a fresh install lists no tool of artifacts, refuses a call, and answers 404 for the library', async () => {
    const { agent, api } = await project();
    const listed = await agent.listed();
    expect(listed.filter((name) => /artifact|workspace_/.test(name))).toEqual([]);
    const answer = await agent.raw('artifact_list');
    expect(answer.body.result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Artifacts are switched off on this instance.' }],
      structuredContent: { success: false, error: { code: 'DISABLED' } },
    });
    expect(await api('GET')).toMatchObject({ status: 404, body: { error: 'switched_off' } });
  });

  describe('switched on', () => {
    beforeAll(async () => {
      await flag('artifacts.enabled', true);
      await flag('artifacts.creates_per_hour', 1_000);
    });

    it('artifacts 2: the five reading tools are listed, and the list of a new project is empty', async () => {
      const { agent } = await project();
      const listed = await agent.listed();
      expect(listed).toEqual(expect.arrayContaining(FIVE));
      expect(await agent.call('artifact_list')).toEqual({
        artifacts: [],
        page: 1,
        perPage: 20,
        hasMore: false,
      });
    });

    it('artifacts 3: 25 artifacts come newest first, 20 on the first page and 5 on the second', async () => {
      const { agent, imported } = await project();
      for (let n = 1; n <= 25; n += 1) await imported({ 'index.html': `<p>${n}</p>` }, { name: `No ${n}` });
      const first = await agent.call('artifact_list');
      expect((first.artifacts as unknown as Row[]).map(({ name }) => name)).toEqual(
        Array.from({ length: 20 }, (_, index) => `No ${25 - index}`),
      );
      expect(first.hasMore).toBe(true);
      const second = await agent.call('artifact_list', { page: 2 });
      expect(second.artifacts).toHaveLength(5);
      expect(second.hasMore).toBe(false);
      expect(await agent.call('artifact_list', { page: 9 })).toMatchObject({ artifacts: [], hasMore: false });
    });

    it('artifacts 4: an archived one leaves the list, still reads, and is archived once', async () => {
      const { agent, imported } = await project();
      const { artifactId } = await imported({ 'index.html': '<p>kept</p>' });
      expect(await agent.call('artifact_archive', { artifactId })).toEqual({
        artifactId,
        archived: true,
        changed: true,
      });
      expect((await agent.call('artifact_list')).artifacts).toEqual([]);
      const all = await agent.call('artifact_list', { includeArchived: true });
      expect(all.artifacts).toEqual([expect.objectContaining({ artifactId, archived: true })]);
      const read = await agent.raw('artifact_read', { artifactId, path: 'index.html' });
      expect(read.body.result!.content).toEqual([{ type: 'text', text: '<p>kept</p>' }]);
      expect(await agent.call('artifact_archive', { artifactId })).toMatchObject({ changed: false });
      expect(await agent.refusal('artifact_edit', edit(artifactId, '0'.repeat(40)))).toBe(
        'Artifact is archived. Call artifact_unarchive first.',
      );
      expect(await agent.call('artifact_unarchive', { artifactId })).toMatchObject({
        archived: false,
        changed: true,
      });
    });

    it('artifacts 5: after two versions artifact_get lists both, and the files of the one that is asked for', async () => {
      const { agent, imported } = await project();
      const { artifactId, revision } = await imported({ 'index.html': 'one', 'a.css': 'p{}' });
      await agent.call('artifact_edit', {
        artifactId,
        baseRevision: revision,
        commitMessage: 'Tighter header',
        changes: [
          { op: 'write', path: 'b/new page.html', content: 'two' },
          { op: 'delete', path: 'a.css' },
        ],
      });
      const latest = await agent.call('artifact_get', { artifactId });
      expect(latest.versions).toEqual([
        expect.objectContaining({
          version: 2,
          notes: 'Tighter header',
          source: 'edit',
          fileCount: 2,
          totalBytes: 6,
        }),
        expect.objectContaining({ version: 1, source: 'import', fileCount: 2, totalBytes: 6 }),
      ]);
      const paths = (answer: unknown) =>
        (answer as { version: { files: { path: string }[] } }).version.files.map(({ path }) => path);
      expect(paths(latest)).toEqual(['b/new page.html', 'index.html']);
      expect(paths(await agent.call('artifact_get', { artifactId, version: 1 }))).toEqual([
        'a.css',
        'index.html',
      ]);
      expect(await agent.refusal('artifact_get', { artifactId, version: 9 })).toBe(
        'version 9 does not exist; the latest is 2.',
      );
    });

    it('artifacts 6: texts come back byte for byte', async () => {
      const { agent, imported } = await project();
      const files = {
        'index.html': '<!doctype html>\n<p>żółć 🚀</p>\n',
        'a.css': 'p { color: red }',
        'a.js': 'alert(1)\n\n',
        'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        'a.json': '{ "b": 1 }',
        'a.md': '# Title\n\n  text  \n',
        'empty.txt': '',
      };
      const { artifactId } = await imported(files);
      for (const [path, text] of Object.entries(files)) {
        const { result } = (await agent.raw('artifact_read', { artifactId, path })).body;
        expect(result!.content).toEqual([{ type: 'text', text }]);
        expect(result!.structuredContent).toMatchObject({ path, kind: 'text', nextOffset: null });
      }
    });

    it('artifacts 9: unknown, foreign and malformed ids get the same answer on all tools', async () => {
      const { agent, imported } = await project();
      const { artifactId: own } = await imported({ 'index.html': 'x' });
      const other = await project();
      const { artifactId: foreign } = await other.imported({ 'index.html': 'x' });
      const calls: [string, object][] = [
        ['artifact_get', {}],
        ['artifact_read', { path: 'index.html' }],
        ['artifact_archive', {}],
        ['artifact_unarchive', {}],
        ['artifact_explore', { action: 'tree' }],
        ['artifact_edit', { ...edit(own, '0'.repeat(40)), artifactId: undefined }],
        ['artifact_get_git_token', {}],
        ['artifact_update_metadata', { name: 'New' }],
        ['artifact_duplicate', {}],
        ['artifact_set_cards', { cardIds: [] }],
        ['artifact_status', {}],
      ];
      for (const [name, args] of calls) {
        const answers: McpAnswer['body']['result'][] = [];
        for (const artifactId of [randomUUID(), foreign, 'no-id']) {
          answers.push((await agent.raw(name, { ...args, artifactId })).body.result);
        }
        expect([name, answers[0]]).toMatchObject([
          name,
          {
            isError: true,
            content: [{ text: 'Artifact not found or not accessible.' }],
            structuredContent: { error: { code: 'NOT_FOUND' } },
          },
        ]);
        expect(JSON.stringify(answers[1])).toBe(JSON.stringify(answers[0]));
        expect(JSON.stringify(answers[2])).toBe(JSON.stringify(answers[0]));
      }
    });

    it('artifacts 10: card_get lists a linked artifact, which goes with the card', async () => {
      const { agent, imported, projectId } = await project();
      const { artifactId } = await imported({ 'index.html': 'x' }, { name: 'Checkout' });
      const card = await agent.create('A card');
      const set = await agent.call('artifact_set_cards', { artifactId, cardIds: [card.cardId] });
      expect(set.cards).toEqual([{ cardId: card.cardId, number: card.number, title: 'A card' }]);
      const read = await agent.call('card_get', { cardId: card.cardId });
      expect(read.artifacts).toEqual([
        {
          artifactId,
          name: 'Checkout',
          artifactType: 'app',
          latestVersion: 1,
          archived: false,
          url: expect.stringContaining(artifactId),
        },
      ]);
      expect((await agent.call('artifact_get', { artifactId })).cards).toEqual(set.cards);
      expect(await agent.refusal('artifact_set_cards', { artifactId, cardIds: [randomUUID()] })).toBe(
        'cardIds[0] names no card of this project.',
      );
      const second = await agent.create('Made with it', { artifactIds: [artifactId] });
      expect((await agent.call('artifact_get', { artifactId })).cards).toHaveLength(2);
      const { status } = await ada.api('DELETE', `/projects/${projectId}/board/cards/${card.cardId}`, {
        confirm: card.number,
      });
      expect(status).toBe(204);
      await until(async () => {
        const { cards } = await agent.call('artifact_get', { artifactId });
        return (cards as unknown as object[]).length === 1;
      });
      await agent.update(second.number as unknown as number, { artifactIds: [] });
      expect((await agent.call('artifact_get', { artifactId })).cards).toEqual([]);
    });

    it('artifacts 11: no answer holds a resource', async () => {
      const { agent, imported } = await project();
      const { artifactId } = await imported({ 'index.html': 'x' });
      for (const [name, args] of [
        ['artifact_list', {}],
        ['artifact_get', { artifactId }],
        ['artifact_read', { artifactId, path: 'index.html' }],
        ['artifact_explore', { artifactId, action: 'tree' }],
      ] as const) {
        const { result } = (await agent.raw(name, args)).body;
        for (const block of result!.content as unknown as { type: string }[]) {
          expect(['text', 'image']).toContain(block.type);
        }
      }
    });

    it('artifacts 24: several workspaces that take artifacts must be told apart, one that agents only read is closed', async () => {
      const { agent, api, imported } = await project();
      const made = await api<{ workspaceId: string }>('POST', '/workspaces', { name: 'Designs' });
      expect(made.status).toBe(201);
      const { workspaceId } = made.body;
      const general = (
        (await agent.call('workspace_list_workspaces')).workspaces as unknown as { workspaceId: string }[]
      )[0]!;
      const files = { 'index.html': 'x' };
      expect(await agent.refusal('artifact_create', { type: 'import', files })).toBe(
        `workspaceId is required: you can create in General (${general.workspaceId}), Designs (${workspaceId}).`,
      );
      await imported(files, { workspaceId });
      expect((await api('PATCH', `/workspaces/${workspaceId}`, { agentAccess: 'read' })).status).toBe(200);
      await imported(files);
      expect(await agent.refusal('artifact_create', { type: 'import', files, workspaceId })).toBe(
        'Agents may only read in workspace Designs. Ask the owner or a maintainer of the project to change its access.',
      );
    });

    it('artifacts 25: a compatibility name does what its tool does, and is listed only while the flag says so', async () => {
      const { agent } = await project();
      const args = { type: 'import', files: { 'index.html': 'x' }, name: 'Same' };
      const [a, b] = [await agent.call('artifact_create', args), await agent.call('artifact-create', args)];
      expect(Object.keys(a)).toEqual(Object.keys(b));
      expect(await agent.listed()).toEqual(expect.arrayContaining(['artifact_create', 'artifact-create']));
      await flag('artifacts.aliases.listed', false);
      try {
        await until(async () => !(await agent.listed()).includes('artifact-create'));
        expect(await agent.listed()).toContain('artifact_create');
        await agent.call('artifact-create', args);
      } finally {
        await flag('artifacts.aliases.listed', true);
      }
    });

    it('artifacts 34 to 36: an edit is refused as a whole, and done with the right count', async () => {
      const { agent, imported } = await project();
      const { artifactId, revision } = await imported({ 'index.html': 'a b a', 'x.txt': 'x' });
      const twice = { op: 'str_replace', path: 'index.html', oldText: 'a', newText: 'c' };
      const attempt = (changes: object[], baseRevision = revision) =>
        agent.raw('artifact_edit', { sessionId: artifactId, baseRevision, commitMessage: 'Change', changes });
      const refused = await attempt([
        { op: 'write', path: 'new.txt', content: 'n' },
        { op: 'delete', path: 'x.txt' },
        twice,
      ]);
      expect(refused.body.result).toMatchObject({
        isError: true,
        content: [
          { text: 'changes[2].oldText occurs 2 times in index.html; add nearby lines or pass replaceAll.' },
        ],
        structuredContent: { error: { code: 'INVALID_ARGUMENT', argument: 'changes[2].oldText' } },
      });
      expect(await agent.call('artifact_get', { artifactId })).toMatchObject({ latestVersion: 1 });
      const done = await attempt([{ ...twice, replaceAll: true, expectedReplacements: 2 }]);
      const result = done.body.result!.structuredContent!;
      expect(result).toMatchObject({
        success: true,
        version: 2,
        previousRevision: revision,
        changedFiles: ['index.html'],
      });
      const read = await agent.raw('artifact_read', { artifactId, path: 'index.html' });
      expect(read.body.result!.content).toEqual([{ type: 'text', text: 'c b c' }]);
      const stale = await attempt([{ op: 'delete', path: 'x.txt' }]);
      expect(stale.body.result).toMatchObject({
        isError: true,
        structuredContent: {
          error: {
            code: 'REVISION_CONFLICT',
            currentRevision: result.revision,
            changedSinceBase: ['index.html'],
          },
        },
      });
    });

    it('artifacts 37: a catastrophic expression answers in under 2 s, an unsupported one is refused', async () => {
      const { agent, imported } = await project();
      const { artifactId } = await imported({ 'index.html': `${'a'.repeat(20_000)}!\n`.repeat(4) });
      const started = Date.now();
      const found = await agent.call('artifact_explore', {
        artifactId,
        action: 'search',
        regex: true,
        query: '^(a+)+$',
      });
      expect(Date.now() - started).toBeLessThan(2_000);
      expect(found.matches).toEqual([]);
      expect(
        await agent.refusal('artifact_explore', {
          artifactId,
          action: 'search',
          regex: true,
          query: '(?=a)b',
        }),
      ).toMatch(/^query is not a supported regular expression: /);
    });

    it('artifacts 5: pages read, change and compare what agents stored, and are told when it moved', async () => {
      const { agent, api, imported, projectId } = await project();
      const page = '<script>alert(1)</script>';
      const { artifactId, revision } = await imported(
        { 'index.html': page, 'a.txt': 'one' },
        { name: 'Shown' },
      );
      const topics = encodeURIComponent(`project:${projectId}:artifacts`);
      const live = await PageStream.open(`${server.origin}/api/live?topics=${topics}`, {
        cookie: ada
          .cookiesFor(server.origin)
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
      });
      await live.placed();
      await agent.call('artifact_edit', edit(artifactId, revision));
      await until(() =>
        live.updates.some(
          (update) => update.type === 'version' && update.subjectId === artifactId && update.version === 2,
        ),
      );
      live.close();

      const library = await api<{ artifacts: object[]; total: number }>('GET', '?search=shown&sort=changed');
      expect(library.body).toMatchObject({
        total: 1,
        artifacts: [
          {
            artifactId,
            workspaceName: 'General',
            createdBy: { kind: 'agent', displayName: 'ada.admin' },
            cards: [],
          },
        ],
      });
      const shown = await api<{ edit: number }>('GET', `/${artifactId}`);
      expect(shown.body).toMatchObject({
        name: 'Shown',
        latestVersion: 2,
        version: { version: 2, files: [{ path: 'a.txt' }, { path: 'index.html', page: true }] },
        versions: [{ version: 2, notes: 'Second' }, { version: 1 }],
        can: { write: true, administer: true },
        job: null,
      });
      const stale = { name: 'Mine', version: shown.body.edit };
      expect(
        await api('PATCH', `/${artifactId}`, { name: 'Renamed', version: shown.body.edit }),
      ).toMatchObject({
        status: 200,
        body: { name: 'Renamed' },
      });
      expect(await api('PATCH', `/${artifactId}`, stale)).toMatchObject({
        status: 409,
        body: { error: 'stale', current: { name: 'Renamed' } },
      });
      const compared = await api('GET', `/${artifactId}/compare`);
      expect(compared.body).toMatchObject({ counts: { added: 0, removed: 0, changed: 1, same: 1 } });
      const diff = await api('GET', `/${artifactId}/diff?from=1&to=2&path=index.html`);
      expect(diff.body).toMatchObject({ kind: 'text', change: 'changed' });
      expect((await api('GET', '/usage')).body).toMatchObject({ artifacts: 1 });

      const file = await ada.request(
        `/api/projects/${projectId}/artifacts/${artifactId}/files/1?path=index.html`,
      );
      expect(await file.text()).toBe(page);
      expect(Object.fromEntries(file.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      });
      const again = await ada.request(
        `/api/projects/${projectId}/artifacts/${artifactId}/files/1?path=index.html`,
        { headers: { 'if-none-match': file.headers.get('etag')! } },
      );
      expect(again.status).toBe(304);
      for (const path of ['..%2findex.html', '%2e%2e/index.html', 'INDEX.HTML', '']) {
        expect((await api('GET', `/${artifactId}/files/1?path=${path}`)).status).toBe(404);
      }
      const overview = await ada.api<{ git: { version: string } }>('GET', '/admin/artifacts');
      expect(overview).toMatchObject({
        status: 200,
        body: { git: { version: expect.stringMatching(/^2\./) } },
      });
    });

    it('artifacts 59: restoring version 1 makes a new version with its files', async () => {
      const { agent, api, imported } = await project();
      const { artifactId, revision } = await imported({ 'index.html': 'one' });
      await agent.call('artifact_edit', edit(artifactId, revision));
      const restored = await api('POST', `/${artifactId}/versions/1/restore`);
      expect(restored).toMatchObject({ status: 201, body: { version: 3, unchanged: false } });
      const read = await agent.raw('artifact_read', { artifactId, path: 'index.html' });
      expect(read.body.result!.content).toEqual([{ type: 'text', text: 'one' }]);
      const page = await api<{ versions: { version: number; source: string }[] }>('GET', `/${artifactId}`);
      expect(page.body.versions.map(({ version, source }) => [version, source])).toEqual([
        [3, 'restore'],
        [2, 'edit'],
        [1, 'import'],
      ]);
    });

    it('artifacts 60: a deleted artifact is not found by anybody, and comes back with everything', async () => {
      const { agent, api, imported } = await project();
      const { artifactId } = await imported({ 'index.html': 'one' });
      expect((await api('DELETE', `/${artifactId}`)).status).toBe(202);
      for (const [name, args] of [
        ['artifact_get', {}],
        ['artifact_read', { path: 'index.html' }],
        ['artifact_explore', { action: 'tree' }],
      ] as const) {
        expect(await agent.refusal(name, { artifactId, ...args })).toBe(
          'Artifact not found or not accessible.',
        );
      }
      expect((await agent.call('artifact_list', { includeArchived: true })).artifacts).toEqual([]);
      for (const path of ['', '/tree', '/files/1?path=index.html']) {
        expect((await api('GET', `/${artifactId}${path}`)).status).toBe(404);
      }
      expect((await api<{ artifacts: Row[] }>('GET', '/deleted')).body.artifacts).toEqual([
        expect.objectContaining({ artifactId }),
      ]);
      expect((await api('POST', `/${artifactId}/undelete`)).status).toBe(200);
      expect(await agent.call('artifact_get', { artifactId })).toMatchObject({ latestVersion: 1 });
    });

    it('platform 6: the admin page of projects tells how many bytes of files each keeps, the same ones once', async () => {
      const { projectId, imported } = await project();
      await imported({ 'index.html': 'x'.repeat(700), 'copy.html': 'x'.repeat(700) });
      const { body } = await ada.api<{ projects: { id: string; bytes: number }[] }>('GET', '/admin/projects');
      expect(body.projects.find(({ id }) => id === projectId)).toMatchObject({
        bytes: 700,
        counts: { documentsToReview: 0 },
      });
      expect(JSON.stringify(body)).not.toContain('index.html');
    });

    it('artifacts 61: the connection of a viewer reads, and is refused to create with the sentence of the role', async () => {
      const { projectId, imported } = await project();
      const { artifactId } = await imported({ 'index.html': 'one' });
      const email = 'vic@mail.example';
      await addMember(server, projectId, await addPerson(server, email, 'Vic'), 'viewer');
      const viewer = await BoardAgent.signedIn(
        await signedIn(server.origin, email),
        projectId,
        server.origin,
      );
      expect((await viewer.call('artifact_list')).artifacts).toEqual([
        expect.objectContaining({ artifactId }),
      ]);
      const read = await viewer.raw('artifact_read', { artifactId, path: 'index.html' });
      expect(read.body.result!.content).toEqual([{ type: 'text', text: 'one' }]);
      expect(await viewer.refusal('artifact_create', { type: 'import', files: { 'index.html': 'x' } })).toBe(
        'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.',
      );
    });
  });
});

function edit(artifactId: string, baseRevision: string) {
  return {
    artifactId,
    baseRevision,
    commitMessage: 'Second',
    changes: [{ op: 'write', path: 'index.html', content: 'two' }],
  };
}
