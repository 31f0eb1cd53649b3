import { LoupeApp } from '../support/loupe-app.js';

/** What holds at every door of the server, whatever the spelling of an address. */
describe('the doors of the server', () => {
  let app: LoupeApp;
  let addresses = 0;

  beforeAll(async () => {
    app = await LoupeApp.start();
  }, 60_000);
  afterAll(() => app.stop());

  /** Each test comes from an address of its own, so that no limit of another counts. */
  const from = () => {
    addresses += 1;
    return { 'x-forwarded-for': `203.0.113.${addresses}` };
  };

  it('identity 8: requests to /api and /mcp of one address are counted together', async () => {
    await app.db.database.query(
      `INSERT INTO platform.flag_values (name, value, updated_at) VALUES ('rate_limit.api_per_minute', '30', now())`,
    );
    const headers = from();
    const api = () => fetch(`${app.url}/api/me`, { headers });
    const mcp = () => fetch(`${app.url}/mcp`, { method: 'POST', headers });
    // A change that no process announced is seen within 5 s.
    const end = Date.now() + 30_000;
    let statuses: number[] = [];
    do {
      statuses = [];
      // Neither door alone comes to 30.
      for (let n = 0; n < 20; n += 1) statuses.push((await api()).status, (await mcp()).status);
      Object.assign(headers, from());
    } while (!statuses.includes(429) && Date.now() < end);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
    expect(statuses.slice(-2)).toEqual([429, 429]);
    await app.db.database.query('DELETE FROM platform.flag_values');
  }, 60_000);

  it('an address has one spelling: no door is reached past the limits and checks of its path', async () => {
    const ada = await app.person();
    const browser = await app.signIn(ada.personId);
    for (const path of ['/api/account', '/api/session', '/admin/feature-flags', '/projects']) {
      const other = path.replace(/[a-z]/g, (letter) => letter.toUpperCase());
      expect([other, (await browser('GET', other)).status]).toEqual([other, 404]);
    }
    expect((await browser('GET', '/api/session')).status).toBe(200);
    expect((await fetch(`${app.url}/MCP`, { method: 'POST', headers: from() })).status).toBe(404);
    expect((await fetch(`${app.url}/OAuth/token`, { method: 'POST', headers: from() })).status).toBe(404);
  });
});
