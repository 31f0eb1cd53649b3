import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Flags } from '#libs/kernel/ports/flags.js';
import { RevokeConnections } from '#src/identity/application/commands/revoke-connections.js';
import { SetFlag } from '#src/platform/application/commands/set-flag.js';
import { type Json, LoupeApp, modernRequest } from '../../support/loupe-app.js';

let app: LoupeApp;
let token: string;
let projectId: string;

beforeAll(async () => {
  app = await LoupeApp.start();
  const ada = await app.person();
  projectId = await app.project(ada);
  ({ token } = await app.connect(ada.personId, { projectId }));
});
afterAll(() => app.stop());

const modern = async (
  method: string,
  params: Record<string, unknown> = {},
  change: Record<string, string> = {},
) => {
  const { body, headers } = modernRequest(method, params);
  const response = await app.post(token, body, { ...headers, ...change });
  return { status: response.status, json: (await response.json()) as Json };
};

describe('the era of initialize', () => {
  it('answers the handshake with the version asked for, an unknown one with the newest, and tools alone', async () => {
    const initialize = (protocolVersion: string) =>
      app.rpc(token, 'initialize', {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: 'agent', version: '1' },
      });
    for (const version of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      expect((await initialize(version)).protocolVersion).toBe(version);
    }
    const answer = await initialize('1999-01-01');
    expect(answer).toMatchObject({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'loupe' },
    });
    expect(answer.instructions).toContain('project_current');
  });

  it('needs no handshake: identity 12.18 and 19, every request stands alone', async () => {
    expect(await app.toolNames(token)).toContain('document_create');
    const { structuredContent } = await app.call(
      token,
      'project_current',
      {},
      { 'mcp-session-id': 'of-another-server' },
    );
    expect(structuredContent).toMatchObject({ id: projectId, slug: 'acme' });
  });

  it('reads a missing version header as 2025-03-26, and refuses others with the list', async () => {
    const list = (headers: Record<string, string>) =>
      app.post(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers);
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(200);
    const unknown = await list({ 'mcp-protocol-version': '2024-01-01' });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain('2025-11-25, 2025-06-18, 2025-03-26');
  });

  it('answers JSON, never an event stream, and unknown methods with -32601', async () => {
    const response = await app.post(token, { jsonrpc: '2.0', id: 'a', method: 'resources/list' });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 'a', error: { code: -32601 } });
    const notification = await app.post(token, { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([notification.status, await notification.text()]).toEqual([202, '']);
  });

  it('has one page of tools', async () => {
    const response = await app.post(token, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { cursor: 'x' },
    });
    expect(await response.json()).toMatchObject({ error: { code: -32602 } });
  });
});

describe('the era from 2026-07-28 on', () => {
  it('discovers versions, capabilities and instructions, with hints how long they hold', async () => {
    const { status, json } = await modern('server/discover');
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true } },
      ttlMs: 15_000,
      cacheScope: 'private',
    });
  });

  it('lists tools with the same hints, exactly as the protocol library would', async () => {
    const plain = (await modern('tools/list')).json.result;
    expect(plain).toMatchObject({ ttlMs: 15_000, cacheScope: 'private', resultType: 'complete' });
    // A request with more than the express lane knows goes through the library.
    const { body, headers } = modernRequest('tools/list', { extra: true });
    const long = (await (await app.post(token, body, headers)).json()) as Json;
    expect(plain).toEqual(long.result);
  });

  it('answers calls exactly as the protocol library would, in both eras', async () => {
    const calls = [
      { name: 'project_current', arguments: {} },
      { name: 'project_current' },
      { name: 'document_list', arguments: { page: 'x' } },
      { name: 'unknown_tool', arguments: {} },
    ];
    for (const params of calls) {
      // One parameter more than the express lane knows sends the same call through the library.
      const long = { ...params, extra: true };
      expect((await modern('tools/call', params)).json).toEqual((await modern('tools/call', long)).json);
      const old = async (sent: object) =>
        (await app.post(token, { jsonrpc: '2.0', id: 'x', method: 'tools/call', params: sent })).json();
      expect(await old(params)).toEqual(await old(long));
    }
    for (const params of [{}, { name: 7 }, { name: 'project_current', arguments: [] }]) {
      expect((await modern('tools/call', params)).json.error.code).toBeLessThan(0);
    }
  });

  it('checks headers against the body: mismatch -32020, unknown version -32022 with the list, unknown method 404', async () => {
    const changes: Record<string, string>[] = [
      { 'mcp-method': 'tools/call' },
      { 'mcp-method': 'Tools/List' },
      { 'mcp-protocol-version': '2025-11-25' },
    ];
    for (const change of changes) {
      const { status, json } = await modern('tools/list', {}, change);
      expect([change, status, json.error.code]).toEqual([change, 400, -32020]);
    }
    const wrongName = await modern(
      'tools/call',
      { name: 'project_current', arguments: {} },
      { 'mcp-name': 'project_update' },
    );
    expect([wrongName.status, wrongName.json.error.code]).toEqual([400, -32020]);

    const { body, headers } = modernRequest('tools/list', {}, { version: '2027-01-01' });
    const unknown = await app.post(token, body, headers);
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    });

    const method = await modern('resources/list');
    expect([method.status, method.json.error.code]).toEqual([404, -32601]);
  });

  it('wants both standard headers for the list too', async () => {
    const { body, headers } = modernRequest('tools/list');
    for (const name of ['mcp-method', 'mcp-protocol-version']) {
      const rest = { ...headers, [name]: undefined } as unknown as Record<string, string>;
      const response = await fetch(`${app.url}/mcp`, {
        method: 'POST',
        headers: Object.fromEntries(
          Object.entries({
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...rest,
          }).filter(([, value]) => value !== undefined),
        ),
        body: JSON.stringify(body),
      });
      expect([name, response.status]).toEqual([name, 400]);
    }
  });
});

describe('both eras', () => {
  it('identity 12.12: give the same tools in the same order, the same results and the same refusals', async () => {
    const legacyList = (await app.rpc(token, 'tools/list')).tools;
    expect((await modern('tools/list')).json.result.tools).toEqual(legacyList);
    for (const [name, args] of [
      ['project_current', {}],
      ['document_list', { page: 1.5, colour: 1 }],
      ['document_get', { documentId: 'x' }],
      ['document_create', {}],
    ] as const) {
      const old = await app.call(token, name, args);
      const { json } = await modern('tools/call', { name, arguments: args });
      const { content, structuredContent, isError } = json.result;
      expect({ content, structuredContent, isError }).toEqual({
        isError: undefined,
        structuredContent: undefined,
        ...old,
      });
    }
    const unknown = { name: 'card_dance', arguments: {} };
    const old = (await (
      await app.post(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: unknown })
    ).json()) as Json;
    expect(old.error).toMatchObject({ code: -32602, message: 'Unknown tool: card_dance' });
    expect((await modern('tools/call', unknown)).json.error).toMatchObject(old.error);
  });

  it('serve the official client, which finds out by itself what the server speaks', async () => {
    for (const versionNegotiation of [{ mode: 'legacy' }, { mode: 'auto' }] as const) {
      const client = new Client({ name: 'official', version: '1' }, { versionNegotiation } as object);
      const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
      await client.connect(transport);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toEqual(await app.toolNames(token));
      const { structuredContent } = await client.callTool({ name: 'project_current', arguments: {} });
      expect(structuredContent).toMatchObject({ id: projectId });
      await client.close();
    }
  });
});

describe('a flag', () => {
  const set = async (name: string, value: boolean) => {
    const admin = await app.person('Admin');
    await app.db.database.query('UPDATE identity.persons SET is_admin = true WHERE id = $1', [
      admin.personId,
    ]);
    await app.get(SetFlag).execute({ ...admin, isAdmin: true }, { name, value });
  };

  it('platform 19.7 and 8: hides its tool from the list until it is on, and a direct call is refused before anything else', async () => {
    expect(await app.toolNames(token)).not.toContain('document_highlight');
    expect(await app.refusal(token, 'document_highlight', { nonsense: 1 })).toBe(
      'Highlights are switched off on this instance.',
    );
    await set('review.highlights.enabled', true);
    await until(() => app.get(Flags).isOn('review.highlights.enabled'));
    expect(await app.toolNames(token)).toContain('document_highlight');
    expect(await app.refusal(token, 'document_highlight', { nonsense: 1 })).toContain(
      'nonsense: is not an argument of this tool',
    );
    await set('review.highlights.enabled', false);
    await until(() => !app.get(Flags).isOn('review.highlights.enabled'));
    expect(await app.toolNames(token)).not.toContain('document_highlight');
  });

  it('platform 19.7: a change is in the list of another replica within 5 s, with no restart', async () => {
    const second = await LoupeApp.start({ db: app.db, env: { DEFAULT_URI: app.url } });
    try {
      expect(await second.toolNames(token)).not.toContain('document_highlight');
      const started = Date.now();
      await set('review.highlights.enabled', true);
      while (!(await second.toolNames(token)).includes('document_highlight')) {
        expect(Date.now() - started).toBeLessThan(5_000);
        await new Promise((done) => setTimeout(done, 50));
      }
      await set('review.highlights.enabled', false);
      await until(() => !second.get(Flags).isOn('review.highlights.enabled'));
    } finally {
      await second.stop({ keepDatabase: true });
    }
  });

  it('identity 12.12: a change reaches a client that listens within 2 s, on a stream that begins with its receipt', async () => {
    const { body, headers } = modernRequest('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const gone = new AbortController();
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const seen: string[] = [];
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        seen.push(decoder.decode(chunk));
    })().catch(() => undefined);
    await until(() => seen.join('').includes('notifications/subscriptions/acknowledged'));
    const started = Date.now();
    await set('review.highlights.enabled', true);
    await until(() => seen.join('').includes('notifications/tools/list_changed'));
    expect(Date.now() - started).toBeLessThan(2_000);
    gone.abort();
    await reading;
    await set('review.highlights.enabled', false);
  });

  it('platform 8.4: a stream that listens ends with the connection that opened it, and no other does', async () => {
    const ada = await app.person();
    const project = await app.project(ada);
    const [leaving, staying] = [
      await app.connect(ada.personId, { projectId: project }),
      await app.connect(ada.personId, { projectId: project }),
    ];
    const listen = async (bearer: string) => {
      const { body, headers } = modernRequest('subscriptions/listen', {
        notifications: { toolsListChanged: true },
      });
      const response = await app.post(bearer, body, headers);
      const reader = response.body!.getReader();
      await reader.read();
      let ended = false;
      const reading = (async () => {
        while (!(await reader.read()).done);
        ended = true;
      })().catch(() => undefined);
      return { ended: () => ended, reading, leave: () => reader.cancel() };
    };
    const first = await listen(leaving.token);
    const second = await listen(staying.token);
    await app
      .get(RevokeConnections)
      .execute(
        { kind: 'system', jobName: 'test' },
        { selection: { id: leaving.connectionId }, reason: 'person' },
      );
    await first.reading;
    expect([first.ended(), second.ended()]).toEqual([true, false]);
    await second.leave();
  }, 30_000);
});

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('It did not happen within 5 s.');
    await new Promise((done) => setTimeout(done, 10));
  }
}
