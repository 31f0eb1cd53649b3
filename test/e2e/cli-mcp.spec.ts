import { once } from 'node:events';
import { createServer } from 'node:http';
import { CliMachine, type RunningCommand } from '../support/cli-machine.js';
import { LoupeServer } from '../support/loupe-server.js';
import { adminEnv, liftRateLimit, newProject, signedIn, sql } from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } },
};

/** `loupe mcp` as an agent starts it, against the built server. */
describe('loupe mcp with a real Loupe', () => {
  let server: LoupeServer;
  let visitor: Visitor;
  let first: string;
  let second: string;
  let machine: CliMachine;
  let proxy: RunningCommand;
  let id = 0;

  const call = async (name: string, args: object = {}) => {
    id += 1;
    proxy.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    return proxy.answer(id);
  };
  const begin = async (args: string[] = [], env: Record<string, string> = {}) => {
    proxy = machine.start(['mcp', ...args], env);
    proxy.send(INITIALIZE);
    const answer = await proxy.answer(0);
    proxy.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  };

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    visitor = await signedIn(server.url);
    await liftRateLimit(visitor);
    first = await newProject(visitor, 'First project');
    second = await newProject(visitor, 'Second project');
    machine = new CliMachine();
    await machine.login(server.url, visitor);
  }, 120_000);

  afterEach(() => proxy.stop());

  afterAll(async () => {
    machine?.remove();
    await server?.stop();
  });

  it('cli 12.6: with two projects and no .loupe.yaml a tool call is refused and names `loupe project link`', async () => {
    const opened = await begin();
    expect(opened.result?.protocolVersion).toBe('2025-11-25');
    const answer = await call('project_current');
    expect(JSON.stringify(answer)).toContain('loupe project link');
    proxy.send({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
    const { result } = await proxy.answer('list');
    expect(result!.tools!.map(({ name }) => name)).toContain('project_current');
  });

  it('cli 12.7: a changed .loupe.yaml holds for the next call; a broken one keeps the old project; each says one line', async () => {
    machine.write('.loupe.yaml', `project: ${first}\n`);
    await begin();
    expect((await call('project_current')).result!.structuredContent).toMatchObject({
      slug: 'first-project',
    });
    machine.write('.loupe.yaml', `project: ${second}\n# changed\n`);
    expect((await call('project_current')).result!.structuredContent).toMatchObject({
      slug: 'second-project',
    });
    expect(proxy.stderr).toBe(`loupe mcp: .loupe.yaml now names project ${second} (was ${first})\n`);
    machine.write('.loupe.yaml', 'project: [');
    expect((await call('project_current')).result!.structuredContent).toMatchObject({
      slug: 'second-project',
    });
    expect((await call('project_current')).result!.structuredContent).toMatchObject({
      slug: 'second-project',
    });
    expect(proxy.stderr.trimEnd().split('\n')).toHaveLength(2);
  });

  it('a file that is broken at the start is exit 1 and is named; --project never reads it', async () => {
    machine.write('.loupe.yaml', 'project: [');
    proxy = machine.start(['mcp']);
    expect(await proxy.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('.loupe.yaml'),
    });
    await begin(['--project', second]);
    expect((await call('project_current')).result!.structuredContent).toMatchObject({
      slug: 'second-project',
    });
  });

  it('a project of strangers is refused with the file and the way out', async () => {
    machine.write('.loupe.yaml', 'project: 0192f3c4-5d6e-7f80-9123-456789abcdef\n');
    await begin();
    expect(JSON.stringify(await call('project_current'))).toContain('loupe project link');
  });

  it('names the session of the agent, so that what it makes is known as its own', async () => {
    machine.write('.loupe.yaml', `project: ${first}\n`);
    await begin([], { CLAUDE_CODE_SESSION_ID: 'session-7', CODEX_THREAD_ID: 'other' });
    const made = await call('document_create', { title: 'Plan', markdown: '# Plan\n\nA text.' });
    expect(made.result?.isError ?? false).toBe(false);
    const rows = await sql<{ agent_session_id: string }>(
      server,
      'SELECT DISTINCT agent_session_id FROM platform.audit_events WHERE agent_session_id IS NOT NULL',
    );
    expect(rows.map((row) => row.agent_session_id)).toEqual(['session-7']);
  });

  it('ends with exit 0 when the agent closes its side, after the last answer', async () => {
    machine.write('.loupe.yaml', `project: ${first}\n`);
    await begin();
    proxy.send({
      jsonrpc: '2.0',
      id: 'last',
      method: 'tools/call',
      params: { name: 'project_current', arguments: {} },
    });
    proxy.child.stdin.end();
    const ended = await proxy.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('"last"');
  });

  it('speaks the newest revision of the protocol too, which has no handshake', async () => {
    machine.write('.loupe.yaml', `project: ${first}\n`);
    proxy = machine.start(['mcp']);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    proxy.send({
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'project_current', arguments: {}, _meta: meta },
    });
    expect((await proxy.answer(5)).result?.structuredContent).toMatchObject({ slug: 'first-project' });
  });

  it('cli 12.10: an answer that is cut after the server made a card is asked for again, and there is one card', async () => {
    const flag = await visitor.api('PUT', '/admin/flags/board.enabled', { value: true });
    expect(flag.status).toBe(200);
    let cuts = 0;
    // What stands before the server: lets every request through and cuts the answer of the first call that makes a card.
    const front = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name)),
      ) as Record<string, string>;
      const answer = await fetch(`${server.origin}${request.url}`, {
        method: request.method,
        headers,
        ...(body.length > 0 ? { body } : {}),
      });
      const text = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      if (cuts === 0 && body.includes('card_create')) {
        cuts += 1;
        response.write(text.subarray(0, 20));
        setTimeout(() => response.destroy(), 20);
      } else response.end(text);
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    const url = `http://localhost:${(front.address() as { port: number }).port}`;
    const other = new CliMachine();
    const { accessToken, refreshToken } = machine.stored.instances[server.url]!;
    other.signIn(url, { accessToken, refreshToken });
    other.write('.loupe.yaml', `project: ${first}\n`);
    proxy = other.start(['mcp']);
    proxy.send(INITIALIZE);
    await proxy.answer(0);
    const made = await call('card_create', { title: 'Only one of these', body: '' });
    expect([made.result?.isError ?? false, cuts]).toEqual([false, 1]);
    const { count } = (
      await sql<{ count: string }>(
        server,
        "SELECT count(*) FROM board.card WHERE title = 'Only one of these'",
      )
    )[0]!;
    expect(count).toBe('1');
    other.remove();
    front.close();
    front.closeAllConnections();
  });

  it('without a sign-in it is exit 3 and says what to run', async () => {
    const fresh = new CliMachine();
    proxy = fresh.start(['mcp', '--url', server.url]);
    expect(await proxy.ended).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('loupe login'),
    });
    fresh.remove();
  });
});
