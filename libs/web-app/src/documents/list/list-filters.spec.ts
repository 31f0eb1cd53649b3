import { filtersOf, isFiltered, searchOf } from './list-filters';

const of = (query: string) => filtersOf(new URLSearchParams(query));

describe('filters of the document list', () => {
  it('documents 9.1: live in the address and come back from it', () => {
    const filters = of(
      'q=queue+OR+retry&status=approved&tag=tech-design&series=Exports&archived=true&waiting=true&page=3',
    );
    expect(filters).toEqual({
      q: 'queue OR retry',
      status: 'approved',
      tag: 'tech-design',
      series: 'Exports',
      archived: true,
      waiting: true,
      page: 3,
    });
    expect(of(searchOf(filters).toString())).toEqual(filters);
  });

  it('documents 9.1: passes over values that mean nothing', () => {
    expect(of('status=reviewing&page=-2&archived=maybe&waiting=no')).toEqual({
      q: '',
      status: '',
      tag: '',
      series: '',
      archived: false,
      waiting: false,
      page: 1,
    });
  });

  it('counts archived alone as no filter', () => {
    expect(isFiltered(of('archived=true'))).toBe(false);
    expect(isFiltered(of('tag=x'))).toBe(true);
    expect(isFiltered(of('waiting=true'))).toBe(true);
    expect(searchOf(of('')).toString()).toBe('');
  });
});
