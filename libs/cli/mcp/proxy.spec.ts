import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../test/support/until.js';
import { ExitCode } from '../core/exit-codes.js';
import { loginRefused } from '../core/failure.js';
import { FakeServer, type Seen, sendJson } from '../testing/fake-server.js';
import { QuickPace } from '../testing/quick-pace.js';
import { LineReader, MAX_LINE_BYTES } from './line-reader.js';
import { ProjectWatch } from './project-watch.js';
import { McpProxy } from './proxy.js';

const FIRST = '0192f3c4-5d6e-7f80-9123-456789abcde1';
const SECOND = '0192f3c4-5d6e-7f80-9123-456789abcde2';
/** Slow enough that a busy machine does not use up the patience of a call by itself. */
const CALM = 5;
/** For tests in which a minute has to pass. */
const QUICK = 30;

interface Rpc {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

const rpc = (seen: Seen): Rpc => JSON.parse(seen.body.toString() || '{}') as Rpc;
const ok = (response: ServerResponse, seen: Seen, result: object = {}, headers = {}) => {
  const { id } = rpc(seen);
  if (id === undefined) return response.writeHead(202, headers).end();
  return sendJson(response, 200, { jsonrpc: '2.0', id, result }, headers);
};

describe('loupe mcp: the proxy', () => {
  let server: FakeServer;
  let folder: string;
  let lines: {
    id: number | string | null;
    error?: { code: number; message: string };
    result?: never;
    method?: string;
  }[];
  let notes: string[];
  let tokens: string[];
  let refreshes: number;
  let proxy: McpProxy;
  let reader: LineReader;

  const begin = (refresh: () => Promise<string> = async () => tokens.shift()!, times = CALM) => {
    proxy = new McpProxy({
      url: server.url,
      fetch: (url, init) => fetch(url, init),
      signIn: {
        accessToken: async () => tokens[0]!,
        refreshed: () => {
          refreshes += 1;
          return refresh();
        },
      },
      project: new ProjectWatch(folder, null, (line) => notes.push(line)),
      headers: { 'loupe-session-id': 'session-1' },
      write: (line) => lines.push(JSON.parse(line)),
      note: (line) => notes.push(line),
      pace: new QuickPace(times),
    });
    reader = new LineReader((line) => proxy.take(line));
  };
  const send = (message: object | string) =>
    reader.push(Buffer.from(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`));
  const answerTo = async (id: number | string | null) => {
    await until(
      () => lines.some((line) => line.id === id && line.method === undefined),
      10_000,
      `No answer to ${id}`,
    );
    return lines.find((line) => line.id === id)!;
  };
  const call = (id: number, name = 'card_create') =>
    send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const handshake = async () => {
    send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    await answerTo(0);
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await until(() => server.seen.some(({ method }) => method === 'GET'));
  };

  beforeEach(async () => {
    server = await FakeServer.start();
    folder = mkdtempSync(join(tmpdir(), 'loupe-proxy-'));
    lines = [];
    notes = [];
    tokens = ['token-1', 'token-2'];
    refreshes = 0;
    begin();
  });

  afterEach(async () => {
    await proxy.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('sends what the server needs to know, and passes the answer on untouched', async () => {
    writeFileSync(join(folder, '.loupe.yaml'), `project: ${FIRST}`);
    begin();
    server.answer((seen, response) =>
      seen.method === 'GET'
        ? response.writeHead(405).end()
        : ok(response, seen, { protocolVersion: '2025-06-18', big: 1 }),
    );
    await handshake();
    call(1);
    await answerTo(1);
    const { headers } = server.seen.at(-1)!;
    expect(headers).toMatchObject({
      authorization: 'Bearer token-1',
      'loupe-project-id': FIRST,
      'loupe-session-id': 'session-1',
      'mcp-protocol-version': '2025-06-18',
      'loupe-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(headers['mcp-session-id']).toBeUndefined();
    expect(lines.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('cli 12.8: a server that keeps sessions forgets them: the next call succeeds after one line, and others wait for the new session', async () => {
    let session = 0;
    let known = '';
    server.answer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      if (rpc(seen).method === 'initialize') {
        session += 1;
        known = `s${session}`;
        return ok(response, seen, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': known });
      }
      return seen.headers['mcp-session-id'] === known ? ok(response, seen) : response.writeHead(404).end();
    });
    await handshake();
    call(1);
    await answerTo(1);
    known = 'forgotten';
    for (const id of [2, 3, 4]) call(id);
    for (const id of [2, 3, 4]) expect((await answerTo(id)).error).toBeUndefined();
    const twice = server.seen
      .filter((seen) => rpc(seen).id === 2)
      .map(({ headers }) => headers['loupe-request-id']);
    expect([twice.length, new Set(twice).size]).toEqual([2, 1]);
    expect(notes).toEqual(['loupe mcp: Loupe ended session s1, opened s2 and carried on']);
    expect(session).toBe(2);
    // The agent hears of no second handshake.
    expect(lines.filter(({ id }) => id === 0)).toHaveLength(1);
  });

  it('a session that is refused right after it was opened ends the process with exit 1', async () => {
    let refuse = false;
    server.answer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      if (rpc(seen).method === 'initialize') {
        return ok(response, seen, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': 's' });
      }
      return refuse && rpc(seen).id !== undefined ? response.writeHead(404).end() : ok(response, seen);
    });
    await handshake();
    refuse = true;
    call(1);
    expect((await proxy.failure).exitCode).toBe(ExitCode.failed);
  });

  it('a server that opens no new session ends the process; one that is away fails that call alone', async () => {
    begin(undefined, QUICK);
    let mode: 'keep' | 'forget' | 'away' | 'refuse' = 'keep';
    server.answer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      const opens = rpc(seen).method === 'initialize';
      if (mode === 'away') return response.writeHead(opens ? 503 : 404).end();
      if (mode === 'refuse')
        return opens ? sendJson(response, 400, { message: 'No.' }) : response.writeHead(404).end();
      if (opens) return ok(response, seen, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': 's' });
      return ok(response, seen);
    });
    await handshake();
    mode = 'away';
    call(1);
    expect((await answerTo(1)).error?.message).toBe('Loupe did not answer for 60 s. Try again.');
    mode = 'refuse';
    call(2);
    expect(await proxy.failure).toMatchObject({
      exitCode: ExitCode.failed,
      what: expect.stringContaining('No.'),
    });
  });

  it('opens a server session again when .loupe.yaml names another project', async () => {
    writeFileSync(join(folder, '.loupe.yaml'), `project: ${FIRST}`);
    begin();
    let session = 0;
    server.answer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      if (rpc(seen).method !== 'initialize') return ok(response, seen);
      session += 1;
      return ok(response, seen, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': `s${session}` });
    });
    await handshake();
    writeFileSync(join(folder, '.loupe.yaml'), `project: ${SECOND}\n`);
    call(1);
    await answerTo(1);
    expect(server.seen.at(-1)!.headers).toMatchObject({ 'mcp-session-id': 's2', 'loupe-project-id': SECOND });
    expect(notes[0]).toBe(`loupe mcp: .loupe.yaml now names project ${SECOND} (was ${FIRST})`);
  });

  it('cli 12.9: 503 for 20 s: the call succeeds; for 90 s: −32000 for that call alone, and the next one works', async () => {
    begin(undefined, QUICK);
    const pace = new QuickPace(QUICK);
    let end = pace.now() + 20_000;
    server.answer((seen, response) =>
      pace.now() < end ? response.writeHead(503).end() : ok(response, seen),
    );
    call(1);
    expect((await answerTo(1)).error).toBeUndefined();
    const sent = new Set(server.seen.map(({ headers }) => headers['loupe-request-id']));
    expect([server.seen.length > 3, sent.size]).toEqual([true, 1]);

    end = pace.now() + 90_000;
    call(2);
    expect((await answerTo(2)).error).toEqual({
      code: -32000,
      message: 'Loupe did not answer for 60 s. Try again.',
    });
    end = 0;
    call(3);
    expect((await answerTo(3)).error).toBeUndefined();
  });

  it('a server that takes the connection and says nothing is given up after 60 s', async () => {
    begin(undefined, QUICK);
    server.answer(() => undefined);
    call(1);
    expect((await answerTo(1)).error?.message).toBe('Loupe did not answer for 60 s. Try again.');
  });

  it('cli 12.10: a body that is cut after the server acted is asked for again under the same request id', async () => {
    let acted = 0;
    const results = new Map<string, number>();
    server.answer((seen, response) => {
      const request = String(seen.headers['loupe-request-id']);
      const repeated = results.has(request);
      if (!repeated) results.set(request, ++acted);
      if (repeated) return ok(response, seen, { card: results.get(request) });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
      response.write('{"jsonrpc":"2.0",');
      return setTimeout(() => response.destroy(), 20);
    });
    call(1);
    expect(await answerTo(1)).toMatchObject({ result: { card: 1 } });
    expect([acted, server.seen.length]).toEqual([1, 2]);
  });

  it('refreshes after a 401 once, and a second 401 fails that call with "Run `loupe login`" while the process stays', async () => {
    server.answer((seen, response) =>
      seen.headers.authorization === 'Bearer token-2'
        ? ok(response, seen)
        : sendJson(response, 401, { message: 'Expired.' }),
    );
    begin(async () => 'token-2');
    call(1);
    expect((await answerTo(1)).error).toBeUndefined();
    expect(refreshes).toBe(1);
    begin(async () => 'token-3');
    call(2);
    expect((await answerTo(2)).error).toEqual({ code: -32000, message: 'Expired. Run `loupe login`.' });
    begin(async () => {
      throw loginRefused('the sign-in has ended');
    });
    call(3);
    expect((await answerTo(3)).error?.message).toContain('Run `loupe login` again');
  });

  it('waits as long as a 429 asks, and no longer than 30 s', async () => {
    begin(undefined, QUICK);
    let left = 2;
    server.answer((seen, response) => {
      left -= 1;
      if (left === 1) return response.writeHead(429, { 'retry-after': '3' }).end();
      if (left === 0) return response.writeHead(429, { 'retry-after': '900' }).end();
      return ok(response, seen);
    });
    const begun = performance.now();
    call(1);
    await answerTo(1);
    const waited = (performance.now() - begun) * QUICK;
    expect([waited >= 33_000, server.seen.length]).toEqual([true, 3]);
  });

  it('a 403 names the project that the file chose and the way out; other refusals fail that call with their words', async () => {
    writeFileSync(join(folder, '.loupe.yaml'), `project: ${FIRST}`);
    begin();
    server.answer((_, response) => sendJson(response, 403, { message: 'No access.' }));
    call(1);
    const said = (await answerTo(1)).error!.message;
    expect([said.includes(FIRST), said.includes('.loupe.yaml'), said.includes('loupe project link')]).toEqual(
      [true, true, true],
    );
    server.answer((_, response) =>
      sendJson(response, 413, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Too large.' } }),
    );
    call(2);
    expect((await answerTo(2)).error).toEqual({ code: -32000, message: 'Too large.' });
    server.answer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
    );
    call(3);
    expect((await answerTo(3)).error?.message).toContain('no JSON-RPC message');
  });

  it('a 426 ends the process with exit 6', async () => {
    server.answer((_, response) => sendJson(response, 426, { message: 'Too old.' }));
    call(1);
    expect(await proxy.failure).toMatchObject({ exitCode: ExitCode.versionMismatch });
  });

  it('a cancelled call gets no answer and its wait ends', async () => {
    server.answer((_, response) => response.writeHead(503).end());
    call(1);
    await until(() => server.seen.length > 0);
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    server.answer((seen, response) => ok(response, seen));
    call(2);
    await answerTo(2);
    expect(lines.some(({ id }) => id === 1)).toBe(false);
  });

  it('keeps at most 32 requests open; the others wait for a place', async () => {
    const open: (() => void)[] = [];
    let most = 0;
    server.answer((seen, response) => {
      open.push(() => ok(response, seen));
      most = Math.max(most, open.length);
    });
    for (let id = 1; id <= 40; id += 1) call(id);
    await until(() => open.length === 32);
    for (const finish of open.splice(0)) finish();
    await until(() => open.length === 8);
    for (const finish of open.splice(0)) finish();
    for (let id = 1; id <= 40; id += 1) await answerTo(id);
    expect(most).toBe(32);
  });

  it('refuses a line over 8 MiB, naming its id where the line shows it, and goes on', async () => {
    server.answer((seen, response) => ok(response, seen));
    const long = 'x'.repeat(MAX_LINE_BYTES);
    send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"text":"${long}"}}`);
    send(`{"method":"tools/call","params":{"id":3,"text":"${long}"},"jsonrpc":"2.0","id":"eight"}`);
    expect((await answerTo(7)).error).toEqual({ code: -32600, message: expect.stringContaining('8 MiB') });
    expect((await answerTo('eight')).error?.code).toBe(-32600);
    call(9);
    expect((await answerTo(9)).error).toBeUndefined();
    send('no json');
    expect((await answerTo(null)).error?.code).toBe(-32700);
  });

  it('passes messages of an event stream as they come, the answer last', async () => {
    let finish = () => {};
    server.answer((seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}\n\n');
      finish = () =>
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: rpc(seen).id, result: {} })}\n\n`);
    });
    call(1);
    await until(() => lines.length === 1);
    expect(lines[0]).toMatchObject({ method: 'notifications/progress' });
    finish();
    await answerTo(1);
  });

  it('opens the stream of notifications where one is offered, and opens it again after it ended', async () => {
    let streams = 0;
    server.answer((seen, response) => {
      if (seen.method !== 'GET') return ok(response, seen, { protocolVersion: '2025-11-25' });
      streams += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: ${streams}\ndata: {"jsonrpc":"2.0","method":"notifications/n${streams}"}\n\n`);
      return streams === 1 ? response.end() : undefined;
    });
    await handshake();
    await until(() => lines.some(({ method }) => method === 'notifications/n2'));
    expect(server.seen.filter(({ method }) => method === 'GET').at(-1)!.headers['last-event-id']).toBe('1');
    expect(notes).toEqual([]);
  });

  it('at the end waits for open calls, then takes leave of a session', async () => {
    server.answer((seen, response) => {
      if (seen.method === 'GET') return response.writeHead(405).end();
      if (rpc(seen).method === 'initialize') {
        return ok(response, seen, { protocolVersion: '2025-11-25' }, { 'mcp-session-id': 's' });
      }
      return setTimeout(() => ok(response, seen), 30);
    });
    await handshake();
    call(1);
    await proxy.close();
    expect(lines.some(({ id }) => id === 1)).toBe(true);
    expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's' } });
  });
});
