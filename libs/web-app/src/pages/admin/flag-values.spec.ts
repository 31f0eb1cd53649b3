import type { Flag } from '../../api/types';
import { flagText, groupFlags, readFlag } from './flag-values';

const flag = (over: Partial<Flag>): Flag => ({
  name: 'rate_limit.api_per_minute',
  type: 'int',
  context: 'identity',
  description: 'Requests a minute for each address.',
  default: 300,
  value: 300,
  isDefault: true,
  min: 30,
  max: 100_000,
  values: null,
  updatedAt: null,
  updatedBy: null,
  outOfRange: false,
  ...over,
});

describe('reading what an admin typed', () => {
  test('a whole number inside the bounds is taken', () => {
    expect(readFlag(flag({}), ' 45 ')).toEqual({ value: 45 });
  });

  test.each(['12', '100001', '3.5', '1e3', '', 'many', '99999999999999999999'])(
    '"%s" is refused, and the sentence names the bounds and the value in force',
    (text) => {
      expect(readFlag(flag({}), text)).toEqual({
        problem: 'Use a number from 30 to 100000. Nothing was saved; the value in force is 300.',
      });
    },
  );

  test('one open bound is named alone', () => {
    expect(readFlag(flag({ max: null, min: 1, value: 180 }), '0')).toEqual({
      problem: 'Use a whole number, 1 or more. Nothing was saved; the value in force is 180.',
    });
  });

  test('the length of a text is bounded in characters', () => {
    const text = flag({ type: 'string', min: null, max: 2, value: '' });
    expect(readFlag(text, '🚢🚢')).toEqual({ value: '🚢🚢' });
    expect(readFlag(text, '🚢🚢🚢')).toEqual({
      problem: 'Use at most 2 characters. Nothing was saved; the value in force is empty.',
    });
  });

  test('a list is written with commas and read without empty entries', () => {
    const list = flag({ type: 'list', value: ['git', 'npm'] });
    expect(readFlag(list, 'git, , just,')).toEqual({ value: ['git', 'just'] });
    expect(flagText(list.value)).toBe('git, npm');
  });
});

describe('the list of flags', () => {
  const flags = [
    flag({}),
    flag({
      name: 'registration.enabled',
      type: 'bool',
      description: 'Anyone may sign up.',
      isDefault: false,
    }),
    flag({ name: 'board.enabled', context: 'board', description: 'Board and cards.' }),
  ];

  test('words are looked for in name and description', () => {
    expect(groupFlags(flags, 'sign ENABLED', 'all').flatMap((group) => group.flags)).toEqual([flags[1]]);
  });

  test('groups keep the order in which their contexts come', () => {
    expect(groupFlags(flags, '', 'all').map((group) => group.context)).toEqual(['identity', 'board']);
  });

  test('"changed" shows those that differ from their default, "unused" none of the defined', () => {
    expect(groupFlags(flags, '', 'changed').flatMap((group) => group.flags)).toEqual([flags[1]]);
    expect(groupFlags(flags, '', 'unused')).toEqual([]);
  });
});
