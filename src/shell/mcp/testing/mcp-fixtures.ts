import { z } from 'zod';
import type { ConnectionActor } from '#libs/kernel/actor.js';
import { conflict } from '#libs/kernel/errors.js';
import { Flags } from '#libs/kernel/ports/flags.js';
import { type KeptResult, type RequestKey, RequestResults } from '#libs/kernel/ports/request-results.js';
import { list, oneOf, text, whole, yesNo } from '../arguments.js';
import { ToolSource, tool } from '../tool-definition.js';

export const PROJECT = '00000000-0000-7000-8000-00000000000a';
export const OWNER = '00000000-0000-7000-8000-00000000000b';
export const VIEWER = '00000000-0000-7000-8000-00000000000c';

/** A connection bound to the fixture project. */
export function connectionOf(personId: string, overrides: Partial<ConnectionActor> = {}): ConnectionActor {
  return {
    kind: 'connection',
    connectionId: '00000000-0000-7000-8000-00000000000d',
    personId,
    clientId: 'https://agent.example/client.json',
    scopes: ['mcp'],
    boundProjectId: PROJECT,
    projectId: PROJECT,
    agentSessionId: null,
    channel: 'mcp',
    ...overrides,
  };
}

/** Flags that a test switches; every flag is on until then. */
export class SwitchedFlags extends Flags {
  readonly off = new Set<string>();
  perMinute = 300;
  reasoning = 'off';
  private readonly handlers = new Set<(names: readonly string[]) => void>();

  switch(name: string, on: boolean): void {
    if (on) this.off.delete(name);
    else this.off.add(name);
    for (const handler of this.handlers) handler([name]);
  }

  override isOn(name: string): boolean {
    return !this.off.has(name);
  }

  override int(): number {
    return this.perMinute;
  }

  override text(name: string): string {
    return name === 'mcp.action_and_reasoning' ? this.reasoning : '';
  }

  override list(): readonly string[] {
    return [];
  }

  override refusal(name: string): string {
    return `${name} is switched off on this instance.`;
  }

  override async refresh(): Promise<void> {}

  override onChange(handler: (names: readonly string[]) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }
}

/** Kept results in memory, as long as the test runs. */
export class KeptInMemory extends RequestResults {
  private readonly kept = new Map<string, { key: RequestKey; result: Promise<unknown> }>();

  override async once<T>(key: RequestKey, work: () => Promise<T>): Promise<KeptResult<T>> {
    const id = [key.principal, key.projectId, key.requestId].join(' ');
    const known = this.kept.get(id);
    if (known) {
      const same = known.key.operation === key.operation && known.key.argumentsHash === key.argumentsHash;
      if (!same) throw conflict('request_id_reused', 'This Loupe-Request-Id was used for another request.');
      return { result: (await known.result) as T, repeated: true };
    }
    const result = work();
    this.kept.set(id, { key, result });
    result.catch(() => this.kept.delete(id));
    return { result: await result, repeated: false };
  }
}

export const FIXTURE_ORDER = [
  'thing_read',
  'thing_write',
  'thing_rule',
  'thing_gated',
  'thing_lenient',
  'thing_strict',
  'thing_renamed',
];

/** Tools of every kind, which note what reaches them. */
export class ThingTools extends ToolSource {
  readonly calls: { name: string; input: unknown }[] = [];
  /** What `thing_read` began to read before it was known who calls. */
  readonly begun: unknown[] = [];
  /** What the next calls do in place of answering. */
  behaviour: (() => Promise<object>) | null = null;

  override readonly tools = [
    this.thing('thing_write', 'contribute', {
      name: text('Name', { maxLength: 5 }),
      size: whole('Size').optional(),
      big: yesNo('Big', false).optional(),
      kind: oneOf('Kind', ['a', 'b']).optional(),
      words: list(text('Word'), { description: 'Words' }).optional(),
      place: z
        .strictObject({ x: whole('X') })
        .meta({ description: 'Place' })
        .optional(),
    }),
    {
      ...this.thing('thing_read', 'read', { page: whole('Page', { default: 1 }).optional() }, [
        'read.enabled',
      ]),
      begin: (input: unknown) => {
        this.begun.push(input);
      },
    },
    this.thing('thing_rule', 'administer', {}),
    this.thing('thing_gated', 'read', {}, ['first.enabled', 'second.enabled']),
    {
      ...this.thing('thing_lenient', 'contribute', { name: text('Name'), size: whole('Size').optional() }),
      checksArguments: true as const,
    },
    {
      ...this.thing('thing_strict', 'read', { size: whole('Size').optional() }),
      refusesNull: true as const,
    },
    {
      ...this.thing('thing_renamed', 'read', {
        newName: text('The name'),
        oldName: text('The same').optional(),
      }),
      secondNames: { newName: 'oldName' },
    },
  ];

  private thing(
    name: string,
    level: 'read' | 'contribute' | 'administer',
    shape: z.ZodRawShape,
    flags: string[] = [],
  ) {
    return tool({
      name,
      title: name,
      description: 'A thing of the tests.',
      level,
      flags,
      input: z.strictObject(shape),
      handle: async (_call, input) => {
        this.calls.push({ name, input });
        return this.behaviour ? this.behaviour() : { calls: this.calls.length };
      },
    });
  }
}
