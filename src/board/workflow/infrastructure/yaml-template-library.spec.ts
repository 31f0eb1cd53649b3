import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { applicationRoot } from '#libs/configuration/application-root.js';
import { PALETTE } from '#libs/kernel/palette.js';
import { CONDITIONS } from '../domain/condition-catalogue.js';
import { FORGE_WRITES } from '../domain/places.js';
import { YamlTemplateLibrary } from './yaml-template-library.js';

/** Data of a file, to be broken in one place. */
type Loose = ReturnType<typeof JSON.parse>;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'templates-'));
});
afterEach(() => rm(folder, { recursive: true }));

const shipped = (name: string) => readFile(join(__dirname, 'templates', `${name}.yaml`), 'utf8');

/** Puts a changed copy of a shipped template into the folder of the operator. */
async function own(change: (data: Loose) => void, name = 'own', from = 'lifecycle') {
  const data = parse(await shipped(from));
  data.key = name;
  change(data);
  await writeFile(join(folder, `${name}.yaml`), stringify(data));
}

const complaint = () => YamlTemplateLibrary.load(folder).catch((error: Error) => error.message);

describe('the templates that come with Loupe', () => {
  it('are without fault, the default one first', async () => {
    const library = await YamlTemplateLibrary.load(null);
    expect(library.newest().map(({ template }) => [template.key, template.version])).toEqual([
      ['lifecycle', 1],
      ['simple', 1],
    ]);
  });

  it('Lifecycle has the places, moves, kinds, values and rules of the product in their order', async () => {
    const { template } = (await YamlTemplateLibrary.load(null)).default;
    expect(template.columns.map(({ label, slot, terminal }) => [label, slot, terminal])).toEqual([
      ['Next', 'next', false],
      ['Product design', 'product-design', false],
      ['Tech design', 'tech-design', false],
      ['Implementation', 'implementation', false],
      ['In review', 'in-review', false],
      ['Done', null, true],
    ]);
    expect(template.types.map(({ key }) => key)).toEqual([
      'feature',
      'bug',
      'security',
      'tooling',
      'docs',
      'idea',
      'epic',
    ]);
    expect(template.manualMoves).toHaveLength(18);
    expect(template.kinds.map(({ key, role }) => `${key}:${role}`)).toEqual([
      'product-design:product-design',
      'product-design-revise:design-revise',
      'tech-design:design-write',
      'tech-design-revise:design-revise',
      'design-review:design-review',
      'design-fix:design-revise',
      'implement:implement',
      'breakdown:breakdown',
      'review:code-review',
      'fix:fix',
      'rebase-stacked:rebase-stacked',
      'sync:sync',
      'merge:merge',
      'teardown:teardown',
      'epic-preview:preview',
      'repair:repair',
    ]);
    expect(template.rules.map(({ id }) => id)).toEqual([
      'open-product-session',
      'review-product-draft',
      'answer-product-review',
      'publish-product-design',
      'revise-product-design',
      'accept-product-design',
      'write-tech-design',
      'review-tech-draft',
      'answer-tech-review',
      'publish-tech-design',
      'revise-tech-design',
      'accept-tech-design',
      'build',
      'break-down',
      'review-code',
      'fix',
      'to-review',
      'back-to-draft',
      'rebase-stacked',
      'sync-behind',
      'merge',
      'merge-into-epic',
      'post-agent-review',
      'epic-to-review',
      'epic-to-done',
      'epic-reopen',
      'epic-open-pull-request',
      'epic-draft',
      'epic-ready',
      'epic-close',
      'epic-work-ended',
      'child-to-next',
      'child-start',
      'unplanned-child',
      'reopen-on-pull-request',
      'finish',
      'epic-preview',
      'teardown',
    ]);
    expect(template.values.filter(({ editable }) => editable === 'agent').map(({ key }) => key)).toEqual([
      'approvalCoversConflictResolution',
    ]);
    expect(template.values).toHaveLength(18);
  });

  it('Simple takes any move, has no places, and one value', async () => {
    const { template } = (await YamlTemplateLibrary.load(null)).find('simple')!;
    expect([template.manualMoves, template.slots, template.kinds.map(({ key }) => key)]).toEqual([
      'any',
      [],
      ['teardown'],
    ]);
    expect(template.rules.map(({ id }) => id)).toEqual(['finish', 'teardown']);
    expect(template.budgets.workFailure?.repairKind).toBeNull();
  });
});

describe('templates of the operator', () => {
  it('workflow 20.1: an unknown condition stops the start and names file, rule and condition', async () => {
    await own(({ rules }) => {
      rules[5].when.all[0] = { 'document.blessed': { tag: 'x' } };
    });
    expect(await complaint()).toBe(
      `A workflow template is not usable:\n  ${join(folder, 'own.yaml')}: rules[5] "accept-product-design".when.all[0].document.blessed no condition is called "document.blessed".`,
    );
    await expect(YamlTemplateLibrary.load(folder)).rejects.toMatchObject({ name: 'StartError' });
  });

  it('join the list by label, and the newest version of a key counts', async () => {
    await own((data) => Object.assign(data, { label: 'A team of our own', version: 3 }), 'team');
    await own((data) => Object.assign(data, { key: 'team', label: 'Older', version: 2 }), 'team-old');
    const library = await YamlTemplateLibrary.load(folder);
    expect(library.newest().map(({ template }) => `${template.key} ${template.version}`)).toEqual([
      'lifecycle 1',
      'team 3',
      'simple 1',
    ]);
  });

  it('are refused all at once: the same key and version twice, no YAML, a folder that is not there', async () => {
    await own((data) => Object.assign(data, { key: 'simple' }), 'twin', 'simple');
    await writeFile(join(folder, 'bad.yaml'), 'key: [unclosed');
    const text = await complaint();
    expect(text).toContain('twin.yaml: the template "simple" version 1 is in simple.yaml too.');
    expect(text).toContain('bad.yaml: is no YAML: ');
    await expect(YamlTemplateLibrary.load(join(folder, 'nowhere'))).rejects.toThrow('WORKFLOW_TEMPLATE_DIR');
  });

  it('may not raise other keys twice in one map, nor blow up by aliases', async () => {
    await writeFile(join(folder, 'twice.yaml'), 'key: a\nkey: b\n');
    expect(await complaint()).toContain('twice.yaml: is no YAML: ');
  });

  const faults: [string, (data: Loose) => void, string][] = [
    ['no terminal column', (d) => delete d.columns[5].terminal, 'columns must hold a terminal column.'],
    [
      'a slot without column',
      (d) => delete d.columns[0].slot,
      'columns must hold the slot "next" exactly once.',
    ],
    [
      'a slot on a terminal column',
      (d) => {
        d.columns[0].terminal = true;
      },
      'columns[0].slot must not stand on a terminal column.',
    ],
    [
      'two columns of one slug',
      (d) => {
        d.columns[1].label = 'NEXT!';
      },
      'columns the label "NEXT!" gives no slug of its own.',
    ],
    [
      'a column called Backlog',
      (d) => {
        d.columns[0].label = 'Backlog';
      },
      'columns the label "Backlog" gives no slug of its own.',
    ],
    [
      'a colour outside the palette',
      (d) => {
        d.columns[0].colour = 'mauve';
      },
      'columns[0].colour must be one of: slate, red,',
    ],
    [
      'a lane without children',
      (d) => {
        d.types[0].lane = true;
      },
      'types[0].lane needs children: true.',
    ],
    [
      'a default type with children',
      (d) => {
        d.defaultType = 'epic';
      },
      'defaultType must be a type without children.',
    ],
    ['a type twice', (d) => d.types.push({ ...d.types[0] }), 'types the key "feature" is used twice.'],
    [
      'a move to nowhere',
      (d) => {
        d.manualMoves[0].to = 'nowhere';
      },
      'manualMoves[0].to names no place of the template.',
    ],
    [
      'a rule under the name of the app',
      (d) => {
        d.rules[0].id = 'app-own';
      },
      'rules[0] "app-own".id must be of lower-case letters, digits and -, and must not start with app-.',
    ],
    [
      'a rule twice',
      (d) => {
        d.rules[1].id = 'finish';
      },
      'rules the id "finish" is used twice.',
    ],
    [
      'a request of an undeclared kind',
      (d) => {
        d.rules[0].then.request.kind = 'paint';
      },
      'rules[0] "open-product-session".then.request.kind names no kind of the template.',
    ],
    [
      'an unknown write',
      (d) => {
        d.rules[18].then.write.write = 'force-push';
      },
      'rules[18] "rebase-stacked".then.write.write is no known write.',
    ],
    [
      'an undeclared fallback',
      (d) => {
        d.rules[18].then.write.fallback = 'paint';
      },
      'rules[18] "rebase-stacked".then.write.fallback names no kind of the template.',
    ],
    [
      'an undeclared repair',
      (d) => {
        d.budgets.workFailure.repairKind = 'paint';
      },
      'budgets.workFailure.repairKind names no kind of the template.',
    ],
    [
      'a document without tag',
      (d) => delete d.rules[1].then.request.document.tag,
      'rules[1] "review-product-draft".then.request.document.tag is missing.',
    ],
    [
      'a question with one option',
      (d) => d.rules[33].then.ask.options.splice(1),
      'rules[33] "unplanned-child".then.ask.options must hold 2 to 4 options.',
    ],
    [
      'a question with five options',
      (d) =>
        d.rules[33].then.ask.options.push(d.rules[33].then.ask.options[0], d.rules[33].then.ask.options[1]),
      'rules[33] "unplanned-child".then.ask.options must hold 2 to 4 options.',
    ],
    [
      'an unknown action',
      (d) => {
        Reflect.set(d.rules[0], 'then', { explode: {} });
      },
      'rules[0] "open-product-session".then.explode no action is called "explode".',
    ],
    [
      'an action named like a part of every object',
      (d) => {
        Reflect.set(d.rules[0], 'then', { constructor: {} });
      },
      'rules[0] "open-product-session".then.constructor no action is called "constructor".',
    ],
    [
      'an unknown parameter',
      (d) => {
        d.rules[0].when.not['document.exists'].status = 'draft';
      },
      'rules[0] "open-product-session".when.not.document.exists.status is unknown here. Use tag.',
    ],
    [
      'a parameter of the wrong type',
      (d) => {
        d.rules[2].when.all[2].not['draft.rounds'].min = 'three';
      },
      'rules[2] "answer-product-review".when.all[2].not.draft.rounds.min must be a whole number from 1 to 1000.',
    ],
    [
      'a value that the template does not declare',
      (d) => {
        d.rules[1].when.all[0]['value.is'].key = 'mood';
      },
      'rules[1] "review-product-draft".when.all[0].value.is.key names no value of the template.',
    ],
    [
      'a value compared with what it can never be',
      (d) => {
        d.rules[1].when.all[0]['value.is'].is = 'yes';
      },
      'rules[1] "review-product-draft".when.all[0].value.is.is does not fit the type of the value.',
    ],
    [
      'a default outside its own bounds',
      (d) => {
        d.values.stuckDelayMinutes.default = 0;
      },
      'values.stuckDelayMinutes.default does not fit: Use a whole number from 1 to 1440.',
    ],
    [
      'a marker of Loupe',
      (d) => {
        d.markers = [{ key: 'paused', kind: 'stuck', when: { all: [] }, reason: 'x', clears: 'y' }];
      },
      'markers[0].key is the key of a marker that Loupe brings itself.',
    ],
    [
      'a key that means nothing',
      (d) => {
        d.script = 'rm -rf /';
      },
      'script is unknown here.',
    ],
    ['a missing part', (d) => delete d.budgets, 'budgets is missing.'],
    [
      'a rule without condition',
      (d) => {
        d.rules[0].when = {};
      },
      'rules[0] "open-product-session".when must hold exactly one of all, any, not or a condition.',
    ],
  ];

  it.each(faults)('are refused for %s', async (_, change, says) => {
    await own(change);
    expect(await complaint()).toContain(says);
  });
});

describe('the page about templates', () => {
  it('names every condition with its parameters, and no other', async () => {
    const page = await readFile(join(applicationRoot, 'docs', 'workflow-templates.md'), 'utf8');
    const named = [...page.matchAll(/`([a-zA-Z]+\.[a-zA-Z]+)(?: \{([^}]*)\})?`/g)].map(
      ([, name, parameters]) => `${name} ${parameters ?? ''}`,
    );
    const expected = CONDITIONS.map(
      ({ name, parameters }) =>
        `${name} ${parameters.map((one) => `${one.name}${one.optional ? '?' : ''}`).join(', ')}`,
    );
    expect(named).toEqual(expected);
    for (const word of [...FORGE_WRITES, ...PALETTE]) expect(page).toContain(`\`${word}\``);
  });
});
