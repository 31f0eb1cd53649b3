import { peopleFilters } from './people-data';

describe('filters of people', () => {
  test('what stands in the address and is no filter is left out', () => {
    expect(peopleFilters(new URLSearchParams('q=ines&state=suspended&page=3'))).toEqual({
      q: 'ines',
      state: 'suspended',
      page: 3,
    });
    for (const page of ['0', '-1', '1.5', 'x', '']) {
      expect(peopleFilters(new URLSearchParams(`state=constructor&page=${page}`))).toEqual({
        q: '',
        state: '',
        page: 1,
      });
    }
  });
});
