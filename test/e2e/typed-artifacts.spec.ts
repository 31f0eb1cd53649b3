import { ClientSite } from '../support/agent.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  AppSignIn,
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  mcp,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

const LINE = {
  series: [
    {
      name: 'EU',
      points: [
        { x: 'Mon', y: 120 },
        { x: 'Tue', y: null },
        { x: 'Wed', y: 90 },
      ],
    },
    {
      name: 'US',
      points: [
        { x: 'Mon', y: 200 },
        { x: 'Wed', y: 180 },
      ],
    },
  ],
  y: { label: 'Latency', unit: 'ms' },
};
const TABLE = { columns: [{ key: 'a', label: 'A' }], rows: [{ a: 1 }] };
const TOOLS = [
  'artifact_typed_create',
  'artifact_typed_list',
  'list_artifacts',
  'artifact_typed_get',
  'get_artifact',
];
const SCRIPT = '<script>alert(1)</script>';

/** An agent stores charts in its conversations on the built server; people look at them. */
describe('charts and tables of a conversation', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let ada: Visitor;
  let projectId: string;
  let token: string;

  const flag = async (name: string, value: unknown) => {
    const { status } = await ada.api('PUT', `/admin/flags/${name}`, { value });
    expect(status).toBe(200);
  };

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    ada = await signedIn(server.origin);
    await liftRateLimit(ada);
    projectId = await newProject(ada, 'Ferry');
    ({ access_token: token } = await AppSignIn.complete(ada, projectId));
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  /** An agent session with a name of its own; null sends none. */
  function talk(name: string | null, header = 'loupe-session-id', bearer = token) {
    const headers: Record<string, string> = name === null ? {} : { [header]: name };
    const result = async (tool: string, args: object = {}) => {
      const { body } = await callTool(server.origin, bearer, tool, args, headers);
      if (!body.result) throw new Error(JSON.stringify(body));
      return body.result;
    };
    return {
      result,
      text: async (tool: string, args: object = {}) => (await result(tool, args)).content![0]!.text,
      create: async (more: object = {}) => {
        const made = await result('artifact_typed_create', { type: 'line_chart', payload: LINE, ...more });
        if (made.isError) throw new Error(made.content![0]!.text);
        return made.structuredContent as { id: number; url: string; turnIndex: number };
      },
    };
  }

  const listed = async () =>
    (await mcp(server.origin, token, 'tools/list')).body.result!.tools as {
      name: string;
      inputSchema: object;
    }[];

  it('artifacts 15.1 for charts: off at first: not listed, refused with the exact sentence, pages answer 404', async () => {
    expect((await listed()).filter(({ name }) => TOOLS.includes(name))).toEqual([]);
    for (const tool of TOOLS) {
      const { isError, content } = await talk('a').result(tool);
      expect([isError, content![0]!.text]).toEqual([true, 'Artifacts are switched off on this instance.']);
    }
    const refused = await talk('a').result('artifact_typed_list');
    expect(refused.structuredContent).toEqual({
      success: false,
      error: { code: 'DISABLED', message: 'Artifacts are switched off on this instance.' },
    });
    expect(await ada.api('GET', `/projects/${projectId}/charts`)).toMatchObject({
      status: 404,
      body: { error: 'switched_off' },
    });
    await flag('artifacts.enabled', true);
    expect((await listed()).map(({ name }) => name).filter((name) => TOOLS.includes(name))).toEqual(TOOLS);
    await flag('artifacts.typed.enabled', false);
    expect(await talk('a').text('list_artifacts')).toBe('Typed artifacts are switched off on this instance.');
    expect(await ada.api('GET', `/projects/${projectId}/charts`)).toMatchObject({
      status: 404,
      body: { message: 'Typed artifacts are switched off on this instance.' },
    });
    await flag('artifacts.typed.enabled', true);
  });

  it('artifacts 15.49: an empty conversation says so in plain text', async () => {
    expect(await talk('empty').result('list_artifacts')).toEqual({
      content: [{ type: 'text', text: '(no artifacts produced yet in this conversation)' }],
    });
  });

  it('artifacts 15.50: lines in the exact form, newest first, filtered and limited', async () => {
    const agent = talk('lines');
    const first = await agent.create({ title: 'Revenue', turnIndex: 3 });
    const second = await agent.create({ type: 'table', payload: TABLE, turnIndex: 2 });
    const lines = [`#${second.id} [turn 2] table`, `#${first.id} [turn 3] line_chart — Revenue`];
    expect(await agent.text('list_artifacts')).toBe(lines.join('\n'));
    expect(await agent.text('list_artifacts', { artifact_type: null, limit: 100 })).toBe(lines.join('\n'));
    expect(await agent.text('list_artifacts', { artifact_type: 'table' })).toBe(lines[0]);
    expect(await agent.text('list_artifacts', { artifact_type: 'nothing' })).toBe(
      '(no artifacts produced yet in this conversation)',
    );
    expect(await agent.text('list_artifacts', { limit: 1 })).toBe(lines[0]);
    for (const limit of [0, 101, 'ten']) {
      expect(await agent.result('list_artifacts', { limit })).toEqual({
        isError: true,
        content: [{ type: 'text', text: 'limit must be between 1 and 100.' }],
      });
    }
  });

  it('artifacts 15.51: five keys in their order, the payload as it was sent, also where JavaScript would turn it', async () => {
    const agent = talk('payloads');
    const payload =
      '{"rows":[{"region":"EU","2024":1,"2023":2.50}],"columns":[{"key":"region","label":"R"},{"key":"2024","label":"x"},{"label":"y","key":"2023"}]}';
    const response = await fetch(`${server.origin}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'loupe-session-id': 'payloads',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"artifact_typed_create","arguments":{"type":"table","title":"Sales","payload": ${payload.replaceAll(',', ' ,\n ')}}}}`,
    });
    const made = (await response.json()) as { result: { structuredContent: { id: number } } };
    const { id } = made.result.structuredContent;
    expect(await agent.text('get_artifact', { artifact_id: id })).toBe(
      `{"id":${id},"type":"table","title":"Sales","turn_index":1,"payload":${payload}}`,
    );
    expect((await agent.result('get_artifact', { artifact_id: id })).structuredContent).toBeUndefined();
    const typed = await agent.result('artifact_typed_get', { id });
    expect(typed.content![0]!.text).toContain(`"payload":${payload}`);
    expect(typed.structuredContent).toEqual(JSON.parse(typed.content![0]!.text));
    expect(Object.keys(typed.structuredContent!)).toEqual([
      'id',
      'type',
      'title',
      'description',
      'turnIndex',
      'payload',
      'createdAt',
      'url',
    ]);
  });

  it('artifacts 15.51: another session, another project and an unknown number look alike', async () => {
    const { id } = await talk('mine').create();
    const missing = { content: [{ type: 'text', text: `artifact #${id} not found in this conversation` }] };
    expect(await talk('yours').result('get_artifact', { artifact_id: id })).toEqual(missing);
    expect(await talk(null).result('get_artifact', { artifact_id: id })).toEqual(missing);
    expect(await talk('mine').text('get_artifact', { artifact_id: id + 1000 })).toBe(
      `artifact #${id + 1000} not found in this conversation`,
    );
    const otherProject = await newProject(ada, 'Harbour');
    const other = await AppSignIn.complete(ada, otherProject);
    const there = talk('mine', 'loupe-session-id', other.access_token);
    expect(await there.result('get_artifact', { artifact_id: id })).toEqual(missing);
    expect(await there.result('artifact_typed_get', { id })).toEqual({
      isError: true,
      content: [{ type: 'text', text: `Typed artifact #${id} was not found in this conversation.` }],
      structuredContent: {
        success: false,
        error: { code: 'NOT_FOUND', message: `Typed artifact #${id} was not found in this conversation.` },
      },
    });
    for (const artifact_id of [0, -1, 1.5, '1', undefined]) {
      expect(await talk('mine').result('get_artifact', { artifact_id })).toEqual({
        isError: true,
        content: [{ type: 'text', text: 'artifact_id must be a whole number of 1 or more.' }],
      });
    }
  });

  it('artifacts 15.52: the conversation comes from a header alone; without one nothing is listed or stored', async () => {
    const schemas = (await listed()).filter(({ name }) => TOOLS.includes(name));
    expect(JSON.stringify(schemas.map(({ inputSchema }) => inputSchema))).not.toMatch(
      /thread|session|conversation/i,
    );
    const { id } = await talk('first-name').create();
    expect(await talk('second-name').text('list_artifacts')).toBe(
      '(no artifacts produced yet in this conversation)',
    );
    expect(await talk('first-name', 'mcp-session-id').text('list_artifacts')).toContain(`#${id} `);
    for (const nameless of [talk(null), talk('no spaces allowed')]) {
      expect(await nameless.text('list_artifacts')).toBe('(no artifacts produced yet in this conversation)');
      await expect(nameless.create()).rejects.toThrow(
        'This connection names no conversation. Connect through loupe mcp, or send a Loupe-Session-Id header.',
      );
    }
  });

  it('artifacts 15.53: text as y, 21 series, an unknown key: refused with the pointer, nothing stored', async () => {
    const agent = talk('wrong');
    const address = `${server.origin}/schemas/typed-artifacts/line_chart.json`;
    const cases: [object, string][] = [
      [
        { series: [{ name: 'A', points: [{ x: 'a', y: 'b' }] }] },
        '/series/0/points/0/y must be a number or null',
      ],
      [{ series: Array.from({ length: 21 }, () => LINE.series[0]) }, '/series must hold 1 to 20 entries'],
      [{ ...LINE, colour: 'red' }, '/colour is not a known key'],
    ];
    for (const [payload, problem] of cases) {
      const message = `payload does not fit line_chart: ${problem}. Schema: ${address}`;
      expect(await agent.result('artifact_typed_create', { type: 'line_chart', payload })).toEqual({
        isError: true,
        content: [{ type: 'text', text: message }],
        structuredContent: {
          success: false,
          error: { code: 'INVALID_ARGUMENT', message, argument: 'payload' },
        },
      });
    }
    expect(await agent.text('artifact_typed_create', { type: 'pie', payload: {} })).toBe(
      'type must be one of line_chart, area_chart, bar_chart, scatter_chart, pie_chart, table, stat.',
    );
    expect(await agent.text('artifact_typed_create', { payload: 'x', colour: 1 })).toBe(
      'payload: must be an object.\ncolour: is not an argument of this tool. It takes: type, payload, title, description, turnIndex.\ntype: is required. Kind of payload. Use one of: line_chart, area_chart, bar_chart, scatter_chart, pie_chart, table, stat.',
    );
    expect(await agent.text('list_artifacts')).toBe('(no artifacts produced yet in this conversation)');
    const schema = await fetch(address);
    expect([schema.status, schema.headers.get('content-type')]).toEqual([
      200,
      'application/schema+json; charset=utf-8',
    ]);
    expect(await schema.json()).toMatchObject({ $id: address, type: 'object', additionalProperties: false });
    expect((await fetch(`${server.origin}/schemas/typed-artifacts/nothing.json`)).status).toBe(404);
  });

  it('artifacts 15.54: the page gets a picture with the names of the series, a table equal to the payload, and no script', async () => {
    const { id, url } = await talk('pictures').create({ title: SCRIPT, description: SCRIPT });
    expect(url).toBe(`${server.origin}/projects/${projectId}/artifacts/charts/${id}`);
    const chart = await ada.api<Record<string, unknown>>('GET', `/projects/${projectId}/charts/${id}`);
    expect(chart.body).toMatchObject({
      title: SCRIPT,
      payload: LINE,
      drawable: true,
      thread: { client: 'Plan Writer', count: 1 },
      data: {
        columns: [{ label: 'x' }, { label: 'EU (ms)' }, { label: 'US (ms)' }],
        rows: [
          { x: 'Mon', s0: 120, s1: 200 },
          { x: 'Tue', s0: null, s1: null },
          { x: 'Wed', s0: 90, s1: 180 },
        ],
      },
    });
    const picture = await ada.request(`/api/projects/${projectId}/charts/${id}.svg?download=1`);
    expect(picture.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(picture.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(picture.headers.get('content-disposition')).toBe(
      `attachment; filename="script-alert-1-script-${id}.svg"`,
    );
    const svg = await picture.text();
    expect(svg).toContain('>EU</text>');
    expect(svg).toContain('>US</text>');
    expect(svg).toContain('&lt;script&gt;alert(1)&lt;/script&gt;</title>');
    expect(svg).not.toContain('<script');
    const csv = await ada.request(`/api/projects/${projectId}/charts/${id}.csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await csv.text()).toContain('x,EU (ms),US (ms)\r\nMon,120,200\r\n');
  });

  it('artifacts 11: the gallery lists what was stored, and a person deletes one', async () => {
    const { id } = await talk('gallery').create({ title: 'Only here' });
    const list = await ada.api<{ charts: { id: number }[]; threads: object[] }>(
      'GET',
      `/projects/${projectId}/charts?q=only`,
    );
    expect(list.body).toMatchObject({ charts: [{ id, title: 'Only here' }], total: 1, hasMore: false });
    expect((await ada.api('DELETE', `/projects/${projectId}/charts/${id}`)).status).toBe(204);
    expect((await ada.api('GET', `/projects/${projectId}/charts/${id}`)).status).toBe(404);
    expect(await talk('gallery').text('get_artifact', { artifact_id: id })).toBe(
      `artifact #${id} not found in this conversation`,
    );
    for (const odd of ['0', '1.5', 'x', '99999999999999999999']) {
      expect((await ada.api('GET', `/projects/${projectId}/charts/${odd}`)).status).toBe(404);
    }
  });

  it('artifacts 15.61 for charts: a viewer reads its own conversation, and cannot store', async () => {
    const email = 'vera.viewer@mail.example';
    await addMember(server, projectId, await addPerson(server, email, 'vera'), 'viewer');
    const vera = await signedIn(server.origin, email);
    const bearer = (await AppSignIn.complete(vera, projectId)).access_token;
    const agent = talk('lines', 'loupe-session-id', bearer);
    expect(await agent.text('list_artifacts')).toBe('(no artifacts produced yet in this conversation)');
    await expect(agent.create()).rejects.toThrow(
      'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.',
    );
    expect((await vera.api('GET', `/projects/${projectId}/charts`)).status).toBe(200);
    expect((await vera.api('DELETE', `/projects/${projectId}/charts/1`)).status).toBe(403);
  });

  it('artifacts 15.25 for charts: compatibility names leave the list with their flag, and still work', async () => {
    await flag('artifacts.aliases.listed', false);
    expect((await listed()).map(({ name }) => name).filter((name) => TOOLS.includes(name))).toEqual([
      'artifact_typed_create',
      'artifact_typed_list',
      'artifact_typed_get',
    ]);
    expect(await talk('lines').text('list_artifacts')).toContain('line_chart — Revenue');
    await flag('artifacts.aliases.listed', true);
    expect((await listed()).map(({ name }) => name).filter((name) => TOOLS.includes(name))).toEqual(TOOLS);
  });

  it('artifacts 15.55: reasons are in the schemas and in the audit log, are asked for when required, and change no result', async () => {
    const agent = talk('reasons');
    const { id } = await agent.create();
    const plain = await agent.result('artifact_typed_get', { id });
    const why = { action_and_reasoning: '  Read it again to answer the question.  ' };
    expect(await agent.result('artifact_typed_get', { id, ...why })).toEqual(plain);
    await agent.result('get_artifact', { artifact_id: id, ...why });
    await agent.result('list_artifacts');
    const records = async () =>
      sql<{
        outcome: string;
        subject_type: string;
        subject_id: string;
        context: object;
        agent_session_id: string;
      }>(
        server,
        `SELECT outcome, subject_type, subject_id, context, agent_session_id FROM platform.audit_events
          WHERE operation = 'mcp.tool_called' AND agent_session_id = 'reasons' ORDER BY at, id`,
      );
    const reasoning = 'Read it again to answer the question.';
    const about = {
      outcome: 'success',
      subject_type: 'typed_artifact',
      subject_id: String(id),
      agent_session_id: 'reasons',
    };
    expect(await records()).toEqual([
      { ...about, context: { tool: 'artifact_typed_get', name: 'artifact_typed_get', reasoning } },
      { ...about, context: { tool: 'artifact_typed_get', name: 'get_artifact', reasoning } },
      {
        ...about,
        subject_type: null,
        subject_id: null,
        context: { tool: 'artifact_typed_list', name: 'list_artifacts', reasoningMissing: true },
      },
    ]);
    const required = async (name: string) => {
      const entry = (await listed()).find((tool) => tool.name === name) as {
        inputSchema: { properties: object; required?: string[] };
      };
      return [
        'action_and_reasoning' in entry.inputSchema.properties,
        entry.inputSchema.required?.includes('action_and_reasoning') ?? false,
      ];
    };
    expect(await required('get_artifact')).toEqual([true, true]);
    expect(await required('artifact_typed_get')).toEqual([true, false]);
    await flag('mcp.action_and_reasoning', 'required');
    expect(await required('artifact_typed_get')).toEqual([true, true]);
    expect(await agent.text('artifact_typed_get', { id })).toBe(
      'action_and_reasoning is required: say in one sentence what you do and why.',
    );
    expect((await records()).at(-1)).toMatchObject({ outcome: 'refused' });
    expect(await agent.result('artifact_typed_get', { id, ...why })).toEqual(plain);
    await flag('mcp.action_and_reasoning', 'off');
    expect(await required('get_artifact')).toEqual([false, false]);
    const before = (await records()).length;
    expect(await agent.result('artifact_typed_get', { id, action_and_reasoning: 7 })).toEqual(plain);
    expect(await records()).toHaveLength(before);
    await flag('mcp.action_and_reasoning', 'optional');
  });

  it('platform 2: a repeat with its request id stores one chart, whatever its reason says', async () => {
    const headers = {
      'loupe-session-id': 'repeats',
      'loupe-request-id': '0f8f9a52-4a57-4d5c-9d55-3f0c3a9d6a01',
    };
    const store = (action_and_reasoning: string) =>
      callTool(
        server.origin,
        token,
        'artifact_typed_create',
        { type: 'line_chart', payload: LINE, action_and_reasoning },
        headers,
      );
    const first = (await store('First try.')).body.result!.structuredContent;
    expect((await store('Again.')).body.result!.structuredContent).toEqual(first);
    expect((await talk('repeats').text('list_artifacts')).split('\n')).toHaveLength(1);
  });
});
