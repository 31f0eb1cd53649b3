import { z } from 'zod';
import { conflict, DomainError, notFound } from '#libs/kernel/errors.js';
import type { AuditEntry } from '#libs/kernel/ports/audit.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import { text, whole } from './arguments.js';
import type { ListedTool } from './listed-tool.js';
import { recordOf } from './reasoning-record.js';
import { connectionOf, KeptInMemory, OWNER, PROJECT, SwitchedFlags, VIEWER } from './testing/mcp-fixtures.js';
import { ToolContent, type ToolDefinition, ToolSource, tool } from './tool-definition.js';
import { ToolRegistry } from './tool-registry.js';
import { ToolRunner } from './tool-runner.js';

const IDENTITY = { name: 'loupe', title: 'Loupe', version: '0.0.0' };
const ARGUMENT = 'action_and_reasoning';

/** Tools as the artifacts context declares them, which note what reaches them. */
class ShapeTools extends ToolSource {
  readonly seen: unknown[] = [];
  behaviour: () => Promise<object> = async () => ({ artifactId: 'made' });

  override readonly tools: readonly ToolDefinition[] = [
    tool({
      name: 'shape_make',
      title: 'Make',
      description: 'Makes a shape. Then it says more. Not here.',
      level: 'contribute',
      flags: ['shapes.enabled'],
      aliases: ['shape-make'],
      reasoning: true,
      refusals: 'coded',
      input: z.strictObject({
        name: text('Name'),
        artifactId: text('Artifact').optional(),
        size: whole('Size').optional(),
        description: text('Words').optional(),
      }),
      handle: (call, input) => {
        this.seen.push({ input, conversation: call.conversation, name: call.textOf('name') });
        return this.behaviour();
      },
    }),
    tool({
      name: 'list_shapes',
      title: 'List',
      description: 'Lists shapes as text.',
      level: 'read',
      flags: ['shapes.enabled'],
      compatibilityOf: 'shape_list',
      reasoning: 'expected',
      subjectOf: ({ id }) => (typeof id === 'number' ? { type: 'typed_artifact', id: String(id) } : null),
      input: z.strictObject({ id: whole('Id').optional() }),
      handle: async () => ToolContent.text('#1 shape'),
    }),
    tool({
      name: 'shape_list',
      title: 'List',
      description: 'Lists shapes.',
      level: 'read',
      flags: ['shapes.enabled'],
      input: z.strictObject({}),
      handle: async () => ({ shapes: [] }),
    }),
  ];
}

function rig() {
  const flags = new SwitchedFlags();
  flags.reasoning = 'optional';
  const shapes = new ShapeTools();
  const registry = new ToolRegistry([shapes], flags, IDENTITY, ['shape_make', 'shape_list']);
  const access = new FakeProjectAccess().add(PROJECT, OWNER, { [VIEWER]: 'viewer' });
  const records: AuditEntry[] = [];
  const metrics = new Metrics();
  const runner = new ToolRunner(
    registry,
    flags,
    access,
    new KeptInMemory(),
    metrics,
    undefined,
    undefined,
    async (_, call) => {
      const record = recordOf(call);
      if (record) records.push(record);
    },
  );
  const call = (
    name: string,
    args: Record<string, unknown> = {},
    options: { personId?: string; requestId?: string; conversation?: string; body?: string } = {},
  ) =>
    runner.call(
      {
        actor: connectionOf(options.personId ?? OWNER),
        projectRefusal: null,
        requestId: options.requestId ?? null,
        conversation: options.conversation,
        bodyText: options.body === undefined ? undefined : () => options.body!,
      },
      name,
      args,
    );
  const listed = (name: string): ListedTool | undefined =>
    registry.list().tools.find((entry) => entry.name === name);
  const said = async (name: string, args: Record<string, unknown> = {}) => {
    const [block] = (await call(name, args)).content;
    return block?.type === 'text' ? block.text : null;
  };
  return { flags, shapes, registry, records, metrics, call, listed, said };
}

describe('compatibility names', () => {
  it('artifacts 2: stand after their tool, and say whose name they are', () => {
    const { registry, listed } = rig();
    expect(registry.list().tools.map(({ name }) => name)).toEqual([
      'shape_make',
      'shape-make',
      'shape_list',
      'list_shapes',
    ]);
    expect(listed('shape-make')!.description).toBe(
      'Compatibility name of shape_make, with the same arguments and result. Prefer shape_make.',
    );
    expect(listed('shape_make')!.inputSchema.properties).toMatchObject({
      name: { type: 'string', description: 'Name' },
      description: { type: 'string', description: 'Words' },
    });
    // The words stand at the tool; the form is the same.
    expect(listed('shape-make')!.inputSchema).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['name'],
      properties: {
        name: { type: 'string' },
        artifactId: { type: 'string' },
        size: { type: 'integer' },
        description: { type: 'string' },
        action_and_reasoning: { type: 'string' },
      },
    });
    expect(listed('list_shapes')!.description).toBe(
      'Compatibility name of shape_list. Lists shapes as text.',
    );
  });

  it('artifacts 15.25: with the flag off only the tool is listed, and both still work and behave alike', async () => {
    const { flags, registry, call } = rig();
    flags.switch('artifacts.aliases.listed', false);
    expect(registry.list().tools.map(({ name }) => name)).toEqual(['shape_make', 'shape_list']);
    expect(await call('shape-make', { name: 'a' })).toEqual(await call('shape_make', { name: 'a' }));
    expect(await call('shape-make', {})).toEqual(await call('shape_make', {}));
    flags.switch('artifacts.aliases.listed', true);
    expect(registry.list().tools).toHaveLength(4);
  });

  it('go with the flag of their tool', async () => {
    const { flags, registry, said } = rig();
    flags.switch('shapes.enabled', false);
    expect(registry.list().tools).toEqual([]);
    expect(await said('shape-make', { name: 'a' })).toBe('shapes.enabled is switched off on this instance.');
  });

  it('artifacts 2: audit and metrics name the tool; the record also names what was used', async () => {
    const { call, records, metrics } = rig();
    await call('shape-make', { name: 'a' });
    expect(records).toEqual([
      {
        operation: 'mcp.tool_called',
        outcome: 'success',
        projectId: PROJECT,
        subjectType: 'artifact',
        subjectId: 'made',
        context: { tool: 'shape_make', name: 'shape-make' },
      },
    ]);
    const figures = (await metrics.toolCalls.get()).values;
    expect(figures.map(({ labels }) => labels)).toEqual([
      { tool: 'shape_make', name: 'shape-make', outcome: 'success' },
    ]);
  });

  it('share the results of one request id with their tool', async () => {
    const { call, shapes } = rig();
    const requestId = '00000000-0000-4000-8000-000000000001';
    await call('shape_make', { name: 'a', [ARGUMENT]: 'First try.' }, { requestId });
    await call('shape-make', { name: 'a', [ARGUMENT]: 'Once more.' }, { requestId });
    expect(shapes.seen).toHaveLength(1);
  });

  it('may not be taken twice', () => {
    const shapes = new ShapeTools();
    const other = { tools: [{ ...shapes.tools[2]!, name: 'shape-make', aliases: [] }] };
    const order = ['shape_make', 'shape_list', 'shape-make'];
    expect(() => new ToolRegistry([shapes, other], new SwitchedFlags(), IDENTITY, order)).toThrow(
      'The tool shape-make is declared twice.',
    );
  });
});

describe('action_and_reasoning', () => {
  const requiredOf = (entry: ListedTool | undefined) => (entry!.inputSchema.required as string[]) ?? [];
  const hasIt = (entry: ListedTool | undefined) => ARGUMENT in (entry!.inputSchema.properties as object);

  it('artifacts 15.55: is in the schema by the flag, required where clients should fill it in', () => {
    const { flags, listed } = rig();
    expect(hasIt(listed('shape_make'))).toBe(true);
    expect(requiredOf(listed('shape_make'))).toEqual(['name']);
    expect(requiredOf(listed('list_shapes'))).toEqual([ARGUMENT]);
    expect(hasIt(listed('shape_list'))).toBe(false);
    flags.reasoning = 'required';
    expect(requiredOf(listed('shape_make'))).toEqual(['name', ARGUMENT]);
    flags.reasoning = 'off';
    expect(hasIt(listed('shape_make'))).toBe(false);
    expect(hasIt(listed('list_shapes'))).toBe(false);
  });

  it('lists are made once for a state of the flags', () => {
    const { flags, registry } = rig();
    const first = registry.list();
    flags.reasoning = 'required';
    expect(registry.list()).not.toBe(first);
    flags.reasoning = 'optional';
    expect(registry.list()).toBe(first);
  });

  it('artifacts 15.55: never reaches the tool, changes no result, and is in the record, trimmed and cut', async () => {
    const { call, shapes, records } = rig();
    const plain = await call('shape_make', { name: 'a', artifactId: 'x' });
    const reasoned = await call('shape_make', {
      name: 'a',
      artifactId: 'x',
      [ARGUMENT]: `  Why\u0000 ${'ü'.repeat(3000)} `,
    });
    expect(reasoned).toEqual(plain);
    expect(shapes.seen[1]).toEqual(shapes.seen[0]);
    expect(records).toHaveLength(1);
    const { reasoning } = records[0]!.context as { reasoning: string };
    expect(reasoning.startsWith('Why ü')).toBe(true);
    expect(reasoning.length).toBeLessThanOrEqual(2000);
    expect(Buffer.byteLength(JSON.stringify(records[0]!.context))).toBeLessThanOrEqual(4096);
    expect(records[0]).toMatchObject({ subjectType: 'artifact', subjectId: 'x' });
  });

  it('is noted as missing for the tools that expect it, also when it is blank, and accepted all the same', async () => {
    const { said, records } = rig();
    expect(await said('list_shapes', { id: 4 })).toBe('#1 shape');
    expect(await said('list_shapes', { id: 4, [ARGUMENT]: '  ' })).toBe('#1 shape');
    expect(records.map(({ context }) => context)).toEqual([
      { tool: 'shape_list', name: 'list_shapes', reasoningMissing: true },
      { tool: 'shape_list', name: 'list_shapes', reasoningMissing: true },
    ]);
    expect(records[0]).toMatchObject({ subjectType: 'typed_artifact', subjectId: '4' });
  });

  it('in required mode a call without it is refused, with everything else that is wrong, and nothing runs', async () => {
    const { flags, said, call, shapes, records } = rig();
    flags.reasoning = 'required';
    const sentence = 'action_and_reasoning is required: say in one sentence what you do and why.';
    expect(await said('shape_make', { name: 'a' })).toBe(sentence);
    expect(await said('list_shapes', { [ARGUMENT]: '   ' })).toBe(sentence);
    expect(await said('shape_make', { size: 1.5 })).toBe(
      `size: must be a whole number.\nname: is required. Name.\n${sentence}`,
    );
    expect((await call('shape_make', { name: 'a' })).structuredContent).toEqual({
      success: false,
      error: { code: 'INVALID_ARGUMENT', message: sentence, argument: ARGUMENT },
    });
    expect(shapes.seen).toEqual([]);
    expect(records.every(({ outcome }) => outcome === 'refused')).toBe(true);
  });

  it('is dropped while it is off, whatever it is, and refused when it is no text', async () => {
    const { flags, call, said, records } = rig();
    flags.reasoning = 'off';
    expect((await call('shape_make', { name: 'a', [ARGUMENT]: 7 })).isError).toBeUndefined();
    expect(records).toEqual([]);
    flags.reasoning = 'optional';
    expect(await said('shape_make', { name: 'a', [ARGUMENT]: 7 })).toBe(
      'action_and_reasoning: must be a string.',
    );
  });

  it('is an unknown argument of tools that do not take it', async () => {
    expect(await rig().said('shape_list', { [ARGUMENT]: 'Because.' })).toBe(
      'action_and_reasoning: is not an argument of this tool. It takes none.',
    );
  });

  it('leaves no record of somebody who may not call the tool', async () => {
    const { call, records } = rig();
    await call('shape_make', { name: 'a', [ARGUMENT]: 'Because.' }, { personId: VIEWER });
    expect(records).toEqual([]);
  });
});

describe('refusals with a code', () => {
  const cases: [string, DomainError, object][] = [
    ['not found', notFound('Artifact'), { code: 'NOT_FOUND' }],
    ['conflict', conflict('archived', 'Archived.'), { code: 'CONFLICT' }],
    ['busy', conflict('busy', 'Busy.'), { code: 'BUSY' }],
    [
      'limit',
      new DomainError('conflict', 'limit', 'Full.', { argument: 'files' }),
      { code: 'LIMIT', argument: 'files' },
    ],
    ['rate', new DomainError('rate-limited', 'rate_limited', 'Later.'), { code: 'LIMIT' }],
    [
      'stale base',
      conflict('revision_conflict', 'Stale.', { facts: { currentRevision: 'abc' } }),
      { code: 'REVISION_CONFLICT', currentRevision: 'abc' },
    ],
  ];

  it.each(cases)('artifacts 6: %s', async (_, error, expected) => {
    const { shapes, call } = rig();
    shapes.behaviour = () => Promise.reject(error);
    expect(await call('shape_make', { name: 'a' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: error.message }],
      structuredContent: { success: false, error: { message: error.message, ...expected } },
    });
  });

  it('name the first wrong argument, and stay plain text for tools that answer text alone', async () => {
    const { call } = rig();
    expect((await call('shape_make', { size: 'x' })).structuredContent).toMatchObject({
      error: { code: 'INVALID_ARGUMENT', argument: 'size' },
    });
    expect(await call('list_shapes', { id: 'x' })).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'id: must be a whole number.' }],
    });
  });
});

it('hands a tool its conversation, and an argument as it was written', async () => {
  const { call, shapes } = rig();
  const body = '{"params":{"arguments":{"name": "\\u0061"}}}';
  await call('shape_make', { name: 'a' }, { conversation: 's-1', body });
  await call('shape_make', { name: 'a' });
  expect(shapes.seen).toEqual([
    { input: { name: 'a' }, conversation: 's-1', name: '"\\u0061"' },
    { input: { name: 'a' }, conversation: null, name: '"a"' },
  ]);
});

it('answers blocks of its own without structured content', async () => {
  expect(await rig().call('list_shapes', { [ARGUMENT]: 'To see them.' })).toEqual({
    content: [{ type: 'text', text: '#1 shape' }],
  });
});
