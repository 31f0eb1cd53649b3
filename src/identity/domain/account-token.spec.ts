import { newAccountToken, tokenHashOf } from './account-token.js';
import { isOfDomain } from './company-address.js';

describe('values of links', () => {
  it('are 32 random bytes, of which the hash alone is kept', () => {
    const made = [1, 2].map((n) => newAccountToken({ id: `t${n}`, personId: 'p', purpose: 'verify-email' }));
    expect(new Set(made.map(({ value }) => value)).size).toBe(2);
    for (const { value, token } of made) {
      expect(Buffer.from(value, 'base64url')).toHaveLength(32);
      expect(token.hash).toBe(tokenHashOf(value));
      expect(JSON.stringify(token)).not.toContain(value);
    }
  });

  it('identity 2.2: each purpose has its life', () => {
    const hours = (['verify-email', 'reset-password', 'change-email', 'invite', 'set-password'] as const).map(
      (purpose) => newAccountToken({ id: 't', personId: null, purpose }).token.hours,
    );
    expect(hours).toEqual([24, 1, 24, 168, 168]);
  });

  it.each(['', 'short', `${'a'.repeat(42)} `, 'a'.repeat(44), '\0'.repeat(43)])(
    'are of one form alone: %j',
    (value) => {
      expect(tokenHashOf(value)).toBeNull();
    },
  );
});

describe('addresses of a company', () => {
  it.each([
    ['tobi@ACME.example', ['acme.example'], true],
    ['tobi@sub.acme.example', ['acme.example'], false],
    ['tobi@evilacme.example', ['acme.example'], false],
    ['acme.example@evil.example', ['acme.example'], false],
    ['anybody@anywhere.example', [], true],
  ])('%s of %j: %s', (email, domains, fits) => {
    expect(isOfDomain(email, domains)).toBe(fits);
  });
});
