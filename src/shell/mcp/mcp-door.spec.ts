import { once } from 'node:events';
import { createServer, request as rawRequest, type Server } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { Configuration } from '#libs/configuration/configuration.js';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import { BODY_LIMIT } from './mcp-body.js';
import { McpDoor } from './mcp-door.js';
import { McpExchange } from './mcp-exchange.js';
import {
  connectionOf,
  FIXTURE_ORDER,
  KeptInMemory,
  OWNER,
  PROJECT,
  SwitchedFlags,
  ThingTools,
} from './testing/mcp-fixtures.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRunner } from './tool-runner.js';

const IDENTITY = { name: 'loupe', title: 'Loupe', version: '0.0.0' };
const D = 'https://loupe.example.com';
const METADATA = `resource_metadata="${D}/.well-known/oauth-protected-resource/mcp"`;
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };

class CountingLimiter extends RateLimiter {
  readonly hits: string[] = [];
  override async hit(_name: string, key: string, limit: { max: number }) {
    this.hits.push(key);
    const allowed = this.hits.filter((hit) => hit === key).length <= limit.max;
    return { allowed, retryAfterSeconds: allowed ? 0 : 12 };
  }
  override async peek() {
    return { allowed: true, retryAfterSeconds: 0 };
  }
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: unknown;
  readonly path?: string;
}

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly json: ReturnType<typeof JSON.parse>;
}

const flags = new SwitchedFlags();
const limiter = new CountingLimiter();
const noted: unknown[] = [];
let actor: ConnectionActor | null;
let tokens: string[];
let projectRefusal: unknown;
/** What the database takes to say whose token it is. */
let asked: Promise<void> | undefined;
let things: ThingTools;
let server: Server;
let exchange: McpExchange;
let port: number;

beforeAll(async () => {
  things = new ThingTools();
  const metrics = new Metrics();
  const registry = new ToolRegistry([things], flags, IDENTITY, FIXTURE_ORDER);
  const access = new FakeProjectAccess().add(PROJECT, OWNER);
  const runner = new ToolRunner(registry, flags, access, new KeptInMemory(), metrics);
  exchange = new McpExchange(registry, runner, IDENTITY);
  const configuration = Configuration.fromEnvironment({
    APP_ENV: 'test',
    DEFAULT_URI: D,
    MCP_ALLOWED_HOSTS: 'loupe.example.com,[::1]',
  });
  const clients = {
    actorOf: async ({ token, meanwhile }: { token: string; meanwhile?: () => void }) => {
      tokens.push(token);
      if (token !== 'new') {
        meanwhile?.();
        await asked;
      }
      if (token === 'away') {
        throw new DomainError('unavailable', 'unavailable', 'The database cannot be reached.', {
          retryAfterSeconds: 5,
        });
      }
      return token === 'good' ? actor : null;
    },
    projectOf: async () => {
      if (projectRefusal) throw projectRefusal;
      return { projectId: PROJECT, refusal: null };
    },
    noteClient: async (_: ConnectionActor, info: unknown) => {
      noted.push(info);
    },
  };
  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(new McpDoor(configuration, flags, limiter, clients, exchange, metrics).handle);
  app.use((_request, response) => {
    response.status(404).end('elsewhere');
  });
  server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as { port: number }).port;
});

afterAll(async () => {
  await exchange.close();
  server.close();
  server.closeAllConnections();
});

beforeEach(() => {
  actor = connectionOf(OWNER);
  tokens = [];
  projectRefusal = null;
  asked = undefined;
  things.begun.length = 0;
  limiter.hits.length = 0;
  flags.perMinute = 300;
});

/** Sends what a client of the era of `initialize` sends, changed as a test wants it; undefined takes a header away. */
function send({ method = 'POST', headers = {}, body = PING, path = '/mcp' }: Sent = {}): Promise<Got> {
  const all: Record<string, string | undefined> = {
    host: 'loupe.example.com',
    authorization: 'Bearer good',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = rawRequest({ port, host: '127.0.0.1', method, path, headers: present }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const json = answer.headers['content-type']?.includes('json') ? JSON.parse(text) : null;
        resolve({ status: answer.statusCode!, headers: answer.headers, text, json });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(['POST', 'PUT'].includes(method) ? payload : undefined);
  });
}

/** What HTTP libraries do not let one send: the bytes themselves. */
async function sendRaw(lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((done) => setTimeout(done, 150));
  socket.destroy();
  return Buffer.concat(chunks).toString();
}

describe('the host guard', () => {
  it('identity 12.2: names the stranger and the variable, before anything else is looked at', async () => {
    const { status, headers, text } = await send({ headers: { host: 'evil.example' } });
    expect(status).toBe(403);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toBe(
      'The host "evil.example" is not allowed to reach /mcp on this Loupe instance. Add it to MCP_ALLOWED_HOSTS (comma-separated hostnames, no port).',
    );
    expect([tokens, limiter.hits]).toEqual([[], []]);
  });

  it('looks at the name alone: case, port and a trailing dot do not matter, the address form counts', async () => {
    for (const host of ['LOUPE.example.com:8443', 'loupe.example.com.', 'loupe.example.com', '[::1]:3000']) {
      expect([host, (await send({ headers: { host } })).status]).toEqual([host, 200]);
    }
    for (const host of ['loupe.example.com.evil.example', 'x.loupe.example.com', 'localhost', '127.0.0.1']) {
      expect([host, (await send({ headers: { host } })).status]).toEqual([host, 403]);
    }
  });

  it('takes the forwarded host of a trusted proxy', async () => {
    const forwarded = (host: string) => send({ headers: { host: 'inner', 'x-forwarded-host': host } });
    expect((await forwarded('loupe.example.com')).status).toBe(200);
    expect((await forwarded('evil.example')).status).toBe(403);
  });

  it('echoes only what a host can hold', async () => {
    const { text } = await send({ headers: { host: `<script>"é\u007f${'a'.repeat(400)}` } }).catch(() => ({
      text: '',
    }));
    expect(text).not.toContain('<script>');
    const long = await send({ headers: { 'x-forwarded-host': `<b>${'a'.repeat(400)}` } });
    expect(/The host "(.*)" is not/.exec(long.text)![1]).toBe(`b${'a'.repeat(254)}`);
  });

  it('refuses two hosts', async () => {
    const answer = await sendRaw([
      'POST /mcp HTTP/1.1',
      'Host: loupe.example.com',
      'Host: evil.example',
      'Content-Length: 0',
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('text/plain');
  });
});

describe('the origin guard', () => {
  it('identity 12.3: refuses a foreign origin and null, and lets requests without one pass', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'not an origin',
      'https://loupe.example.com.evil.example',
    ]) {
      const { status, text } = await send({ headers: { origin } });
      expect([origin, status]).toEqual([origin, 403]);
      expect(text).toMatch(
        /^The origin ".*" is not allowed to reach \/mcp on this Loupe instance\. Add it to MCP_ALLOWED_HOSTS/,
      );
    }
    expect((await send()).status).toBe(200);
    expect((await send({ headers: { origin: 'https://loupe.example.com' } })).status).toBe(200);
  });

  it('sends no CORS header', async () => {
    const { headers } = await send({ headers: { origin: 'https://loupe.example.com' } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the rate limit', () => {
  it('identity 12.28: the request after the limit is 429 with Retry-After, before its token is looked at', async () => {
    flags.perMinute = 3;
    for (let n = 0; n < 3; n += 1) expect((await send()).status).toBe(200);
    tokens.length = 0;
    const { status, headers, json } = await send();
    expect([status, headers['retry-after']]).toEqual([429, '12']);
    expect(json).toEqual({
      error: 'rate_limited',
      message: 'Too many requests. Try again in 12 seconds.',
      retryAfter: 12,
    });
    expect(tokens).toEqual([]);
  });

  it('counts the address that a trusted proxy names, IPv6 by its network', async () => {
    await send({ headers: { 'x-forwarded-for': '203.0.113.9' } });
    await send({ headers: { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' } });
    expect(limiter.hits[0]).toBe('203.0.113.9');
    expect(limiter.hits[1]).toMatch(/\/64$/);
  });
});

describe('the token', () => {
  it('identity 12.1: without one the answer is the challenge, for every method', async () => {
    for (const method of ['POST', 'GET', 'DELETE', 'PUT']) {
      const { status, headers, json } = await send({ method, headers: { authorization: undefined } });
      expect([method, status]).toEqual([method, 401]);
      expect(headers['www-authenticate']).toBe(`Bearer realm="loupe", ${METADATA}, scope="mcp"`);
      expect(headers['content-type']).toBe('application/json');
      expect(json).toEqual({
        error: 'unauthorized',
        message: 'Sign in with OAuth. The WWW-Authenticate header names the metadata document.',
      });
    }
  });

  it('a bad one, and what is no bearer token, gets invalid_token and never the reason', async () => {
    for (const authorization of ['Bearer bad', 'Basic Z29vZDpnb29k', 'Bearer', 'Bearer good extra']) {
      const { status, headers, json } = await send({ headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, 401]);
      expect(headers['www-authenticate']).toBe(
        `Bearer realm="loupe", ${METADATA}, scope="mcp", error="invalid_token", error_description="The access token is expired or was revoked"`,
      );
      expect(json.error).toBe('invalid_token');
    }
  });

  it('in the query is ignored', async () => {
    expect(
      (await send({ path: '/mcp?access_token=good', headers: { authorization: undefined } })).status,
    ).toBe(401);
  });

  it('twice is 400', async () => {
    const answer = await sendRaw([
      'POST /mcp HTTP/1.1',
      'Host: loupe.example.com',
      'Authorization: Bearer good',
      'Authorization: Bearer good',
      'Content-Length: 0',
    ]);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('Send one Authorization header.');
  });

  it('identity 12.14: without the mcp scope it is 403 that names the scope', async () => {
    actor = connectionOf(OWNER, { scopes: ['agent'] });
    const { status, headers, json } = await send();
    const message = 'This sign-in does not carry the mcp scope. Connect the client again.';
    expect(status).toBe(403);
    expect(headers['www-authenticate']).toBe(
      `Bearer error="insufficient_scope", scope="mcp", ${METADATA}, error_description="${message}"`,
    );
    expect(json).toEqual({ error: 'insufficient_scope', message, scope: 'mcp' });
  });

  it('while the database is away is 503 with a time to try again', async () => {
    const { status, headers, json } = await send({ headers: { authorization: 'Bearer away' } });
    expect([status, headers['retry-after'], json.error]).toEqual([503, '5', 'unavailable']);
  });
});

describe('while it is asked whose token it is', () => {
  const calling = (name: string, args: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });

  it('the tool of a call begins to read, where the token was good the last time', async () => {
    let say: () => void = () => undefined;
    asked = new Promise((said) => {
      say = said;
    });
    const answer = send({ body: calling('thing_read', { page: 3 }) });
    while (things.begun.length === 0) await new Promise((done) => setTimeout(done, 5));
    expect([things.begun, things.calls]).toEqual([[{ page: 3 }], []]);
    say();
    expect((await answer).status).toBe(200);
    expect(things.calls.at(-1)).toEqual({ name: 'thing_read', input: { page: 3 } });
    await send({ headers: { authorization: 'Bearer new' }, body: calling('thing_read', { page: 4 }) });
    expect(things.begun).toEqual([{ page: 3 }]);
  });

  it('nothing of it shows when the token does not hold any more', async () => {
    const headers = { authorization: 'Bearer gone' };
    const before = things.calls.length;
    const bodies = [calling('thing_read', {}), calling('thing_write', {}), '{', 'x'.repeat(BODY_LIMIT + 1)];
    for (const body of bodies) {
      const { status, json } = await send({ headers, body });
      expect([status, json]).toEqual([
        401,
        { error: 'invalid_token', message: 'The access token is expired or was revoked.' },
      ]);
    }
    expect([things.begun, things.calls.length]).toEqual([[{}], before]);
  });

  it('nothing begins for what will be refused, for other tools, and for long bodies', async () => {
    flags.switch('read.enabled', false);
    await send({ body: calling('thing_read', {}) });
    flags.switch('read.enabled', true);
    for (const body of [
      calling('thing_read', { page: 'one' }),
      calling('thing_read', { unknown: 1 }),
      calling('thing_gated', {}),
      calling('no_such_thing', {}),
      { ...calling('thing_read', {}), params: null },
      { ...calling('thing_read', {}), params: { name: 'thing_read', arguments: [] } },
      { ...calling('thing_read', {}), method: 'tools/list' },
      { ...calling('thing_read', {}), padding: 'x'.repeat(20_000) },
    ]) {
      await send({ body });
    }
    expect(things.begun).toEqual([]);
  });
});

describe('method and project', () => {
  it('identity 12.19: GET and DELETE with a token are 405, and a foreign session id does not matter', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const { status, headers } = await send({ method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'POST']);
    }
    const { status, headers } = await send({ headers: { 'mcp-session-id': 'of-another-server' } });
    expect([status, headers['mcp-session-id']]).toEqual([200, undefined]);
  });

  it('answers a project header of another form with 400 and one that is not covered with 403, before the body is read', async () => {
    projectRefusal = new DomainError(
      'invalid',
      'invalid_project',
      'The header Loupe-Project-Id must be a UUID.',
    );
    expect(await send({ body: '{' })).toMatchObject({ status: 400, json: { error: 'invalid_project' } });
    projectRefusal = new DomainError(
      'forbidden',
      'project_not_covered',
      'This login does not cover the project.',
    );
    expect(await send({ body: '{' })).toMatchObject({ status: 403, json: { error: 'project_not_covered' } });
  });
});

describe('the body', () => {
  it('of another media type is 415, and a client that takes no JSON is 406', async () => {
    expect((await send({ headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await send({ headers: { 'content-type': undefined } })).status).toBe(415);
    expect((await send({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
    expect((await send({ headers: { accept: 'text/html' } })).status).toBe(406);
    expect((await send({ headers: { accept: undefined } })).status).toBe(406);
    expect((await send({ headers: { 'content-type': 'application/json; charset=utf-8' } })).status).toBe(200);
  });

  it('that is no JSON is a parse error, invalid UTF-8 too', async () => {
    for (const body of ['{', '', 'undefined', Buffer.from([0x22, 0xff, 0xfe, 0x22])]) {
      const { status, json } = await send({ body });
      expect([status, json.error.code, json.id]).toEqual([400, -32700, null]);
    }
  });

  it('that is JSON and no message is an invalid request', async () => {
    for (const body of ['null', '7', '"ping"', '{}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '[]']) {
      const { status, json } = await send({ body });
      expect([body, status]).toEqual([body, 400]);
      expect([-32600, -32700]).toContain(json.error.code);
    }
  });

  it('over 4 MiB is a JSON-RPC error that names the limit, told in advance or not', async () => {
    const large = Buffer.alloc(BODY_LIMIT + 1, 0x20);
    const told = await send({ body: large, headers: { 'content-length': String(large.length) } });
    expect([told.status, told.json.error.message]).toEqual([
      413,
      expect.stringContaining('4 MiB (4194304 bytes)'),
    ]);
    const untold = await send({ body: large, headers: { 'transfer-encoding': 'chunked' } });
    expect([untold.status, untold.json.error.message]).toEqual([413, expect.stringContaining('4 MiB')]);
  });

  it('of exactly 4 MiB is taken', async () => {
    const call = (name: string) => ({
      ...PING,
      method: 'tools/call',
      params: { name: 'thing_write', arguments: { name } },
    });
    const room = BODY_LIMIT - Buffer.byteLength(JSON.stringify(call('')));
    things.calls.length = 0;
    const { status } = await send({ body: call('x'.repeat(room)) });
    expect(status).toBe(200);
    expect((things.calls[0]!.input as { name: string }).name).toHaveLength(room);
  });

  it('in small pieces that cut emoji apart arrives unchanged', async () => {
    const name = '🦊'.repeat(150_000);
    const payload = Buffer.from(
      JSON.stringify({ ...PING, method: 'tools/call', params: { name: 'thing_write', arguments: { name } } }),
    );
    things.calls.length = 0;
    const answered = new Promise<number>((resolve, reject) => {
      const outgoing = rawRequest(
        {
          port,
          host: '127.0.0.1',
          method: 'POST',
          path: '/mcp',
          headers: {
            host: 'loupe.example.com',
            authorization: 'Bearer good',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
        },
        (answer) => {
          answer.resume();
          answer.on('end', () => resolve(answer.statusCode!));
        },
      );
      outgoing.on('error', reject);
      for (let at = 0; at < payload.length; at += 1_013) outgoing.write(payload.subarray(at, at + 1_013));
      outgoing.end();
    });
    expect(await answered).toBe(200);
    expect((things.calls[0]!.input as { name: string }).name === name).toBe(true);
  });
});

describe('elsewhere', () => {
  it('other paths pass the door', async () => {
    expect((await send({ path: '/mcpx' })).text).toBe('elsewhere');
    expect((await send({ path: '/mcp/' })).status).toBe(200);
  });

  it('keeps what the client calls itself, from the handshake and from the envelope', async () => {
    noted.length = 0;
    const clientInfo = { name: 'agent', version: '1' };
    await send({
      body: {
        ...PING,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      },
    });
    await send({
      body: { ...PING, params: { _meta: { 'io.modelcontextprotocol/clientInfo': clientInfo } } },
    });
    expect(noted).toEqual([clientInfo, clientInfo]);
  });
});
