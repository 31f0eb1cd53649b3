import fc from 'fast-check';
import {
  CONDITION_DEPTH_MAX,
  type Condition,
  conditionData,
  type Declared,
  factsOf,
  parseCondition,
} from './condition.js';
import { CONDITIONS, type ParameterRule } from './condition-catalogue.js';
import { DataReader, type Fault } from './data-reader.js';

const declared: Declared = {
  slots: new Set(['next', 'in-review']),
  types: new Set(['feature', 'epic']),
  kinds: new Set(['fix', 'merge']),
  values: new Map([
    [
      'agentReview',
      {
        key: 'agentReview',
        type: 'bool',
        default: false,
        min: null,
        max: null,
        options: [],
        editable: 'owner',
      },
    ],
  ]),
};

function read(data: unknown, keepUnknown = false): { condition: Condition; faults: readonly Fault[] } {
  const reader = new DataReader(data, 'when');
  return { condition: parseCondition(reader, { declared, keepUnknown }), faults: reader.faults };
}

const WORDS: Readonly<Record<ParameterRule['kind'], fc.Arbitrary<unknown>>> = {
  slot: fc.constantFrom('next', 'in-review', '@backlog', '@terminal'),
  type: fc.constantFrom('feature', 'epic'),
  kind: fc.constantFrom('fix', 'merge'),
  value: fc.constant('agentReview'),
  valueOf: fc.boolean(),
  tag: fc.constantFrom('tech-design', 'a', '0-9'),
  code: fc.constantFrom('failed', 'head-moved'),
  count: fc.integer({ min: 1, max: 1000 }),
};

const leaf = fc.constantFrom(...CONDITIONS).chain((rule) => {
  const words = Object.fromEntries(rule.parameters.map(({ name, kind }) => [name, WORDS[kind]]));
  const requiredKeys = rule.parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  return fc.record(words, { requiredKeys }).map((parameters) => ({ [rule.name]: { ...parameters } }));
});

const tree = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.record({ all: fc.array(tie('node'), { maxLength: 3 }) }, { noNullPrototype: true }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }, { noNullPrototype: true }),
    fc.record({ not: tie('node') }, { noNullPrototype: true }),
  ),
})).node;

describe('the language of conditions', () => {
  it('reads whatever it writes, and writes whatever it reads', () => {
    fc.assert(
      fc.property(tree, (data) => {
        const { condition, faults } = read(data);
        expect(faults).toEqual([]);
        expect(conditionData(condition)).toEqual(data);
        expect(read(conditionData(condition)).condition).toEqual(condition);
      }),
    );
  });

  it('names every fact of a tree once, in its order', () => {
    fc.assert(
      fc.property(tree, (data) => {
        const named = JSON.stringify(data).match(/"[a-zA-Z]+\.[a-zA-Z]+":/g) ?? [];
        const facts = factsOf(read(data).condition);
        expect(facts.map(({ fact }) => `"${fact}":`)).toEqual(named);
      }),
    );
  });

  it('turns every reading of a fact around under a not, and back under a second one', () => {
    fc.assert(
      fc.property(tree, (data) => {
        const plain = factsOf(read(data).condition).map(({ negated }) => negated);
        const once = factsOf(read({ not: data }).condition).map(({ negated }) => negated);
        expect(once).toEqual(plain.map((negated) => !negated));
        expect(factsOf(read({ not: { not: data } }).condition)).toEqual(factsOf(read(data).condition));
      }),
    );
  });

  it('never throws, whatever stands in a file, and is either readable again or told what is wrong', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (data) => {
        const { condition, faults } = read(data);
        if (faults.length > 0) return;
        expect(read(conditionData(condition)).faults).toEqual([]);
      }),
    );
  });

  it('refuses a condition that this build does not have, but keeps it for a template bound by another one', () => {
    fc.assert(
      fc.property(tree, fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }), (data, parameters) => {
        const grown = { all: [data, { 'document.blessed': { ...parameters } }] };
        const strict = read(grown);
        expect(strict.faults).toEqual([
          {
            path: 'when.all[1].document.blessed',
            sentence: 'no condition is called "document.blessed".',
          },
        ]);
        const kept = read(grown, true);
        expect(kept.faults).toEqual([]);
        expect(factsOf(kept.condition).at(-1)).toEqual({
          fact: 'document.blessed',
          parameters,
          known: false,
          negated: false,
        });
      }),
    );
  });

  it.each([
    ['an any of nothing', { any: [] }, 'when.any'],
    ['two conditions in one map', { 'pr.open': {}, 'pr.draft': {} }, 'when'],
    ['no condition', {}, 'when'],
    ['a list', ['pr.open'], 'when'],
    ['a word', 'pr.open', 'when'],
    ['a parameter too many', { 'pr.open': { now: true } }, 'when.pr.open.now'],
    ['a missing parameter', { 'card.type': {} }, 'when.card.type.type'],
    ['a null where a parameter is needed', { 'card.type': null }, 'when.card.type'],
    ['a slot of another template', { 'card.inSlot': { slot: 'elsewhere' } }, 'when.card.inSlot.slot'],
    ['a tag that is no tag', { 'document.draft': { tag: 'Tech Design' } }, 'when.document.draft.tag'],
    ['a count of nought', { 'draft.rounds': { tag: 'a', min: 0 } }, 'when.draft.rounds.min'],
    ['a value of another type', { 'value.is': { key: 'agentReview', is: 1 } }, 'when.value.is.is'],
    ['the name of a part of every object', { constructor: {} }, 'when.constructor'],
  ])('says where %s stands', (_, data, path) => {
    expect(read(data).faults.map((fault) => fault.path)).toContain(path);
  });

  it('takes a condition without parameters also as YAML writes it with nothing behind the colon', () => {
    expect(read({ 'pr.open': null })).toEqual({
      condition: { fact: 'pr.open', parameters: {}, known: true },
      faults: [],
    });
  });

  it('refuses a tree that is too deep before it costs the stack', () => {
    let data: unknown = { 'pr.open': {} };
    for (let depth = 0; depth < 10_000; depth += 1) data = { not: data };
    expect(read(data).faults).toMatchObject([
      { sentence: `is nested deeper than ${CONDITION_DEPTH_MAX} levels.` },
    ]);
  });
});
