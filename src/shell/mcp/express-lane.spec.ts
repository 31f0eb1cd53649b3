import type { Server } from '@modelcontextprotocol/server';
import { JsonText } from '#libs/kernel/json-text.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import { MODERN_VERSION } from './express-lane.js';
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
import { type ContentBlock, ToolContent } from './tool-definition.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRunner } from './tool-runner.js';

const IDENTITY = { name: 'loupe', title: 'Loupe', version: '0.0.0' };
const LONG = 'A "quoted" line\nwith a tab\t, an ö and a 🚀\u2028'.repeat(20);

const text = (content: string | JsonText): ContentBlock => ({ type: 'text', text: content });

describe('a call in the express lane', () => {
  const things = new ThingTools();
  const flags = new SwitchedFlags();
  const registry = new ToolRegistry([things], flags, IDENTITY, FIXTURE_ORDER);
  const access = new FakeProjectAccess().add(PROJECT, OWNER);
  const runner = new ToolRunner(registry, flags, access, new KeptInMemory(), new Metrics());
  const express = new McpExchange(registry, runner, IDENTITY);
  // A changed server object serves calls itself.
  const library = new McpExchange(registry, runner, IDENTITY, (_server: Server) => undefined);

  afterAll(async () => {
    await express.close();
    await library.close();
  });

  async function answerOf(
    exchange: McpExchange,
    era: 'legacy' | 'modern',
    params: object = { name: 'thing_read', arguments: {} },
  ): Promise<string> {
    const modern = {
      'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await exchange.answer({
      headers: new Headers({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': era === 'modern' ? MODERN_VERSION : '2025-11-25',
        ...(era === 'modern' ? { 'mcp-method': 'tools/call', 'mcp-name': 'thing_read' } : {}),
      }),
      body: {
        jsonrpc: '2.0',
        id: 'a "1"',
        method: 'tools/call',
        params: { ...params, ...(era === 'modern' ? { _meta: modern } : {}) },
      },
      caller: { actor: connectionOf(OWNER), projectRefusal: null, requestId: null },
      gone: new AbortController().signal,
    });
    return answer instanceof Response ? answer.text() : Buffer.concat(answer.json).toString('utf8');
  }

  it.each<[string, object]>([
    ['an object', { id: 1, words: LONG }],
    ['a long text alone', new ToolContent([text(JsonText.of(LONG))])],
    ['a long text with facts', new ToolContent([text(JsonText.of(LONG))], { nextOffset: null, path: '"' })],
    [
      'long texts between other blocks',
      new ToolContent(
        [
          text('first'),
          text(JsonText.of(LONG)),
          text(JsonText.of('')),
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          text(JsonText.ofUtf8(Buffer.from('plain'))),
          text('last'),
        ],
        { nextOffset: 200_000 },
      ),
    ],
    ['no block', new ToolContent([], {})],
  ])('with %s is answered as the protocol library answers it, in both eras', async (_what, result) => {
    things.behaviour = async () => result;
    for (const era of ['legacy', 'modern'] as const) {
      const [ours, theirs] = [await answerOf(express, era), await answerOf(library, era)];
      expect(JSON.parse(ours)).toEqual(JSON.parse(theirs));
      expect(JSON.parse(ours)).toMatchObject({ id: 'a "1"', result: { content: expect.any(Array) } });
    }
  });

  it.each([
    [{ name: 'thing_read', arguments: [1] }, 'params.arguments must be an object that holds the arguments'],
    [{ name: 'thing_read', arguments: '{}' }, 'params.arguments must be an object that holds the arguments'],
    [{ name: 7 }, 'tools/call needs the name of a tool in params.name.'],
    [{}, 'tools/call needs the name of a tool in params.name.'],
  ])('of the form %j is refused in plain words', async (params, sentence) => {
    const { error } = JSON.parse(await answerOf(express, 'legacy', params)) as {
      error: { code: number; message: string };
    };
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining(sentence)]);
  });

  it('takes arguments that are null for none', async () => {
    things.behaviour = async () => ({ fine: true });
    for (const era of ['legacy', 'modern'] as const) {
      const answer = JSON.parse(await answerOf(express, era, { name: 'thing_read', arguments: null }));
      expect(answer).toMatchObject({ result: { structuredContent: { fine: true } } });
    }
  });
});
