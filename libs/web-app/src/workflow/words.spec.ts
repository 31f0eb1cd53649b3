import type { Fact } from './api';
import { actionText, factsBySource, factText, minutesText, valueText, valueWords } from './words';

const fact = (part: Partial<Fact>): Fact => ({
  source: 'board',
  fact: 'card.isChild',
  parameters: {},
  negated: false,
  known: true,
  ...part,
});

describe('the words of a workflow', () => {
  it('group what a rule reads by source in a fixed order, unknown conditions last', () => {
    const facts = [
      fact({ source: null, fact: 'document.blessed', known: false }),
      fact({ source: 'forge', fact: 'pr.open' }),
      fact({}),
      fact({ source: 'forge', fact: 'pr.draft', negated: true }),
    ];
    expect(factsBySource(facts).map(({ source, facts: group }) => [source, group.map(factText)])).toEqual([
      ['Board', ['card.isChild']],
      ['Forge', ['pr.open', 'not pr.draft']],
      ['Unknown', ['document.blessed']],
    ]);
  });

  it('say a condition with its parameters, and an action in a few words', () => {
    expect(factText(fact({ fact: 'draft.rounds', parameters: { tag: 'tech-design', min: 3 } }))).toBe(
      'draft.rounds tech-design 3',
    );
    const label = (place: string) => (place === '@terminal' ? 'Finished' : place);
    expect(actionText({ action: 'move', to: '@terminal', from: null }, label)).toBe(
      'Moves the card to Finished',
    );
    expect(actionText({ action: 'write', write: 'merge', fallback: 'merge' }, label)).toBe(
      'Writes merge to the forge, or asks for merge',
    );
    expect(actionText({ action: 'dance' }, label)).toBe('dance');
  });

  it('name values of other templates by their key', () => {
    expect(valueWords('writeMerge').group).toBe('writes');
    expect(valueWords('mood')).toEqual({ label: 'mood', hint: '', group: 'work' });
    expect([true, 15, '', ['nit', 'important']].map(valueText)).toEqual([
      'On',
      '15',
      'empty',
      'nit, important',
    ]);
  });

  it('say delays as a sentence', () => {
    expect([[10, 60, 360], [2], [1], []].map(minutesText)).toEqual([
      '10, 60 and 360 minutes',
      '2 minutes',
      '1 minute',
      '',
    ]);
  });
});
