import { changedMeanwhile, rebase, sameValues } from './changed-meanwhile';

const base = { name: 'Ferry', description: 'Old', domain: '' };

describe('a form that somebody else saved meanwhile', () => {
  test('only fields that both changed, to different values, are a conflict', () => {
    const theirs = { name: 'Ferries', description: 'Theirs', domain: 'x.example.com' };
    const mine = { name: 'Ferry line', description: 'Old', domain: 'x.example.com' };
    expect(changedMeanwhile(base, theirs, mine)).toEqual([
      { field: 'name', theirs: 'Ferries', mine: 'Ferry line' },
    ]);
  });

  test('going on puts the typed values over the saved ones and keeps the rest of theirs', () => {
    const theirs = { name: 'Ferries', description: 'Theirs', domain: '' };
    const mine = { ...base, name: 'Ferry line' };
    expect(rebase(base, theirs, mine)).toEqual({ name: 'Ferry line', description: 'Theirs', domain: '' });
  });

  test('the same values are no change', () => {
    expect(sameValues(base, { ...base })).toBe(true);
    expect(sameValues(base, { ...base, domain: 'x' })).toBe(false);
  });
});
