import { DomainError } from '#libs/kernel/errors.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { type PeopleApp, startPeopleApp } from '../../testing/people-app.js';
import { install, PeopleBrowser } from '../../testing/people-browser.js';

describe('who a request comes from', () => {
  let test: TestDatabase;
  let people: PeopleApp;
  let browser: PeopleBrowser;

  beforeAll(async () => {
    test = await TestDatabase.start();
    people = await startPeopleApp(test.database);
    browser = new PeopleBrowser(people.app);
    await install(browser);
  });

  afterAll(async () => {
    await people.app.close();
    await test.stop();
  });

  const session = () =>
    test.database.one<{ last_seen_at: Date; expires_at: Date; created_at: Date }>(
      'SELECT last_seen_at, expires_at, created_at FROM identity.web_sessions',
    );
  const days = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 86_400_000;

  it('notes the use of a session at most once a minute, and moves its end by 14 days but not past 90', async () => {
    await test.database.query(
      "UPDATE identity.web_sessions SET last_seen_at = now() - interval '50 seconds'",
    );
    const before = (await session())!.last_seen_at;
    await browser.get('/api/account');
    expect((await session())!.last_seen_at).toEqual(before);
    await test.database.query(
      `UPDATE identity.web_sessions SET last_seen_at = now() - interval '2 minutes', created_at = now() - interval '10 days'`,
    );
    await browser.get('/api/account');
    const moved = (await session())!;
    expect(days(moved.last_seen_at, moved.expires_at)).toBeCloseTo(14, 3);
    await test.database.query(
      `UPDATE identity.web_sessions SET last_seen_at = now() - interval '2 minutes', created_at = now() - interval '85 days'`,
    );
    await browser.get('/api/account');
    const old = (await session())!;
    expect(days(old.created_at, old.expires_at)).toBeCloseTo(90, 3);
  });

  it('ignores the cookie beside an Authorization header, and asks for the token', async () => {
    const answer = await browser.agent
      .get('/api/account')
      .set('Authorization', 'Bearer unknown-token')
      .set('Loupe-Session-Id', 'run 1 <bad>')
      .set('Loupe-Project-Id', 'p1')
      .set('X-Forwarded-For', '198.51.100.9');
    expect(answer.status).toBe(401);
    expect(people.tokens.asked.at(-1)).toEqual({
      token: 'unknown-token',
      path: '/api/account',
      ip: '198.51.100.9',
      projectId: 'p1',
      agentSessionId: null,
    });
    people.tokens.asked.length = 0;
    expect((await browser.agent.get('/api/account').set('Authorization', 'Basic abc')).status).toBe(401);
    expect((await browser.agent.get('/logout').set('Authorization', 'Bearer x')).headers.location).toBe(
      '/login',
    );
    expect(people.tokens.asked).toEqual([]);
  });

  it('platform 17: while the database is away a page says so with 503 and Retry-After, and the API with problem JSON', async () => {
    const away = new DomainError('unavailable', 'unavailable', 'The database cannot be reached.', {
      retryAfterSeconds: 5,
    });
    const query = jest.spyOn(test.database, 'query').mockRejectedValue(away);
    try {
      const page = await browser.get('/login');
      expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
      expect(page.text).toContain('The database cannot be reached.');
      const answer = await browser.get('/api/account');
      expect([answer.status, answer.body.error]).toEqual([503, 'unavailable']);
      // Probes pass this middleware; here no controller answers them.
      expect((await browser.get('/livez')).status).toBe(404);
    } finally {
      query.mockRestore();
    }
  });

  it('identity 12.28: one request more in a minute than an address may send to the API is 429, and sessions are not counted with it', async () => {
    // Fewer than the 300 of the default, so that no slow machine lets the window slide on meanwhile.
    people.flagValues.set('rate_limit.api_per_minute', 30);
    const stranger = new PeopleBrowser(people.app);
    stranger.ip = '192.0.2.55';
    const statuses = new Set<number>();
    for (let sent = 0; sent < 30; sent += 1) {
      const answer = await stranger.agent.post('/api/account').set('X-Forwarded-For', stranger.ip);
      statuses.add(answer.status);
    }
    expect(statuses).not.toContain(429);
    const refused = await stranger.agent.post('/api/account').set('X-Forwarded-For', stranger.ip);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers['retry-after']);
    expect(refused.body).toMatchObject({
      error: 'rate_limited',
      message: `Too many requests. Try again in ${seconds} seconds.`,
      retryAfter: seconds,
    });
    const asProgram = (method: 'get' | 'put', path: string) =>
      stranger.agent[method](path)
        .set('X-Forwarded-For', stranger.ip)
        .set('Authorization', 'Bearer never-looked-up');
    expect((await asProgram('get', '/api/account')).status).toBe(429);
    expect(people.tokens.asked.map(({ token }) => token)).not.toContain('never-looked-up');
    expect((await browser.agent.get('/api/account').set('X-Forwarded-For', stranger.ip)).status).toBe(200);
    expect((await stranger.get('/login')).status).toBe(200);
    // A folder is pushed with a request a file: those have a counter of their own.
    const file = await asProgram('put', '/api/artifact-pushes/some-push/blobs/some-hash');
    expect(file.status).not.toBe(429);
    people.flagValues.delete('rate_limit.api_per_minute');
  });

  it.each([
    ['expired', "UPDATE identity.web_sessions SET expires_at = now() - interval '1 second'"],
    ['whose person is not verified', 'UPDATE identity.persons SET email_verified_at = NULL'],
    ['whose person is suspended', 'UPDATE identity.persons SET suspended_at = now()'],
    ['whose person is being deleted', 'UPDATE identity.persons SET deletion_requested_at = now()'],
  ])('takes no session %s', async (_, change) => {
    const undo = await test.database.query<{ p: object; s: object }>(
      `SELECT (SELECT row_to_json(p) FROM identity.persons p) AS p, (SELECT row_to_json(s) FROM identity.web_sessions s) AS s`,
    );
    expect((await browser.get('/api/account')).status).toBe(200);
    await test.database.query(change);
    expect((await browser.get('/api/account')).status).toBe(401);
    await test.database.query('TRUNCATE identity.persons CASCADE');
    await test.database.query(
      'INSERT INTO identity.persons SELECT * FROM json_populate_record(NULL::identity.persons, $1)',
      [JSON.stringify(undo[0]!.p)],
    );
    await test.database.query(
      'INSERT INTO identity.web_sessions SELECT * FROM json_populate_record(NULL::identity.web_sessions, $1)',
      [JSON.stringify(undo[0]!.s)],
    );
  });
});
