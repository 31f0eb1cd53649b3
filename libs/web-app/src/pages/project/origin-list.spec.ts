import { entriesOf, problemsByEntry } from './origin-list';

describe('the list of origins', () => {
  test('platform 19.4: each refused entry gets its own sentence', () => {
    const problems = problemsByEntry({
      'origins[1]': 'must have no path',
      'origins[12]': 'must be https',
      origins: 'x',
    });
    expect([...problems]).toEqual([
      [1, 'must have no path'],
      [12, 'must be https'],
    ]);
  });

  test('a pasted list is one entry a line or between commas', () => {
    expect(entriesOf(' https://a.example.com\n\nhttps://b.example.com, https://c.example.com ')).toEqual([
      'https://a.example.com',
      'https://b.example.com',
      'https://c.example.com',
    ]);
  });
});
