import { Logger } from '@nestjs/common';
import { requireTimeLeft } from '#libs/kernel/deadline.js';
import { DomainError, InvalidInput, notFound, type Problem, Problems } from '#libs/kernel/errors.js';
import { withRequestFacts } from '#libs/kernel/request-context.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { Metrics } from '#libs/observability/metrics.js';
import {
  connectionOf,
  FIXTURE_ORDER,
  KeptInMemory,
  OWNER,
  PROJECT,
  SwitchedFlags,
  ThingTools,
  VIEWER,
} from './testing/mcp-fixtures.js';
import { ToolRegistry } from './tool-registry.js';
import type { ToolResult } from './tool-result.js';
import { ToolRunner } from './tool-runner.js';

// Faults are part of these tests; their log lines are not.
beforeAll(() => Logger.overrideLogger(false));

/** The text of an answer that is one block of text. */
function textOf({ content }: ToolResult): string {
  const [block] = content;
  if (block?.type !== 'text' || typeof block.text !== 'string') throw new Error('The answer is no text.');
  return block.text;
}

const IDENTITY = { name: 'loupe', title: 'Loupe', version: '0.0.0' };

function rig(limitMs?: number) {
  const flags = new SwitchedFlags();
  const things = new ThingTools();
  const registry = new ToolRegistry([things], flags, IDENTITY, FIXTURE_ORDER);
  const access = new FakeProjectAccess().add(PROJECT, OWNER, { [VIEWER]: 'viewer' });
  const metrics = new Metrics();
  const runner = new ToolRunner(registry, flags, access, new KeptInMemory(), metrics, limitMs);
  const call = async (name: string, args: object = {}, personId = OWNER, requestId: string | null = null) => {
    const caller = { actor: connectionOf(personId), projectRefusal: null, requestId };
    const result = await runner.call(caller, name, args as Record<string, unknown>);
    return { ...result, said: textOf(result) };
  };
  return { flags, things, registry, access, metrics, runner, call };
}

describe('a call of a tool', () => {
  it('answers the object, and the same JSON as text', async () => {
    const { call } = rig();
    expect(await call('thing_read')).toEqual({
      content: [{ type: 'text', text: '{"calls":1}' }],
      structuredContent: { calls: 1 },
      said: '{"calls":1}',
    });
  });

  it('of an unknown tool is a JSON-RPC error', async () => {
    await expect(rig().call('thing_none')).rejects.toMatchObject({
      code: -32602,
      message: 'Unknown tool: thing_none',
    });
  });

  it('names every wrong argument at once, in element form, and unknown ones by name; nothing runs', async () => {
    const { call, things } = rig();
    const { isError, said } = await call('thing_write', {
      name: 7,
      size: 1.5,
      big: 'yes',
      kind: 3,
      words: ['fine', 4, 'also', null],
      place: { x: 'one', 'y\u0000\n': 2 },
      colour: 'red',
      'bad\nname': 1,
    });
    expect(isError).toBe(true);
    expect(said.split('\n')).toEqual([
      'name: must be a string.',
      'size: must be a whole number.',
      'big: must be true or false.',
      'kind: must be one of: a, b.',
      'words[1]: must be a string.',
      'words[3]: must be a string.',
      'place.x: must be a whole number.',
      'place: has unknown fields: y??.',
      'colour: is not an argument of this tool. It takes: name, size, big, kind, words, place.',
      'bad?name: is not an argument of this tool.',
    ]);
    expect(things.calls).toEqual([]);
  });

  it('names a missing argument and says what it is for; null is the same as nothing', async () => {
    const { call, things } = rig();
    expect((await call('thing_write')).said).toBe('name: is required. Name.');
    expect((await call('thing_write', { name: null })).said).toBe('name: is required. Name.');
    expect((await call('thing_write', { name: 'x', place: {} })).said).toBe('place.x: is required.');
    expect(things.calls).toEqual([]);
    await call('thing_write', { name: 'x', size: null, words: null });
    expect(things.calls).toEqual([{ name: 'thing_write', input: { name: 'x' } }]);
  });

  it('takes null for a wrong value where a tool says so', async () => {
    const { call } = rig();
    expect((await call('thing_strict', { size: null })).said).toBe('size: must be a whole number.');
  });

  it('takes a second name in place of the first, and lists the first alone', async () => {
    const { call, things, registry } = rig();
    await call('thing_renamed', { oldName: 'x' });
    expect(things.calls).toEqual([{ name: 'thing_renamed', input: { oldName: 'x' } }]);
    expect((await call('thing_renamed', { colour: 1 })).said).toBe(
      'colour: is not an argument of this tool. It takes: newName.\nnewName: is required. The name.',
    );
    const { inputSchema } = registry.list().tools.find(({ name }) => name === 'thing_renamed')!;
    expect(inputSchema).toMatchObject({ required: ['newName'] });
    expect(Object.keys(inputSchema.properties as object)).toEqual(['newName']);
  });

  it('says of a tool without arguments that it takes none, and counts strangers beyond the twentieth', async () => {
    const { call } = rig();
    const strangers = Object.fromEntries(Array.from({ length: 23 }, (_, place) => [`a${place}`, 1]));
    const lines = (await call('thing_rule', strangers)).said.split('\n');
    expect(lines[0]).toBe('a0: is not an argument of this tool. It takes none.');
    expect(lines[19]).toBe('a19: is not an argument of this tool.');
    expect(lines.slice(20)).toEqual(['arguments: 3 more are not arguments of this tool.']);
  });

  it('refuses values that are nested without end', async () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as object;
    expect((await rig().call('thing_write', { name: 'x', words: deep })).said).toContain(
      'words: must be at most 50 levels deep.',
    );
  });

  describe('whose use case checks its arguments', () => {
    const ownChecks = (kept: string[], ...own: Problem[]) => {
      return async () => {
        const problems = new Problems();
        for (const { argument, sentence } of own) problems.add(argument, sentence);
        problems.throwIfAny();
        kept.push('reached');
        return {};
      };
    };

    it('names what the use case finds wrong together with wrong shapes, each argument once', async () => {
      const { call, things } = rig();
      const kept: string[] = [];
      things.behaviour = ownChecks(
        kept,
        { argument: 'name', sentence: 'The use case says so too.' },
        { argument: 'size', sentence: 'At most 3.' },
      );
      expect((await call('thing_lenient', { name: 7, colour: 1 })).said.split('\n')).toEqual([
        'name: must be a string.',
        'colour: is not an argument of this tool. It takes: name, size.',
        'size: At most 3.',
      ]);
      expect(things.calls).toEqual([{ name: 'thing_lenient', input: {} }]);
    });

    it('leaves what is missing to the words of the use case, where it has some', async () => {
      const { call, things } = rig();
      things.behaviour = ownChecks([], { argument: 'name', sentence: 'Say what it is called.' });
      expect((await call('thing_lenient', { name: null })).said).toBe('name: Say what it is called.');
      things.behaviour = ownChecks([], { argument: 'size', sentence: 'At most 3.' });
      expect((await call('thing_lenient')).said).toBe('name: is required. Name.\nsize: At most 3.');
    });

    it('stops after those checks, so that a refused call does nothing', async () => {
      const { call, things } = rig();
      const kept: string[] = [];
      things.behaviour = ownChecks(kept);
      expect((await call('thing_lenient', { name: 'x', colour: 1 })).said).toBe(
        'colour: is not an argument of this tool. It takes: name, size.',
      );
      expect(kept).toEqual([]);
      await call('thing_lenient', { name: 'x' });
      expect(kept).toEqual(['reached']);
    });

    it('keeps to the wrong shapes when the use case fails on what is missing, or refuses for another reason', async () => {
      const { call, things } = rig();
      for (const error of [new TypeError('no name'), notFound('Thing', 'name')]) {
        things.behaviour = () => Promise.reject(error);
        expect((await call('thing_lenient')).said).toBe('name: is required. Name.');
      }
    });

    it('can keep nothing of a refused call, even without checks of its own', async () => {
      const { call, things } = rig();
      let committed = false;
      things.behaviour = async () => {
        requireTimeLeft();
        committed = true;
        return {};
      };
      expect((await call('thing_lenient', { name: 7 })).said).toBe('name: must be a string.');
      expect(committed).toBe(false);
    });
  });

  it('platform 19.41: a page that is no whole number is refused by name; one out of range is for the use case', async () => {
    const { call, things } = rig();
    for (const page of [1.5, '1', [], Number.NaN]) {
      expect((await call('thing_read', { page })).said).toBe('page: must be a whole number.');
    }
    await call('thing_read', { page: -3 });
    expect(things.calls).toEqual([{ name: 'thing_read', input: { page: -3 } }]);
  });

  it('takes text as it is but for line breaks, and refuses what no database can hold', async () => {
    const { call, things } = rig();
    await call('thing_write', { name: ' a\r\nb\rc 👩‍👩‍👧 ', words: ['\r\n'] });
    expect(things.calls[0]!.input).toEqual({ name: ' a\nb\nc 👩‍👩‍👧 ', words: ['\n'] });
    expect((await call('thing_write', { name: 'a\u0000b', words: ['\ud800'] })).said).toBe(
      'name: must be valid text without NUL characters.\nwords[0]: must be valid text without NUL characters.',
    );
  });

  it('checks the flag before the role, the role before the arguments', async () => {
    const { call, flags } = rig();
    const viewer =
      'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.';
    expect((await call('thing_write', { colour: 1 }, VIEWER)).said).toBe(viewer);
    expect((await call('thing_rule', { colour: 1 }, VIEWER)).said).toBe(
      'This needs the maintainer role in the project. Ask its owner.',
    );
    flags.switch('second.enabled', false);
    expect((await call('thing_gated', { colour: 1 }, VIEWER)).said).toBe(
      'second.enabled is switched off on this instance.',
    );
    flags.switch('first.enabled', false);
    expect((await call('thing_gated')).said).toBe('first.enabled is switched off on this instance.');
  });

  it('lets a viewer read, and nobody whose access has ended', async () => {
    const { call, access } = rig();
    expect((await call('thing_read', {}, VIEWER)).isError).toBeUndefined();
    access.setRole(PROJECT, VIEWER, null);
    expect((await call('thing_read', {}, VIEWER)).said).toBe('Project not found or not accessible.');
  });

  it('says why there is no project when the request names none', async () => {
    const { runner } = rig();
    const caller = {
      actor: connectionOf(OWNER, {
        projectId: null,
        boundProjectId: null,
        scopes: ['mcp', 'projects'] as const,
      }),
      projectRefusal: 'This login covers 3 projects and the request names none.',
      requestId: null,
    };
    expect(textOf(await runner.call(caller, 'thing_read', {}))).toBe(caller.projectRefusal);
  });

  it('turns refusals of use cases into one line a problem', async () => {
    const { call, things } = rig();
    things.behaviour = () => Promise.reject(notFound('Document', 'documentId'));
    expect((await call('thing_read')).said).toBe('documentId: Document not found or not accessible.');
    things.behaviour = () =>
      Promise.reject(
        new InvalidInput([
          { argument: 'a', sentence: 'One.' },
          { argument: 'b[1]', sentence: 'Two.' },
        ]),
      );
    expect((await call('thing_read')).said).toBe('a: One.\nb[1]: Two.');
    things.behaviour = () => Promise.reject(new DomainError('conflict', 'busy', 'Wait a little.'));
    expect((await call('thing_read')).said).toBe('Wait a little.');
  });

  it('answers a fault with a reference id alone', async () => {
    const { call, things } = rig();
    things.behaviour = () => Promise.reject(new TypeError('secret detail at /srv/app.js'));
    const facts = { traceId: 'trace-7', ip: null, channel: 'mcp' as const };
    const { isError, said } = await withRequestFacts(facts, () => call('thing_read'));
    expect([isError, said]).toEqual([true, 'Something went wrong on the server. Reference: trace-7']);
  });

  it('cuts off what takes too long, so that its change cannot be kept any more', async () => {
    const { call, things } = rig(30);
    let kept = 'nothing yet';
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      done = resolve;
    });
    things.behaviour = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      try {
        requireTimeLeft();
        kept = 'kept';
      } catch {
        kept = 'rolled back';
      }
      done();
      return {};
    };
    const { isError, said } = await call('thing_write', { name: 'x' });
    expect(isError).toBe(true);
    expect(said).toContain('was cut off. Nothing was changed.');
    await finished;
    expect(kept).toBe('rolled back');
  });

  it('counts calls by tool and outcome', async () => {
    const { call, things, metrics } = rig();
    await call('thing_read');
    await call('thing_read', { page: 'x' });
    things.behaviour = () => Promise.reject(new Error('broken'));
    await call('thing_read');
    const { values } = await metrics.toolCalls.get();
    expect(values.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['success', 1],
      ['refused', 1],
      ['failed', 1],
    ]);
  });
});

describe('a repeat with the same Loupe-Request-Id', () => {
  const ID = '3a1c7f52-3b0e-4b6e-9d27-0d6c3bb7a001';

  it('acts once, also while the first call runs', async () => {
    const { call, things } = rig();
    const answers = await Promise.all([1, 2, 3].map(() => call('thing_write', { name: 'x' }, OWNER, ID)));
    expect(things.calls).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.said))).toEqual(new Set(['{"calls":1}']));
    expect((await call('thing_write', { name: 'x' }, OWNER, ID.toUpperCase())).said).toBe('{"calls":1}');
  });

  it('with other arguments is refused, with an id of another form too', async () => {
    const { call } = rig();
    await call('thing_write', { name: 'x' }, OWNER, ID);
    expect((await call('thing_write', { name: 'y' }, OWNER, ID)).said).toContain('used for another request');
    expect((await call('thing_write', { name: 'x' }, OWNER, '42')).said).toContain('must be a UUID');
  });

  it('means nothing for tools that only read', async () => {
    const { call, things } = rig();
    await call('thing_read', {}, OWNER, ID);
    await call('thing_read', {}, OWNER, ID);
    expect(things.calls).toHaveLength(2);
  });
});

describe('the registry of tools', () => {
  it('lists in the fixed order, without what a flag hides, and shows it again when the flag is on', () => {
    const { registry, flags } = rig();
    const names = () => registry.list().tools.map((tool) => tool.name);
    expect(names()).toEqual(FIXTURE_ORDER);
    flags.switch('second.enabled', false);
    expect(names()).toEqual(FIXTURE_ORDER.filter((name) => name !== 'thing_gated'));
    flags.switch('second.enabled', true);
    expect(names()).toEqual(FIXTURE_ORDER);
  });

  it('makes a list once for each set of flags', () => {
    const { registry, flags } = rig();
    const first = registry.list();
    flags.switch('first.enabled', false);
    expect(registry.list()).not.toBe(first);
    flags.switch('first.enabled', true);
    expect(registry.list()).toBe(first);
  });

  it('refuses a name that is declared twice or has no place', () => {
    const flags = new SwitchedFlags();
    expect(
      () => new ToolRegistry([new ThingTools(), new ThingTools()], flags, IDENTITY, FIXTURE_ORDER),
    ).toThrow('declared twice');
    expect(() => new ToolRegistry([new ThingTools()], flags, IDENTITY, [])).toThrow('no place in the order');
  });

  it('tells hints and schemas from the declaration', () => {
    const { registry } = rig();
    const [read, write] = registry.list().tools;
    expect(read!.annotations).toEqual({ readOnlyHint: true });
    expect(write!.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
    });
    expect(write!.inputSchema).toMatchObject({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string', description: 'Name', maxLength: 5 },
        size: { type: 'integer', description: 'Size' },
        big: { type: 'boolean', default: false },
        kind: { type: 'string', enum: ['a', 'b'] },
        words: { type: 'array', items: { type: 'string' } },
      },
    });
  });
});
