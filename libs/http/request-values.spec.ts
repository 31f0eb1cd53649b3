import { KnownIdPipe, optionalNumber, optionalText, versionNumber } from './request-values.js';

const query = { type: 'query' } as const;

describe('values of a request', () => {
  it('an id is written in lower case, and what is none is not found', () => {
    const id = '0195C0DE-0000-7000-8000-00000000000A';
    expect(new KnownIdPipe('Card').transform(id)).toBe(id.toLowerCase());
    for (const none of ['', 'x', `${id}0`, `${id} `, "' OR 1=1"]) {
      expect(() => new KnownIdPipe('Card').transform(none)).toThrow('Card not found');
    }
  });

  it('a version is a number from 1 on, and what is none is not found', () => {
    expect(versionNumber.transform('12', query)).toBe(12);
    for (const none of ['0', '-1', '1.5', '01', '1e3', '9'.repeat(10)]) {
      expect(() => versionNumber.transform(none, query)).toThrow('Version not found');
    }
  });

  it.each([
    ['7', 7],
    ['-7', -7],
    ['99999999999', 2_147_483_647],
    ['-99999999999', -2_147_483_647],
    ['1.5', null],
    ['', null],
    ['x', null],
    ['9'.repeat(16), null],
    [undefined, null],
    [['1', '2'], null],
  ])('a number %j of a query is read as %j', (given, read) => {
    expect(optionalNumber.transform(given, query)).toBe(read);
  });

  it('a text of a query is taken as it came, unless it was named twice', () => {
    expect(optionalText.transform(' a ', query)).toBe(' a ');
    expect(optionalText.transform(['a', 'b'], query)).toBeNull();
    expect(optionalText.transform(undefined, query)).toBeNull();
  });
});
