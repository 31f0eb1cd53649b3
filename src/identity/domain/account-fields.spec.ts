import { emailAddress } from '#libs/kernel/email-address.js';
import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { browserName } from './browser-name.js';
import { displayName } from './display-name.js';
import { checkedPreferences } from './preferences.js';
import { timezone } from './timezone.js';

function refused(check: (problems: Problems) => unknown): string[] {
  const problems = new Problems();
  check(problems);
  try {
    problems.throwIfAny();
    return [];
  } catch (error) {
    return (error as InvalidInput).problems.map(({ argument }) => argument);
  }
}

describe('e-mail addresses', () => {
  it.each(['a@b', 'Ines.Marlow+x@sub.example.com', "o'neil@example.com", 'jürgen@exämple.de', ' a@b.co '])(
    'takes %j',
    (email) => expect(refused((problems) => emailAddress(problems, email))).toEqual([]),
  );

  it.each([
    '',
    'a',
    '@b.co',
    'a@',
    'a@b..co',
    'a b@c.co',
    'a@b@c.co',
    'a@.co',
    '<a@b.co>',
    'a\0@b.co',
    'a@b.co\nBcc: x@y.z',
  ])('refuses %j', (email) =>
    expect(refused((problems) => emailAddress(problems, email))).toEqual(['email']),
  );

  it('have at most 254 characters', () => {
    const host = '@example.com';
    expect(refused((p) => emailAddress(p, 'a'.repeat(254 - host.length) + host))).toEqual([]);
    expect(refused((p) => emailAddress(p, 'a'.repeat(255 - host.length) + host))).toEqual(['email']);
  });
});

describe('display names', () => {
  it.each(['0', 'مريم', '👩‍💻', 'a'.repeat(100), '👍'.repeat(100)])('takes %j', (name) =>
    expect(refused((problems) => displayName(problems, name))).toEqual([]),
  );

  it.each(['', '   ', 'two\nlines', 'bell\u0007', 'half \ud83d', 'a'.repeat(101)])('refuses %j', (name) =>
    expect(refused((problems) => displayName(problems, name))).toEqual(['displayName']),
  );
});

describe('timezones', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Ushuaia'])('takes %s', (zone) =>
    expect(refused((problems) => timezone(problems, zone))).toEqual([]),
  );

  it.each(['', '+02:00', 'Mars/Olympus', 'Europe/Berlin; DROP TABLE'])('refuses %j', (zone) =>
    expect(refused((problems) => timezone(problems, zone))).toEqual(['timezone']),
  );
});

describe('preferences', () => {
  it('are small values by name', () => {
    const value = { shortcuts: false, theme: 'dark', size: 2, gone: null };
    expect(checkedPreferences(new Problems(), value)).toEqual(value);
  });

  it.each([
    [[]],
    ['text'],
    [null],
    [{ a: {} }],
    [{ 'Bad name': 1 }],
    [{ a: 'x'.repeat(201) }],
    [{ __proto__x: Number.NaN }],
  ])('refuse %j', (value) =>
    expect(refused((problems) => checkedPreferences(problems, value))).toEqual(['preferences']),
  );
});

describe('browser names', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.5.0', 'Unknown browser'],
    [null, 'Unknown browser'],
  ])('reads %s', (agent, name) => expect(browserName(agent)).toBe(name));
});
