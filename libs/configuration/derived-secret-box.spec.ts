import { randomBytes } from 'node:crypto';
import { Configuration } from './configuration.js';
import { DerivedSecretBox } from './derived-secret-box.js';

const key = (): string => randomBytes(32).toString('base64');
const box = (encryptionKey: string, old: string[] = []): DerivedSecretBox =>
  new DerivedSecretBox(
    Configuration.fromEnvironment({
      APP_ENV: 'test',
      APP_SECRET: 'a secret of more than thirty-two characters',
      APP_ENCRYPTION_KEY: encryptionKey,
      APP_ENCRYPTION_KEYS_OLD: old.join(','),
    }),
  );

describe('DerivedSecretBox', () => {
  it('opens what it sealed, and never seals the same text twice alike', () => {
    const one = box(key());
    expect(one.open(one.seal('tökén'))).toBe('tökén');
    expect(one.open(one.seal(''))).toBe('');
    expect(one.seal('x')).not.toBe(one.seal('x'));
  });

  it('opens values of an older key while the keys are rotated', () => {
    const old = key();
    const sealed = box(old).seal('kept');
    expect(box(key(), [old]).open(sealed)).toBe('kept');
  });

  it('refuses values of another key and changed values', () => {
    const one = box(key());
    const sealed = one.seal('secret');
    expect(() => box(key()).open(sealed)).toThrow('does not have');
    expect(() => one.open(`${sealed.slice(0, -2)}AA`)).toThrow();
  });

  it('derives another key for each purpose', () => {
    const one = box(key());
    expect(one.keyedHash('a', 'x')).not.toBe(one.keyedHash('b', 'x'));
    expect(one.keyedHash('a', 'x')).toBe(one.keyedHash('a', 'x'));
  });
});
