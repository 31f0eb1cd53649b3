import { connect } from 'node:net';
import { ClientSite } from '../support/agent.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  AppSignIn,
  adminEnv,
  callTool,
  liftRateLimit,
  mcp,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { pause } from '../support/until.js';

const EMOJI = ['🦊', '🚲', '🧭', '🪁'];
const BODY_LIMIT = 4 * 1_024 * 1_024;

/** 600,000 bytes of letters that take four bytes each, in lines that a person could scroll. */
function fourByteText(): string {
  const letters: string[] = [];
  for (let at = 0; at < 150_000; at += 1) letters.push(at % 100 === 99 ? '\n' : EMOJI[at % EMOJI.length]!);
  return `${letters.join('')}🦊end`;
}

/** Sends the bytes of a request in pieces that cut through letters, and reads the whole answer. */
async function sendInPieces(port: number, head: string, body: Buffer, pieces: number[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const answer: Buffer[] = [];
  socket.on('data', (data) => answer.push(data));
  const ended = new Promise<void>((done, fail) => {
    socket.on('end', done);
    socket.on('error', fail);
  });
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`);
  let at = 0;
  for (let turn = 0; at < body.length; turn += 1) {
    const size = pieces[turn % pieces.length]!;
    if (!socket.write(body.subarray(at, at + size))) {
      await new Promise<void>((done) => socket.once('drain', done));
    }
    at += size;
    // A turn of the event loop, so that pieces leave as packets of their own.
    if (turn % 20 === 0) await new Promise((done) => setImmediate(done));
  }
  await ended;
  return Buffer.concat(answer).toString('utf8');
}

describe('large and broken input at the door', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let token: string;
  let otherToken: string;
  let projectId: string;
  let otherProjectId: string;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    const admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'First');
    otherProjectId = await newProject(admin, 'Second');
    token = (await AppSignIn.complete(admin, projectId)).access_token;
    otherToken = (await AppSignIn.complete(admin, otherProjectId)).access_token;
  });

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  function head(): string {
    return [
      'POST /mcp HTTP/1.1',
      `Host: localhost:${server.port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      'MCP-Protocol-Version: 2025-11-25',
    ].join('\r\n');
  }

  async function post(body: string | Buffer): Promise<{ status: number; body: { error?: RpcError } }> {
    const response = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body,
    });
    return { status: response.status, body: (await response.json()) as { error?: RpcError } };
  }

  interface RpcError {
    code: number;
    message: string;
  }

  it('stores a document of 600 kB of four-byte emoji that comes in small pieces unchanged', async () => {
    const markdown = fourByteText();
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(590_000);
    const request = Buffer.from(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'document_create', arguments: { title: 'Emoji 🦊', markdown } },
      }),
    );
    // Odd sizes, so that nearly every piece begins or ends inside a letter.
    const answer = await sendInPieces(server.port, head(), request, [997, 1, 1_501, 3, 709]);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const { documentId } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).result.structuredContent;
    const [stored] = await sql<{ markdown: string }>(
      server,
      'SELECT markdown FROM documents.document_version WHERE document_id = $1',
      [documentId],
    );
    expect(stored!.markdown === markdown).toBe(true);
    let read = '';
    for (let offset: number | null = 0; offset !== null; ) {
      const { body } = await callTool(server.origin, token, 'document_get', {
        documentId,
        offset,
        length: 50_001,
      });
      const slice = body.result!.structuredContent as { markdown: string; nextOffset: number | null };
      read += slice.markdown;
      offset = slice.nextOffset;
    }
    expect(read === markdown).toBe(true);
  });

  it('refuses a body over 4 MiB with a JSON-RPC error that names the limit, declared or not, and stores nothing', async () => {
    const before = await countDocuments();
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'document_create',
        arguments: { title: 'Too large', markdown: 'x'.repeat(BODY_LIMIT) },
      },
    });
    const declared = await post(body);
    expect(declared.status).toBe(413);
    expect(declared.body.error!.message).toMatch(/4 MiB/);
    const undeclared = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: new ReadableStream({
        start(controller) {
          const bytes = Buffer.from(body);
          for (let at = 0; at < bytes.length; at += 65_536)
            controller.enqueue(bytes.subarray(at, at + 65_536));
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);
    expect(undeclared.status).toBe(413);
    expect(((await undeclared.json()) as { error: RpcError }).error.message).toMatch(/4 MiB/);
    expect(await countDocuments()).toBe(before);
    expect((await mcp(server.origin, token, 'tools/list')).status).toBe(200);
  });

  it('answers what is no JSON, cut off, not UTF-8, or nothing with -32700', async () => {
    for (const body of [
      '{"jsonrpc":"2.0"',
      'hello',
      '',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      const { status, body: answer } = await post(body);
      expect([status, answer.error?.code]).toEqual([400, -32_700]);
    }
  });

  it('never mixes 1,000 interleaved calls with tokens of two projects', async () => {
    const waiting = Array.from({ length: 1_000 }, (_, at) => at);
    const wrong: unknown[] = [];
    let done = 0;
    const caller = async () => {
      for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
        const first = at % 2 === 0;
        const { body } = await callTool(server.origin, first ? token : otherToken, 'project_current');
        const seen = body.result?.structuredContent?.id;
        if (seen !== (first ? projectId : otherProjectId)) wrong.push({ at, body });
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: 24 }, caller));
    expect(wrong).toEqual([]);
    expect(done).toBe(1_000);
  }, 120_000);

  it('a stalled body neither blocks other callers nor stores anything', async () => {
    const before = await countDocuments();
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`${head()}\r\nContent-Length: 1000\r\n\r\n{"jsonrpc":`);
    await pause(50);
    expect((await mcp(server.origin, token, 'tools/list')).status).toBe(200);
    socket.destroy();
    expect((await mcp(server.origin, token, 'tools/list')).status).toBe(200);
    expect(await countDocuments()).toBe(before);
  });

  async function countDocuments(): Promise<number> {
    const [row] = await sql<{ n: string }>(server, 'SELECT count(*) AS n FROM documents.document');
    return Number(row!.n);
  }
});
