import { ClientSite } from '../support/agent.js';
import { FIGMA_TOKEN, GenerationSources } from '../support/generation-sources.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  ADMIN,
  AppSignIn,
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

jest.setTimeout(120_000);

interface Created {
  readonly status: string;
  readonly artifactId: string;
  readonly sessionId: string;
  readonly reused: boolean;
}

interface Status {
  readonly status: 'generating' | 'ready' | 'failed';
  readonly progress: number;
  readonly name: string;
  readonly error: string | null;
  readonly notes: readonly string[];
  readonly latestVersion: number | null;
  readonly revision: string | null;
}

/** Generation as agents and people meet it, on the built server, with stubs for the outside world. */
describe('artifacts that are generated', () => {
  let client: ClientSite;
  let sources: GenerationSources;
  let server: LoupeServer;
  let owner: Visitor;
  let projectId: string;
  let ownersAgent: string;
  let membersAgent: string;

  beforeAll(async () => {
    client = await ClientSite.start();
    sources = await GenerationSources.start();
    server = await LoupeServer.start({ env: { ...adminEnv, ...client.env, ...sources.env } });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    await setFlag('artifacts.enabled', true);
    await setFlag('artifacts.creates_per_hour', 1000);
    projectId = await newProject(owner, 'Heath');
    ownersAgent = (await AppSignIn.complete(owner, projectId)).access_token;
    const member = await addPerson(server, 'mia.member@mail.example', 'Mia');
    await addMember(server, projectId, member, 'member');
    const mia = await signedIn(server.origin, 'mia.member@mail.example', ADMIN.password);
    membersAgent = (await AppSignIn.complete(mia, projectId)).access_token;
  });

  afterEach(async () => {
    sources.release();
    await until(async () => (await activeJobs()) === 0, 20_000, 'Jobs go on.');
  });

  afterAll(async () => {
    sources.stop();
    await server.stop();
    await client.stop();
  });

  async function setFlag(name: string, value: unknown): Promise<void> {
    const { status } = await owner.api('PUT', `/admin/flags/${name}`, { value });
    expect([name, status]).toEqual([name, 200]);
  }

  async function call<T>(tool: string, args: object, token = ownersAgent, headers = {}): Promise<T> {
    const { body } = await callTool(server.origin, token, tool, args, headers);
    if (body.result?.isError) throw new Error(body.result.content![0]!.text);
    return body.result!.structuredContent as T;
  }

  const create = (args: object, token = ownersAgent, headers = {}) =>
    call<Created>('artifact_create', args, token, headers);
  const status = (artifactId: string, wait = true) =>
    call<Status>('artifact_status', { sessionId: artifactId, wait });
  const refusal = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no refusal',
      (error: Error) => error.message,
    );

  async function read(artifactId: string, path: string): Promise<string> {
    const { body } = await callTool(server.origin, ownersAgent, 'artifact_read', { artifactId, path });
    return body.result!.content![0]!.text;
  }

  async function paths(artifactId: string): Promise<string[]> {
    const { version } = await call<{ version: { files: { path: string }[] } }>('artifact_get', {
      artifactId,
    });
    return version.files.map((file) => file.path);
  }

  async function activeJobs(): Promise<number> {
    const [row] = await sql<{ n: string }>(
      server,
      "SELECT count(*) AS n FROM artifacts.generation_job WHERE state IN ('queued', 'running')",
    );
    return Number(row!.n);
  }

  it('artifacts 26: a web page becomes a snapshot with text, styles and images, and no script', async () => {
    const created = await create({ type: 'l2c', url: `${sources.site.url}/`, styling: 'vanilla_css' });
    expect(created).toMatchObject({ status: 'generating', reused: false });
    const { artifactId } = created;
    expect(await status(artifactId)).toMatchObject({
      status: 'ready',
      progress: 100,
      name: 'Honey shop',
      latestVersion: 1,
      revision: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const html = await read(artifactId, 'index.html');
    expect(html).toContain('Honey from the heath');
    expect(html).not.toMatch(/<script|onload/);
    const files = await paths(artifactId);
    expect(files.filter((path) => path.endsWith('.png'))).toHaveLength(1);
    const css = files.find((path) => path.endsWith('.css'))!;
    expect(await read(artifactId, css)).toContain('color:#a05a00');
    expect(sources.site.asked.some(({ url }) => url === '/app.js')).toBe(false);
  });

  it('artifacts 27: nothing that is not public is reached, at the call or by a redirect', async () => {
    for (const url of [
      'http://127.0.0.1',
      'http://169.254.169.254/latest/meta-data',
      'http://[::1]',
      'http://localhost',
      `http://127.0.0.1:${sources.forbidden.port}/`,
      `http://[::ffff:127.0.0.1]:${sources.forbidden.port}/`,
    ]) {
      expect(await refusal(create({ type: 'l2c', url }))).toBe('url must be a public http or https address.');
    }
    const { artifactId } = await create({ type: 'l2c', url: `${sources.site.url}/inside` });
    expect(await status(artifactId)).toMatchObject({
      status: 'failed',
      error: 'The page could not be read. It is not a public http or https address.',
    });
    expect(sources.forbidden.asked).toEqual([]);
  });

  it('artifacts 28: Figma frames, with the token of the person, which stays nowhere', async () => {
    const frames = { type: 'f2c', fileKey: 'abcDEF', nodesId: ['1-2'] };
    expect(await refusal(create(frames))).toBe(
      'type f2c needs your Figma token in the X-Figma-Token request header; it is never an argument.',
    );
    const good = await create(frames, ownersAgent, { 'x-figma-token': FIGMA_TOKEN });
    expect(await status(good.artifactId)).toMatchObject({ status: 'ready', name: 'Login screen' });
    expect(await read(good.artifactId, 'index.html')).toContain('Sign in to the heath');
    const bad = await create(frames, ownersAgent, { 'x-figma-token': `${FIGMA_TOKEN}-wrong` });
    expect(await status(bad.artifactId)).toMatchObject({
      status: 'failed',
      error: 'Figma refused the token.',
    });
    const tables = await sql<{ name: string }>(
      server,
      "SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')",
    );
    for (const { name } of tables) {
      const found = await sql(server, `SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1 LIMIT 1`, [
        `%${FIGMA_TOKEN}%`,
      ]);
      expect([name, found]).toEqual([name, []]);
    }
    expect(await sql(server, 'SELECT 1 FROM artifacts.generation_secret')).toEqual([]);
    expect(server.log).not.toContain(FIGMA_TOKEN);
  });

  it('artifacts 29: a prompt goes to the model; with no generator nothing is made', async () => {
    const { artifactId } = await create({ type: 'p2c', prompt: 'A page about heather' });
    expect(await status(artifactId)).toMatchObject({ status: 'ready', name: 'A page about heather' });
    expect(sources.model.asked.at(-1)!.headers.authorization).toBe('Bearer sk-of-the-instance');
    await setFlag('artifacts.generators.p2c', ['bridge-worker']);
    const before = await call<{ artifacts: unknown[] }>('artifact_list', {});
    expect(await refusal(create({ type: 'p2c', prompt: 'Another page' }))).toBe(
      'type p2c needs a generator: no running bridge serves this project.',
    );
    expect((await call<{ artifacts: unknown[] }>('artifact_list', {})).artifacts).toHaveLength(
      before.artifacts.length,
    );
    await setFlag('artifacts.generators.p2c', ['model-endpoint', 'bridge-worker']);
  });

  it('artifacts 31: one artifact for two members who ask the same at once; a fourth of one person is refused', async () => {
    sources.holdModel = true;
    const same = { type: 'p2c', prompt: 'Shared page' };
    const both = await Promise.all([create(same), create(same, membersAgent)]);
    expect(both[0]!.sessionId).toBe(both[1]!.sessionId);
    expect(both.map(({ reused }) => reused).sort()).toEqual([false, true]);
    const creator = both[0]!.reused ? membersAgent : ownersAgent;
    await create({ type: 'p2c', prompt: 'Second' }, creator);
    await create({ type: 'p2c', prompt: 'Third' }, creator);
    expect(await refusal(create({ type: 'p2c', prompt: 'Fourth' }, creator))).toBe(
      'Too many active generation jobs (3). Wait for one to finish.',
    );
    expect(await create(same, creator)).toMatchObject({ reused: true });
  });

  it('artifacts 32: a wait ends within 46 seconds while it goes on, and a second call continues', async () => {
    sources.holdModel = true;
    const { artifactId } = await create({ type: 'p2c', prompt: 'Slow page' });
    const from = performance.now();
    expect(await status(artifactId)).toMatchObject({ status: 'generating' });
    const seconds = (performance.now() - from) / 1000;
    expect(seconds).toBeGreaterThan(44);
    expect(seconds).toBeLessThan(46);
    const second = status(artifactId);
    sources.release();
    expect(await second).toMatchObject({ status: 'ready' });
  });

  it('a client that asks for progress hears of it while it waits', async () => {
    sources.holdModel = true;
    const { artifactId } = await create({ type: 'p2c', prompt: 'Watched page' });
    const answer = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        authorization: `Bearer ${ownersAgent}`,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 3,
        method: 'tools/call',
        params: {
          name: 'artifact_status',
          arguments: { artifactId, wait: true },
          _meta: { progressToken: 'p-1' },
        },
      }),
    });
    let text = '';
    for await (const piece of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes('notifications/progress')) sources.release();
    }
    expect(text).toMatch(/notifications\/progress.*"progressToken":"p-1"[\s\S]*"status":"ready"/);
  });

  it('artifacts 33: an open preview shows progress, hears of the end, and gets the page', async () => {
    sources.holdModel = true;
    const { artifactId } = await create({ type: 'p2c', prompt: 'Seen early' });
    const state = async () =>
      (await (await owner.request(`/artifacts/${artifactId}/preview/state`)).json()) as {
        status: string;
        progress: number | null;
        frame: { frameUrl: string } | null;
      };
    await until(async () => (await state()).progress !== 0);
    expect(await state()).toMatchObject({ status: 'generating', progress: expect.any(Number), frame: null });
    const closed = new AbortController();
    const live = await owner.request(`/api/live?topics=project:${projectId}:artifacts`, {
      signal: closed.signal,
    });
    let heard = '';
    const listening = live.body!.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({
        write: (text) => {
          heard += text;
        },
      }),
    );
    listening.catch(() => undefined);
    sources.release();
    await until(() => heard.includes(artifactId), 20_000, 'Nothing was heard.');
    await until(async () => (await state()).status === 'ready');
    closed.abort();
    const { frame } = await state();
    const page = await fetch(frame!.frameUrl.replace(server.url, server.origin));
    expect(await page.text()).toContain('<h1>Seen early</h1>');
  });

  it('a person cancels and retries it on the page', async () => {
    sources.holdModel = true;
    const { artifactId } = await create({ type: 'p2c', prompt: 'Given up' });
    const at = `/projects/${projectId}/artifacts/${artifactId}/generation`;
    expect(await owner.api('POST', `${at}/cancel`)).toMatchObject({
      status: 200,
      body: { state: 'cancelled' },
    });
    expect(await status(artifactId)).toMatchObject({ status: 'failed', error: 'Cancelled.' });
    expect(await owner.api('POST', `${at}/cancel`)).toMatchObject({
      status: 409,
      body: { error: 'not_active' },
    });
    sources.release();
    expect(await owner.api('POST', `${at}/retry`)).toMatchObject({ status: 200, body: { state: 'queued' } });
    expect(await status(artifactId)).toMatchObject({ status: 'ready', error: null });
    expect(await owner.api('POST', `${at}/retry`)).toMatchObject({
      status: 409,
      body: { error: 'not_active' },
    });
  });

  it('killed in the middle and started again, it is made once', async () => {
    sources.holdModel = true;
    const { artifactId } = await create({ type: 'p2c', prompt: 'Survivor' });
    await until(() => sources.held > 0);
    await server.kill();
    sources.release();
    server = await server.restarted();
    owner = await signedIn(server.origin);
    await until(async () => (await status(artifactId)).status === 'ready', 90_000);
    const { versions } = await call<{ versions: unknown[] }>('artifact_get', { artifactId });
    expect(versions).toHaveLength(1);
  });
});
