import { WorkflowOfBoard } from './workflow-of-board.js';
import type { ManualMove, WorkflowTemplate } from './workflow-template.js';

const TYPES: WorkflowTemplate['types'] = [
  { key: 'feature', label: 'Feature', colour: 'green', children: false, lane: false },
  { key: 'epic', label: 'Epic', colour: 'indigo', children: true, lane: true },
];

function template(manualMoves: 'any' | readonly ManualMove[]): WorkflowTemplate {
  return {
    key: 'team',
    version: 4,
    label: 'Team',
    description: 'Ours',
    columns: [],
    slots: [],
    types: TYPES,
    defaultType: 'feature',
    manualMoves,
    kinds: [],
    values: [],
    budgets: { refusalBackoffMinutes: [1], workTimeoutMinutes: 1, workFailure: null },
    rules: [
      {
        id: 'unplanned-child',
        slots: null,
        when: { all: [] },
        actions: [],
        whilePaused: false,
        keepTruth: false,
      },
    ],
    markers: [],
  };
}

const move = (from: string, to: string, by: ManualMove['by'] = null): ManualMove => ({ from, to, by });
const MOVES = [move('@backlog', 'next'), move('next', '@terminal'), move('next', 'build', 'parent-run')];

const column = (columnId: string, kind: 'backlog' | 'terminal' | null = null) => ({
  columnId,
  backlog: kind === 'backlog',
  terminal: kind === 'terminal',
});
const [backlog, next, build, extra] = [column('b', 'backlog'), column('n'), column('i'), column('x')];
const [done, dropped] = [column('d', 'terminal'), column('e', 'terminal')];

const COLUMNS = new Map<string, string | null>([
  ['next', 'n'],
  ['build', 'i'],
  ['empty', null],
]);
const bound = { bound: true, switchedOn: true, columns: COLUMNS };
const workflow = (moves: 'any' | readonly ManualMove[] = MOVES, binding: Partial<typeof bound> = {}) =>
  new WorkflowOfBoard(template(moves), { ...bound, ...binding });

describe('moves by hand', () => {
  it('are those that the template lists, by the places that columns are', () => {
    expect(workflow().allowsMove(backlog, next)).toBe(true);
    expect(workflow().allowsMove(next, done)).toBe(true);
    expect(workflow().allowsMove(next, dropped)).toBe(true);
    expect(workflow().allowsMove(next, backlog)).toBe(false);
    expect(workflow().limitsMoves).toBe(true);
  });

  it('never begin or end at a column that is no place, nor at the column that left an empty slot', () => {
    expect(workflow().allowsMove(backlog, extra)).toBe(false);
    expect(workflow().allowsMove(extra, backlog)).toBe(false);
    expect(workflow().allowsMove(extra, column('y'))).toBe(false);
  });

  it('are open to the running worker of the parent card alone where the template says so', () => {
    expect(workflow().allowsMove(next, build)).toBe(false);
    expect(workflow().allowsMove(next, build, 'parent-run')).toBe(true);
    expect(workflow().allowsMove(backlog, next, 'parent-run')).toBe(true);
  });

  it('stay free inside a column and between finishing columns, which are one place', () => {
    expect(workflow().allowsMove(extra, extra)).toBe(true);
    expect(workflow().allowsMove(done, dropped)).toBe(true);
  });

  it.each([
    ['the switch is off', workflow(MOVES, { switchedOn: false })],
    ['there is no template', workflow(MOVES, { bound: false })],
    ['the template allows any move', workflow('any')],
  ])('are all allowed while %s', (_, free) => {
    expect(free.limitsMoves).toBe(false);
    expect(free.allowsMove(next, backlog)).toBe(true);
    expect(free.allowsMove(extra, done)).toBe(true);
  });
});

describe('what cards ask of a workflow', () => {
  it('types come from the template; a key that it dropped reads with no capability and cannot be chosen', () => {
    expect(workflow().typeOf('epic')).toMatchObject({ label: 'Epic', children: true, lane: true });
    expect(workflow().typeOf('saga')).toEqual({
      key: 'saga',
      label: 'saga',
      colour: 'slate',
      children: false,
      lane: false,
    });
    expect([workflow().hasType('epic'), workflow().hasType('saga')]).toEqual([true, false]);
  });

  it('slots and columns find each other', () => {
    expect([workflow().slotOfColumn('n'), workflow().slotOfColumn('x')]).toEqual(['next', null]);
    expect([workflow().columnOfSlot('next'), workflow().columnOfSlot('empty')]).toEqual(['n', null]);
    expect(workflow().columnOfSlot('nowhere')).toBeNull();
  });

  it('without a template there are types to choose, but no template, no rule and no switch', () => {
    const free = workflow(MOVES, { bound: false });
    expect([free.template, free.isOn, free.hasRule('unplanned-child')]).toEqual([null, false, false]);
    expect(free.defaultType).toBe('feature');
    expect(workflow().hasRule('unplanned-child')).toBe(true);
    expect(workflow().template).toEqual({ key: 'team', version: 4 });
  });
});
