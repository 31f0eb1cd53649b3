import { InvalidInput, Problems } from '#libs/kernel/errors.js';
import { COMMON_PASSWORDS, commonPasswords, isCommonPassword } from './common-passwords.js';
import { checkNewPassword } from './password-rules.js';

describe('new passwords', () => {
  const sentence = (password: string, email = 'ines@example.com'): string | null => {
    const problems = new Problems();
    checkNewPassword(problems, password, email);
    try {
      problems.throwIfAny();
      return null;
    } catch (error) {
      return (error as InvalidInput).problems[0]!.sentence;
    }
  };

  it('have 12 to 200 characters, counted as people count', () => {
    expect(sentence('xkcd horses')).toBe('Use at least 12 characters.');
    expect(sentence('xkcd horses!')).toBeNull();
    expect(sentence('🐎🐄🐖🐑🐐🐓🦆🦃🐕🐈🐇')).toBe('Use at least 12 characters.');
    expect(sentence('🐎🐄🐖🐑🐐🐓🦆🦃🐕🐈🐇🐁')).toBeNull();
    expect(sentence('ö-'.repeat(100))).toBeNull();
    expect(sentence(`${'ö-'.repeat(100)}.`)).toBe('Use at most 200 characters.');
    expect(sentence('             ')).toBeNull();
  });

  it('are not the e-mail address, whatever its capitals', () => {
    expect(sentence('INES@example.com')).toBe('Use something other than your e-mail address.');
  });

  it.each([
    'password1234',
    'Password1234',
    'P@ssw0rd1234',
    'qwertyuiop12',
    '123456789012',
    '1q2w3e4r5t6y',
    'aaaaaaaaaaaa',
    'administrator',
    'iloveyou1234',
    'letmeinletmein',
    'correcthorsebatterystaple',
  ])('are not common: %s', (password) => {
    expect(sentence(password)).toMatch(/on a list of common ones/);
  });

  it('may be unusual', () => {
    expect(isCommonPassword('four unrelated words here')).toBe(false);
    expect(isCommonPassword('vK7#qpLw92!x')).toBe(false);
  });

  it('are held against 10,000 common ones of 12 characters or more', () => {
    const list = commonPasswords();
    expect(list).toHaveLength(COMMON_PASSWORDS);
    expect(new Set(list).size).toBe(COMMON_PASSWORDS);
    expect(Math.min(...list.map((password) => password.length))).toBe(12);
  });
});
