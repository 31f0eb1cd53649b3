import { dayBounds, exactTime, relativeTime } from './format-time';

const BERLIN = 'Europe/Berlin';
const at = (text: string) => new Date(text);

describe('times as a person says them', () => {
  const now = at('2026-11-30T20:00:00Z');

  test.each([
    ['2026-11-30T19:59:30Z', 'now'],
    ['2026-11-30T19:48:00Z', '12 min ago'],
    ['2026-11-30T14:30:00Z', '5 h ago'],
    ['2026-11-29T15:40:00Z', 'yesterday 16:40'],
    ['2026-11-21T09:00:00Z', '21 Nov'],
    ['2025-12-24T09:00:00Z', '24 Dec 2025'],
  ])('%s is "%s"', (moment, words) => {
    expect(relativeTime(at(moment), now, BERLIN)).toBe(words);
  });

  test('the day is that of the time zone of the person, not of UTC', () => {
    const early = at('2026-11-30T00:30:00Z');
    expect(relativeTime(at('2026-11-29T22:00:00Z'), early, 'UTC')).toBe('yesterday 22:00');
    expect(relativeTime(at('2026-11-29T23:15:00Z'), early, BERLIN)).toBe('1 h ago');
  });

  test.each([
    ['2026-11-30T20:00:20Z', 'now'],
    ['2026-11-30T20:12:30Z', 'in 12 min'],
    ['2026-11-30T22:30:00Z', 'in 2 h'],
    ['2026-11-30T23:30:00Z', 'tomorrow 00:30'],
    ['2026-12-07T20:00:00Z', '7 Dec 21:00'],
    ['2027-01-02T20:00:00Z', '2 Jan 2027 21:00'],
  ])('%s, which is still to come, is "%s"', (moment, words) => {
    expect(relativeTime(at(moment), now, BERLIN)).toBe(words);
  });

  test('a time zone that the browser does not know falls back to its own', () => {
    expect(exactTime(now, 'Moon/Tycho')).toMatch(/2026, \d\d:\d\d:\d\d$/);
  });
});

describe('the bounds of a day in a time zone', () => {
  test('a plain day', () => {
    expect(dayBounds('2026-11-30', BERLIN)).toEqual({
      from: '2026-11-29T23:00:00.000Z',
      to: '2026-11-30T22:59:59.999Z',
    });
  });

  test('a day of 23 hours in spring and of 25 in autumn', () => {
    expect(dayBounds('2026-03-29', BERLIN)).toEqual({
      from: '2026-03-28T23:00:00.000Z',
      to: '2026-03-29T21:59:59.999Z',
    });
    expect(dayBounds('2026-10-25', BERLIN)).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T22:59:59.999Z',
    });
  });
});
