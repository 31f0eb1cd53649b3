import type { PersonActor } from '#libs/kernel/actor.js';
import { hashOfArguments } from '#libs/kernel/canonical-json.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { parseTemplate } from '../domain/parse-template.js';
import { YamlTemplateLibrary } from '../infrastructure/yaml-template-library.js';
import { WorkflowRig } from '../testing/workflow-rig.js';
import { type LibraryTemplate, TemplateLibrary } from './ports/template-library.js';

const NO_WORKFLOW =
  'This project has no workflow yet. The owner picks a workflow template when they create the project.';

let db: TestDatabase;
let shipped: YamlTemplateLibrary;
let rig: WorkflowRig;
let ada: PersonActor;

beforeAll(async () => {
  db = await TestDatabase.start();
  shipped = await YamlTemplateLibrary.load(null);
});
afterAll(() => db.stop());
beforeEach(() => {
  rig = new WorkflowRig(db.database, shipped);
  ada = rig.person();
});

/** A library of another release: the shipped templates with Lifecycle changed. */
function nextRelease(version: number, change: (data: Loose) => void): TemplateLibrary {
  const data = structuredClone(shipped.default.data) as Loose;
  data.version = version;
  change(data);
  const { template, faults } = parseTemplate(data, true);
  if (faults.length > 0) throw new Error(JSON.stringify(faults));
  const entry: LibraryTemplate = { template, data, digest: hashOfArguments(data) };
  return new (class extends TemplateLibrary {
    override newest() {
      return [entry, shipped.find('simple')!];
    }
  })();
}
type Loose = ReturnType<typeof JSON.parse>;

describe('the workflow of a new project', () => {
  it('workflow 20.1: is lifecycle, version 1, seven columns with slots, every kind with its rules and checks', async () => {
    const id = await rig.project(ada);
    const workflow = await rig.get.execute(rig.connection(ada.personId, id), id);
    expect(Object.keys(workflow)).toEqual([
      'template',
      'enabled',
      'approvalCoversConflictResolution',
      'epicBranchPattern',
      'designReview',
      'agentReview',
      'columns',
      'kinds',
    ]);
    expect(workflow).toMatchObject({
      template: { key: 'lifecycle', version: 1 },
      enabled: true,
      approvalCoversConflictResolution: false,
      epicBranchPattern: 'epic/{number}',
      designReview: false,
      agentReview: false,
    });
    expect(workflow.columns.map((column) => Object.values(column))).toEqual([
      ['backlog', 'Backlog', null, true, false],
      ['next', 'Next', 'next', false, false],
      ['product-design', 'Product design', 'product-design', false, false],
      ['tech-design', 'Tech design', 'tech-design', false, false],
      ['implementation', 'Implementation', 'implementation', false, false],
      ['in-review', 'In review', 'in-review', false, false],
      ['done', 'Done', null, false, true],
    ]);
    const kinds = new Map(workflow.kinds.map((kind) => [kind.kind, kind]));
    expect(kinds.get('fix')).toEqual({
      kind: 'fix',
      origin: 'template',
      role: 'fix',
      rules: ['fix'],
      checks: [
        "The card's worktree exists or can be made again",
        'The gate commands of the lifecycle profile',
        'Read access to check logs',
      ],
    });
    expect(kinds.get('merge')).toMatchObject({ rules: ['merge', 'merge-into-epic'], checks: [] });
    expect(kinds.get('sync')?.rules).toEqual(['sync-behind']);
    expect(kinds.get('repair')?.rules).toEqual([]);
    expect(kinds.get('discovery')).toEqual({
      kind: 'discovery',
      origin: 'app',
      role: 'discovery',
      rules: ['app-discovery'],
      checks: [],
    });
    expect(workflow.kinds).toHaveLength(17);
    expect(rig.audit.entries).toMatchObject([{ operation: 'workflow.bound', projectId: id }]);
  });

  it('is the template that was named; an unknown one is refused with those that exist', async () => {
    const id = await rig.project(ada, 'simple');
    const workflow = await rig.get.execute(ada, id);
    expect(workflow.template.key).toBe('simple');
    expect(workflow.epicBranchPattern).toBeNull();
    expect(workflow.columns.map(({ slug }) => slug)).toEqual(['backlog', 'next', 'in-progress', 'done']);
    expect(() => rig.templates.newBoard('kanban')).toThrow(
      'templateKey: Unknown workflow template "kanban". Use one of: lifecycle, simple.',
    );
  });

  it('is none when nobody wanted one: a plain board, every move free, and each door says so', async () => {
    const id = await rig.project(ada, '');
    for (const read of [rig.get, rig.page, rig.automation]) {
      await expect(read.execute(ada, id)).rejects.toMatchObject({
        code: 'no_workflow',
        message: NO_WORKFLOW,
      });
    }
    await expect(rig.update.execute(ada, { projectId: id, enabled: false })).rejects.toThrow(NO_WORKFLOW);
    const board = await rig.templates.of(id);
    expect([board.template, board.isOn, board.limitsMoves]).toEqual([null, false, false]);
    expect(board.types).toHaveLength(7);
    expect(rig.templates.newBoard('').columns.map(({ label, terminal }) => [label, terminal])).toEqual([
      ['Next', false],
      ['In progress', false],
      ['Done', true],
    ]);
  });

  it('is read by everybody in the project and by nobody else', async () => {
    const id = await rig.project(ada);
    const [vic, bob] = [rig.person(), rig.person()];
    rig.access.setRole(id, vic.personId, 'viewer');
    expect((await rig.page.execute(vic, id)).template.label).toBe('Lifecycle');
    await expect(rig.page.execute(bob, id)).rejects.toThrow('Project not found or not accessible.');
    await expect(rig.get.execute(rig.connection(bob.personId, id), id)).rejects.toThrow('not accessible');
  });
});

describe('the page of the workflow', () => {
  it('shows moves, rules with what they read, and says that nothing acts on them yet', async () => {
    const id = await rig.project(ada);
    const page = await rig.page.execute(ada, id);
    expect(page.engine).toEqual({ acts: false, notice: expect.stringContaining('does not act on them') });
    expect(page.manualMoves).toContainEqual({
      from: { place: '@backlog', label: 'Backlog' },
      to: { place: 'tech-design', label: 'Tech design' },
      by: null,
    });
    const rules = new Map(page.rules.map((rule) => [rule.id, rule]));
    expect(rules.get('accept-tech-design')).toMatchObject({
      origin: 'template',
      places: [{ place: 'tech-design', label: 'Tech design' }],
      facts: [
        {
          source: 'documents',
          fact: 'document.approved',
          parameters: { tag: 'tech-design' },
          negated: false,
        },
        { source: 'documents', fact: 'document.changesRequested', negated: true, known: true },
        { source: 'board', fact: 'card.hasOpenBlocker', negated: true },
      ],
      actions: [{ action: 'move', to: 'implementation', from: null }],
    });
    expect(page.rules.slice(-3).map(({ id: rule, origin }) => [rule, origin])).toEqual([
      ['app-discovery', 'app'],
      ['app-post-verdict', 'app'],
      ['app-site-review-check', 'app'],
    ]);
    expect(page.slots[0]).toMatchObject({ key: 'next', column: { slug: 'next' } });
  });

  it('keeps a rule of another release that this one cannot read, marked as unknown', async () => {
    const other = nextRelease(1, (data) => {
      data.rules[0].when = { 'document.blessed': { tag: 'x' } };
    });
    const id = await new WorkflowRig(db.database, other).project(ada);
    rig.access.add(id, ada.personId);
    const [rule] = (await rig.page.execute(ada, id)).rules;
    expect(rule?.facts).toEqual([
      { source: null, fact: 'document.blessed', parameters: { tag: 'x' }, negated: false, known: false },
    ]);
  });
});

describe('the automation settings', () => {
  const problems = (error: unknown) => (error instanceof InvalidInput ? error.problems : error);

  it('workflow 20.16: an agent changes what an approval covers; the browser cannot', async () => {
    const id = await rig.project(ada);
    const agent = rig.connection(ada.personId, id);
    const values = { approvalCoversConflictResolution: true };
    await rig.update.execute(agent, { projectId: id, values });
    expect((await rig.get.execute(agent, id)).approvalCoversConflictResolution).toBe(true);
    const error = await rig.update.execute(ada, { projectId: id, values }).catch((e) => e);
    expect(problems(error)).toEqual([
      {
        argument: 'approvalCoversConflictResolution',
        sentence: 'An agent changes this with automation_settings_update.',
      },
    ]);
  });

  it('an agent switches the workflow, and widens nothing else', async () => {
    const id = await rig.project(ada);
    const agent = rig.connection(ada.personId, id);
    await rig.update.execute(agent, { projectId: id, enabled: false });
    expect(await rig.templates.of(id)).toMatchObject({ isOn: false, limitsMoves: false });
    const error = await rig.update
      .execute(agent, { projectId: id, values: { writeMerge: true } })
      .catch((e) => e);
    expect(problems(error)).toEqual([
      { argument: 'writeMerge', sentence: 'A maintainer changes this in the browser.' },
    ]);
    expect((await rig.get.execute(agent, id)).enabled).toBe(false);
  });

  it('workflow 20.35: a connection of a member is refused with the maintainer sentence', async () => {
    const id = await rig.project(ada);
    const mel = rig.person();
    rig.access.setRole(id, mel.personId, 'member');
    for (const actor of [mel, rig.connection(mel.personId, id)]) {
      await expect(rig.update.execute(actor, { projectId: id, enabled: false })).rejects.toThrow(
        'This needs the maintainer role in the project. Ask its owner.',
      );
    }
  });

  it('refuses a template without that value by the name of the argument', async () => {
    const bare = nextRelease(1, (data) => {
      delete data.values.approvalCoversConflictResolution;
    });
    const other = new WorkflowRig(db.database, bare);
    const id = await other.project(ada);
    const agent = other.connection(ada.personId, id);
    expect((await other.get.execute(agent, id)).approvalCoversConflictResolution).toBeNull();
    await expect(
      other.update.execute(agent, { projectId: id, values: { approvalCoversConflictResolution: true } }),
    ).rejects.toThrow('approvalCoversConflictResolution: The template of this project has no such value.');
  });

  it('names every bad value at once and stores none', async () => {
    const id = await rig.project(ada);
    const values = {
      stuckDelayMinutes: 0,
      mergeMethod: 'fold',
      agentReviewFailOn: [],
      agentReview: true,
      mood: 1,
    };
    const error = await rig.update.execute(ada, { projectId: id, values }).catch((e) => e);
    expect((problems(error) as { argument: string }[]).map(({ argument }) => argument)).toEqual([
      'stuckDelayMinutes',
      'mergeMethod',
      'agentReviewFailOn',
      'mood',
    ]);
    expect((await rig.automation.execute(ada, id)).version).toBe(1);
    expect((await rig.get.execute(ada, id)).agentReview).toBe(false);
  });

  it('records old and new; the same values again change, record and tell nothing', async () => {
    const id = await rig.project(ada);
    rig.audit.entries.length = 0;
    const values = { mergeMethod: 'rebase', agentReviewFailOn: ['nit', 'important'] };
    const first = await rig.update.execute(ada, { projectId: id, enabled: true, values });
    expect(first.version).toBe(2);
    expect(rig.audit.entries).toMatchObject([
      {
        operation: 'workflow.values_updated',
        context: {
          changed: [
            { key: 'mergeMethod', old: 'squash', new: 'rebase' },
            { key: 'agentReviewFailOn', old: ['important'], new: ['nit', 'important'] },
          ],
        },
      },
    ]);
    const again = { mergeMethod: 'rebase', agentReviewFailOn: ['important', 'nit'] };
    expect((await rig.update.execute(ada, { projectId: id, enabled: true, values: again })).version).toBe(2);
    expect(rig.audit.entries).toHaveLength(1);
    expect(rig.live.sent).toHaveLength(1);
  });

  it('refuses a form that shows an old version, with the settings as they are', async () => {
    const id = await rig.project(ada);
    await rig.update.execute(ada, { projectId: id, enabled: false, expectedVersion: 1 });
    await expect(
      rig.update.execute(ada, { projectId: id, values: { agentReview: true }, expectedVersion: 1 }),
    ).rejects.toMatchObject({ code: 'stale', detail: { current: { enabled: false, version: 2 } } });
  });

  it('keeps both of two changes made at once', async () => {
    const id = await rig.project(ada);
    const keys = ['designReview', 'agentReview', 'writeMerge', 'commentOnFix'];
    await Promise.all(keys.map((key) => rig.update.execute(ada, { projectId: id, values: { [key]: true } })));
    const { values, version } = await rig.automation.execute(ada, id);
    expect(values.filter(({ value }) => value === true).map(({ key }) => key)).toEqual(keys);
    expect(version).toBe(5);
  });

  it('the flag of the instance frees moves without touching the switch of a project', async () => {
    const id = await rig.project(ada);
    rig.flags.set('workflow.enabled', 'false');
    expect(await rig.templates.of(id)).toMatchObject({ isOn: false, limitsMoves: false });
    expect((await rig.get.execute(ada, id)).enabled).toBe(true);
  });
});

describe('places of slots', () => {
  it('workflow 20.29: a deleted column leaves its slot empty; linking another column fills it', async () => {
    const id = await rig.project(ada);
    const column = await rig.columnId(id, 'tech-design');
    const slot = await db.database.run(async () => {
      const emptied = await rig.templates.columnDeleted(id, column);
      await db.database.query('DELETE FROM board.board_column WHERE id = $1', [column]);
      return emptied;
    });
    expect(slot).toBe('tech-design');
    expect((await rig.templates.of(id)).columnOfSlot('tech-design')).toBeNull();
    expect((await rig.page.execute(ada, id)).slots[2]).toMatchObject({ key: 'tech-design', column: null });
    const extra = await rig.addColumn(id, 'Drawing board');
    const slots = await rig.link.execute(ada, { projectId: id, slot: 'tech-design', columnId: extra });
    expect(slots[2]).toMatchObject({ column: { columnId: extra, slug: 'drawing-board' } });
    expect((await rig.templates.of(id)).slotOfColumn(extra)).toBe('tech-design');
    expect(rig.audit.entries.at(-1)).toMatchObject({ operation: 'workflow.slot_linked' });
  });

  it('refuse a column that is taken, that finishes work, that is Backlog, or that is elsewhere', async () => {
    const id = await rig.project(ada);
    const other = await rig.project(ada);
    const link = async (slug: string, from = id, slot = 'next') =>
      rig.link.execute(ada, { projectId: id, slot, columnId: await rig.columnId(from, slug) });
    await expect(link('in-review')).rejects.toMatchObject({ code: 'taken', kind: 'conflict' });
    for (const slug of ['done', 'backlog']) {
      await expect(link(slug)).rejects.toMatchObject({ code: 'terminal', kind: 'invalid' });
    }
    await expect(link('next', other)).rejects.toThrow('columnId: Choose a column of this board.');
    await expect(link('next', id, 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
    const mel = rig.person();
    rig.access.setRole(id, mel.personId, 'member');
    const columnId = await rig.columnId(id, 'next');
    await expect(rig.link.execute(mel, { projectId: id, slot: 'next', columnId })).rejects.toThrow(
      'maintainer',
    );
  });

  it('give one column to one slot when two are linked at once', async () => {
    const id = await rig.project(ada);
    const extra = await rig.addColumn(id, 'Extra');
    const results = await Promise.allSettled(
      ['next', 'in-review', 'tech-design'].map((slot) =>
        rig.link.execute(ada, { projectId: id, slot, columnId: extra }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      results.filter((result) => result.status === 'rejected').map((result) => result.reason.code),
    ).toEqual(['taken', 'taken']);
  });
});

describe('a new version of a template', () => {
  it('workflow 20.30: keeps values that still fit and links of slots, once, and records what it dropped', async () => {
    const id = await rig.project(ada);
    await rig.update.execute(ada, {
      projectId: id,
      enabled: false,
      values: { mergeMethod: 'rebase', stuckDelayMinutes: 60, designReview: true },
    });
    const linked = (await rig.templates.of(id)).columnOfSlot('in-review');
    const next = new WorkflowRig(
      db.database,
      nextRelease(2, (data) => {
        data.values.mergeMethod.options = ['squash', 'merge'];
        delete data.values.stuckDelayMinutes;
        data.columns.splice(1, 1, { label: 'Sketch', slot: 'sketch', colour: 'pink' });
        data.slots.splice(1, 1, { key: 'sketch', label: 'Sketch' });
        data.rules = data.rules.filter(
          (rule: { slots?: string[] }) => !rule.slots?.includes('product-design'),
        );
        data.manualMoves = 'any';
      }),
    );
    next.access.add(id, ada.personId);
    await Promise.all([next.upgrade.execute(), next.upgrade.execute()]);
    const board = await next.templates.of(id);
    expect(board.template).toEqual({ key: 'lifecycle', version: 2 });
    expect(board.columnOfSlot('in-review')).toBe(linked);
    const { slots } = await next.page.execute(ada, id);
    expect(slots.map(({ key, column }) => [key, column?.slug ?? null])).toEqual([
      ['next', 'next'],
      ['sketch', null],
      ['tech-design', 'tech-design'],
      ['implementation', 'implementation'],
      ['in-review', 'in-review'],
    ]);
    const settings = await next.automation.execute(ada, id);
    const value = (key: string) => settings.values.find((one) => one.key === key)?.value;
    expect(settings.enabled).toBe(false);
    expect([value('mergeMethod'), value('designReview'), value('stuckDelayMinutes')]).toEqual([
      'squash',
      true,
      undefined,
    ]);
    const records = next.audit.entries.filter(({ projectId }) => projectId === id);
    expect(records).toMatchObject([
      {
        operation: 'workflow.template_upgraded',
        context: { from: 1, to: 2, dropped: ['mergeMethod', 'stuckDelayMinutes'] },
      },
    ]);
    expect(await next.upgrade.execute()).toBe(0);
  });
});
