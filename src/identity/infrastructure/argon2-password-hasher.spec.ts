import { Argon2PasswordHasher } from './argon2-password-hasher.js';

const started: string[] = [];
let running = 0;
let most = 0;

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual('@node-rs/argon2');
  return {
    hash: async (password: string, options: object) => {
      started.push(password);
      running += 1;
      most = Math.max(most, running);
      try {
        return await real.hash(password, options);
      } finally {
        running -= 1;
      }
    },
    verify: real.verify,
  };
});

describe('password hashes', () => {
  it('are argon2id with 19 MiB, 2 passes and 1 lane, and match only their password', async () => {
    const hasher = new Argon2PasswordHasher();
    const hash = await hasher.hash('four unrelated words');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(hasher.isOutdated(hash)).toBe(false);
    expect(await hasher.matches(hash, 'four unrelated words')).toBe(true);
    expect(await hasher.matches(hash, 'four unrelated words ')).toBe(false);
    expect(await hasher.hash('four unrelated words')).not.toBe(hash);
  });

  it('are outdated with other parameters', () => {
    const hasher = new Argon2PasswordHasher();
    expect(hasher.isOutdated('$argon2id$v=19$m=19456,t=3,p=1$c2FsdA$aGFzaA')).toBe(true);
    expect(hasher.isOutdated('$2b$10$abcdefghijklmnopqrstuv')).toBe(true);
  });

  it('never match what is no hash, nor anything for nobody', async () => {
    const hasher = new Argon2PasswordHasher();
    expect(await hasher.matches('not a hash', 'x')).toBe(false);
    expect(await hasher.matchesNobody('nobody has this password')).toBe(false);
  });

  it('run at most 4 at a time, in the order in which they were asked for', async () => {
    const hasher = new Argon2PasswordHasher();
    started.length = 0;
    most = 0;
    const passwords = Array.from({ length: 12 }, (_, index) => `password ${index}`);
    const hashes = await Promise.all(passwords.map((password) => hasher.hash(password)));
    expect(most).toBe(4);
    expect(started).toEqual(passwords);
    expect(new Set(hashes).size).toBe(12);
  });

  it('give their turn on when one fails', async () => {
    const hasher = new Argon2PasswordHasher();
    const bad = Array.from({ length: 8 }, () =>
      hasher.hash(undefined as unknown as string).catch(() => 'failed'),
    );
    expect(await Promise.all(bad)).toEqual(Array(8).fill('failed'));
    expect(await hasher.hash('goes on')).toMatch(/^\$argon2id/);
  });
});
