import { fitsValue, type ValueDefinition, valueFault } from './template-value.js';

const value = (part: Partial<ValueDefinition>): ValueDefinition => ({
  key: 'x',
  type: 'bool',
  default: false,
  min: null,
  max: null,
  options: [],
  editable: 'owner',
  ...part,
});

describe('values of a template', () => {
  const pattern = value({ type: 'branch-pattern' });

  it.each(['', 'epic/{number}', '{number}', 'team/épics/{number}-work', `${'a'.repeat(192)}{number}`])(
    'take the branch pattern "%s"',
    (given) => expect(valueFault(pattern, given)).toBeNull(),
  );

  it.each([
    'epic',
    '{number}/{number}',
    'epic {number}',
    'epic/../{number}',
    'epic//{number}',
    '/epic/{number}',
    'epic/{number}/',
    '-epic/{number}',
    'epic/{number}.lock',
    '.epic/{number}',
    'epic/{number}.',
    'epic@{{number}',
    'epic~{number}',
    'epic\\{number}',
    'epic\u0000{number}',
    `${'a'.repeat(193)}{number}`,
    7,
    null,
  ])('refuse the branch pattern %j', (given) => expect(valueFault(pattern, given)).not.toBeNull());

  it('a set holds at least one of its options, each once', () => {
    const set = value({ type: 'set', options: ['important', 'nit'] });
    expect(fitsValue(set, ['nit', 'important'])).toBe(true);
    for (const bad of [[], ['nit', 'nit'], ['other'], 'nit', null, [1]])
      expect(fitsValue(set, bad)).toBe(false);
  });

  it('a number stays inside its bounds, a choice among its options, a switch is no word', () => {
    const minutes = value({ type: 'int', min: 1, max: 1440 });
    expect([1, 1440, 0, 1441, 1.5, '15', null].map((given) => fitsValue(minutes, given))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
    const method = value({ type: 'choice', options: ['squash', 'merge'] });
    expect(['merge', 'rebase', '', null].map((given) => fitsValue(method, given))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([true, 'true', 1, null].map((given) => fitsValue(value({}), given))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
