import { changed, viewOf } from './filters';
import { nextSort, rowFiltersOf } from './row-filters';

describe('the address of a list', () => {
  it('is read with care: what makes no sense is left out', () => {
    expect(rowFiltersOf(new URLSearchParams('q=ship&dir=sideways&page=-3&state=asleep'))).toEqual({
      q: 'ship',
      type: '',
      epic: '',
      state: '',
      sort: '',
      dir: '',
      page: 1,
    });
    expect(rowFiltersOf(new URLSearchParams('sort=type&dir=desc&page=4&state=stuck'))).toMatchObject({
      sort: 'type',
      dir: 'desc',
      page: 4,
      state: 'stuck',
    });
    expect(viewOf(new URLSearchParams('state=asleep'), true).state).toBe('');
    expect(viewOf(new URLSearchParams('state=stuck&q=a'), false)).toMatchObject({
      lanes: false,
      state: 'stuck',
      q: 'a',
    });
  });

  it('keeps the rest when one part changes', () => {
    expect(changed(new URLSearchParams('view=list&q=a'), { q: null, type: 'bug' }).toString()).toBe(
      'view=list&type=bug',
    );
  });

  it('sorts one way, the other way, then as the list is', () => {
    expect(nextSort({ sort: '', dir: '' }, 'type', 'asc')).toEqual({ sort: 'type', dir: 'asc' });
    expect(nextSort({ sort: 'type', dir: 'asc' }, 'type', 'asc')).toEqual({ sort: 'type', dir: 'desc' });
    expect(nextSort({ sort: 'type', dir: 'desc' }, 'type', 'asc')).toEqual({ sort: null, dir: null });
    expect(nextSort({ sort: 'type', dir: 'desc' }, 'added', 'desc')).toEqual({ sort: 'added', dir: 'desc' });
  });
});
