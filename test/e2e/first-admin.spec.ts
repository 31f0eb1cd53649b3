import { LoupeServer } from '../support/loupe-server.js';
import { Visitor } from '../support/visitor.js';

const FIRST = { LOUPE_ADMIN_EMAIL: 'ops@example.com', LOUPE_ADMIN_PASSWORD: 'four unrelated words here' };
const CHANGED = {
  LOUPE_ADMIN_EMAIL: 'else@example.com',
  LOUPE_ADMIN_PASSWORD: 'another four unrelated words',
};

async function signIn(server: LoupeServer, email: string, password: string): Promise<number> {
  const visitor = new Visitor(server.origin);
  return (await visitor.submit(await visitor.open('/login'), { email, password })).status;
}

describe('the first administrator by environment', () => {
  let first: LoupeServer;

  beforeAll(async () => {
    first = await LoupeServer.start({ env: FIRST });
  });

  afterAll(() => first?.stop());

  it('platform 19.33: is made by the start, /install is 404, and changed values on a later start change nothing', async () => {
    expect((await fetch(`${first.origin}/install`)).status).toBe(404);
    expect(await signIn(first, FIRST.LOUPE_ADMIN_EMAIL, FIRST.LOUPE_ADMIN_PASSWORD)).toBe(303);
    const second = await LoupeServer.start({ beside: first, env: CHANGED });
    try {
      expect((await fetch(`${second.origin}/install`)).status).toBe(404);
      expect(await signIn(second, CHANGED.LOUPE_ADMIN_EMAIL, CHANGED.LOUPE_ADMIN_PASSWORD)).toBe(422);
      expect(await signIn(second, FIRST.LOUPE_ADMIN_EMAIL, FIRST.LOUPE_ADMIN_PASSWORD)).toBe(303);
    } finally {
      await second.stop();
    }
  });

  it('stops the start and names the variable when the password breaks the rules', async () => {
    const start = LoupeServer.start({ env: { ...FIRST, LOUPE_ADMIN_PASSWORD: 'password1234' } });
    await expect(start).rejects.toThrow(/LOUPE_ADMIN_PASSWORD: This password is on a list of common ones/);
  });
});
