import { freshSeconds } from './stored-client-directory.js';

describe('how long a metadata document is used', () => {
  const now = Date.parse('2026-01-05T09:00:00Z');
  it.each([
    ['max-age=3600', null, 3_600],
    ['public, max-age=7200', 'Mon, 05 Jan 2026 09:10:00 GMT', 7_200],
    ['max-age=1', null, 300],
    ['max-age=99999999', null, 86_400],
    ['no-store', null, 300],
    ['s-maxage=9000', null, 300],
    [null, 'Mon, 05 Jan 2026 10:00:00 GMT', 3_600],
    [null, 'Mon, 05 Jan 2025 10:00:00 GMT', 300],
    [null, 'nonsense', 300],
    [null, null, 300],
  ])('Cache-Control %s and Expires %s give %d seconds', (cacheControl, expires, seconds) => {
    expect(freshSeconds({ cacheControl, expires }, now)).toBe(seconds);
  });
});
