import { filtersOf, isFiltered, searchOf } from './library-filters';

describe('the address of the library', () => {
  test('says what narrows it, and nothing that does not', () => {
    const all = filtersOf(new URLSearchParams());
    expect(searchOf(all).toString()).toBe('');
    expect(isFiltered(all)).toBe(false);
    const search = 'q=seat+map&workspace=w1&type=app&origin=l2c&sort=newest&archived=true&page=3';
    expect(searchOf(filtersOf(new URLSearchParams(search))).toString()).toBe(search);
    expect(isFiltered(filtersOf(new URLSearchParams('origin=push')))).toBe(true);
  });

  test('passes over values that mean nothing', () => {
    const odd = filtersOf(new URLSearchParams('type=game&origin=moon&sort=size&page=-2'));
    expect(searchOf(odd).toString()).toBe('');
  });
});
