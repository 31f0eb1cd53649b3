import { z } from 'zod';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import { McpExchange } from './mcp-exchange.js';
import { connectionOf, KeptInMemory, OWNER, PROJECT, SwitchedFlags } from './testing/mcp-fixtures.js';
import { type ToolDefinition, ToolSource, tool } from './tool-definition.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRunner } from './tool-runner.js';

const IDENTITY = { name: 'loupe', title: 'Loupe', version: '0.0.0' };

/** A tool that tells how far it is, and one that does not. */
class SlowTools extends ToolSource {
  private readonly shared = {
    title: 'T',
    description: 'D',
    level: 'read',
    flags: [],
    input: z.strictObject({}),
  } as const;
  heard: boolean[] = [];

  override readonly tools: readonly ToolDefinition[] = [
    tool({
      ...this.shared,
      name: 'thing_read',
      reportsProgress: true,
      handle: async ({ progress }) => {
        this.heard.push(progress !== undefined);
        for (const percent of [10, 10, 5, 60]) progress?.(percent);
        await new Promise((tick) => setImmediate(tick));
        return { done: true };
      },
    }),
    tool({
      ...this.shared,
      name: 'thing_write',
      handle: async ({ progress }) => {
        this.heard.push(progress !== undefined);
        return { done: true };
      },
    }),
  ];
}

describe('the progress of a call', () => {
  const slow = new SlowTools();
  const flags = new SwitchedFlags();
  const registry = new ToolRegistry([slow], flags, IDENTITY, ['thing_read', 'thing_write']);
  const access = new FakeProjectAccess().add(PROJECT, OWNER);
  const runner = new ToolRunner(registry, flags, access, new KeptInMemory(), new Metrics());
  const exchange = new McpExchange(registry, runner, IDENTITY);

  afterAll(() => exchange.close());
  beforeEach(() => {
    slow.heard = [];
  });

  /** Messages of the answer, and whether they came as a stream. */
  async function call(era: 'legacy' | 'modern', name: string, token?: string | number) {
    const version = era === 'legacy' ? '2025-11-25' : '2026-07-28';
    const meta = {
      ...(token === undefined ? {} : { progressToken: token }),
      ...(era === 'legacy'
        ? {}
        : {
            'io.modelcontextprotocol/protocolVersion': version,
            'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          }),
    };
    const headers = new Headers({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': version,
      ...(era === 'legacy' ? {} : { 'mcp-method': 'tools/call', 'mcp-name': name }),
    });
    const answer = await exchange.answer({
      headers,
      body: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: {}, _meta: meta } },
      caller: { actor: connectionOf(OWNER), projectRefusal: null, requestId: null },
      gone: new AbortController().signal,
    });
    if (!(answer instanceof Response))
      return { streamed: false, messages: [JSON.parse(answer.json.toString())] };
    const text = await answer.text();
    const streamed = answer.headers.get('content-type') === 'text/event-stream';
    const messages = streamed
      ? [...text.matchAll(/^data: (\{.*)$/gm)].map((line) => JSON.parse(line[1]!))
      : [JSON.parse(text)];
    return { streamed, messages };
  }

  it.each(['legacy', 'modern'] as const)(
    'artifacts 7.3: is told on the way to who asks for it (%s)',
    async (era) => {
      const { streamed, messages } = await call(era, 'thing_read', 'p-1');
      expect(streamed).toBe(true);
      const notices = messages.filter(({ method }) => method === 'notifications/progress');
      expect(notices.map(({ params }) => params)).toMatchObject([
        { progressToken: 'p-1', progress: 10, total: 100 },
        { progressToken: 'p-1', progress: 60, total: 100 },
      ]);
      expect(messages.at(-1)).toMatchObject({ id: 7, result: { structuredContent: { done: true } } });
    },
  );

  it.each(['legacy', 'modern'] as const)('is one plain answer for who does not (%s)', async (era) => {
    for (const [name, token] of [
      ['thing_read', undefined],
      ['thing_write', 5],
    ] as const) {
      const { streamed, messages } = await call(era, name, token);
      expect([streamed, messages.length]).toEqual([false, 1]);
      expect(messages[0]).toMatchObject({ id: 7, result: { structuredContent: { done: true } } });
    }
    expect(slow.heard).toEqual([false, false]);
  });
});
