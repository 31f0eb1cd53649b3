import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { D, OAuthApp, type SignedInPerson } from '../../testing/oauth-app.js';
import { callMcp, errorOf, refresh, type Tokens, tokensOf } from '../../testing/oauth-client.js';

interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

describe('sign-in of devices', () => {
  let test: TestDatabase;
  let app: OAuthApp;
  let person: SignedInPerson;

  beforeAll(async () => {
    test = await TestDatabase.start({ pool: 6 });
    app = await OAuthApp.start(test.database);
  });

  afterAll(async () => {
    await app.close();
    await test.stop();
  });

  beforeEach(async () => {
    await test.database.query('TRUNCATE platform.rate_limits');
    person = await app.person();
    app.audit.entries.length = 0;
  });

  const begin = async (form: Record<string, string> = {}): Promise<DeviceAnswer> => {
    const response = await app.postForm('/oauth/device-authorization', { client_id: 'loupe-cli', ...form });
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return (await response.json()) as DeviceAnswer;
  };
  const poll = (device: DeviceAnswer): Promise<Response> =>
    app.postForm('/oauth/token', {
      grant_type: GRANT,
      client_id: 'loupe-cli',
      device_code: device.device_code,
    });
  const page = async (path = '/oauth/device'): Promise<{ status: number; text: string; csrf: string }> => {
    const response = await app.fetch(path, { headers: { cookie: person.cookie } });
    const text = await response.text();
    return { status: response.status, text, csrf: /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? '' };
  };
  const post = async (form: Record<string, string>): Promise<Response> =>
    app.postForm('/oauth/device', { _csrf: (await page()).csrf, ...form }, { cookie: person.cookie });
  const allow = (device: DeviceAnswer): Promise<Response> =>
    post({ user_code: device.user_code, answer: 'allow' });
  /** Lets the interval between two polls pass. */
  const wait = () =>
    test.database.query("UPDATE identity.oauth_artefacts SET last_polled_at = now() - interval '1 minute'");

  it('identity 12.15 and 12.31: shows the same code and machine, and gives tokens after Allow, without scripts', async () => {
    const device = await begin({ scope: 'agent mcp projects', device_name: 'build-mac <b>' });
    expect(device).toMatchObject({
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${D}/oauth/device`,
      verification_uri_complete: `${D}/oauth/device?user_code=${device.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await errorOf(await poll(device))).toBe('400 authorization_pending');
    const { status, text } = await page(device.verification_uri_complete);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script(?! src="\/assets\/theme\.js">)/);
    expect(text).toContain(`<code class="strong">${device.user_code}</code>`);
    expect(text).toContain('build-mac &lt;b&gt;');
    expect(text).toContain('<code>127.0.0.1</code>');
    expect(text).toContain('Is this the code in your own terminal?');
    expect(text).toContain('every project that you own or are a member of, now and later');
    // A prefilled code alone allows nothing.
    await wait();
    expect(await errorOf(await poll(device))).toBe('400 authorization_pending');
    const done = await allow(device);
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Done. You can close')]);
    const tokens = await tokensOf(await poll(device));
    expect(tokens.scope.split(' ').sort()).toEqual(['agent', 'mcp', 'projects']);
    expect(app.audit.entries.map(({ operation }) => operation)).toEqual(['connection.granted']);
    // Whoever comes with the used code has not got the answer, or is not the one who got it.
    expect(await errorOf(await poll(device))).toBe('400 invalid_grant');
    expect((await callMcp(app, tokens.access_token)).status).toBe(401);
  });

  const signIn = async (form: Record<string, string> = {}): Promise<Tokens> => {
    const device = await begin(form);
    expect((await allow(device)).status).toBe(200);
    return tokensOf(await poll(device));
  };

  it('identity 12.15: names the project by header: own and shared ones work, others are 403', async () => {
    const own = new UuidV7Ids().next();
    const shared = new UuidV7Ids().next();
    const foreign = new UuidV7Ids().next();
    app.access
      .add(own, person.id)
      .add(shared, 'x', { [person.id]: 'member' })
      .add(foreign, 'x');
    const { access_token: token } = await signIn();
    const call = async (id: string) => {
      const response = await callMcp(app, token, { 'loupe-project-id': id });
      return [response.status, await response.json()];
    };
    expect(await call(own)).toEqual([201, { projectId: own, refusal: null }]);
    expect(await call(shared.toUpperCase())).toEqual([201, { projectId: shared, refusal: null }]);
    for (const id of [foreign, new UuidV7Ids().next()]) {
      expect(await call(id)).toEqual([
        403,
        expect.objectContaining({
          error: 'project_not_covered',
          message: `This login does not cover the project ${id}. Check .loupe.yaml, or run \`loupe project link\`.`,
        }),
      ]);
    }
    expect(await call('no-uuid')).toEqual([
      422,
      expect.objectContaining({
        error: 'invalid_project',
        message: expect.stringContaining('Loupe-Project-Id'),
      }),
    ]);
    app.access.delete(own);
    expect((await call(own))[0]).toBe(403);
    const uses = await test.database.query('SELECT project_id FROM identity.connection_project_uses');
    expect(uses.map((use) => use.project_id).sort()).toEqual([own, shared].sort());
  });

  it('identity 12.16: without a header one project is taken, none and several are refused by name', async () => {
    const { access_token: token } = await signIn();
    const call = async () => (await callMcp(app, token)).json();
    expect(await call()).toEqual({
      projectId: null,
      refusal: `You have no project yet. Create one at ${D}/projects/new.`,
    });
    const first = new UuidV7Ids().next();
    app.access.add(first, person.id);
    expect(await call()).toEqual({ projectId: first, refusal: null });
    app.access.add(new UuidV7Ids().next(), person.id);
    expect(await call()).toEqual({
      projectId: null,
      refusal:
        'This login covers 2 projects and the request names none. Run `loupe project link` in the repository to choose one.',
    });
  });

  it('identity 12.14: a token with scope agent alone gets 403 at /mcp', async () => {
    const { access_token: token } = await signIn({ scope: 'agent' });
    const answer = await callMcp(app, token);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="mcp"'),
    ]);
    const me = await app.fetch('/api/me', { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200);
  });

  it('takes the code in any writing, asks again for a wrong one, and tells nothing about it', async () => {
    const device = await begin();
    const typed = device.user_code.toLowerCase().replace('-', '  ');
    expect(await (await post({ user_code: typed })).text()).toContain(
      'Is this the code in your own terminal?',
    );
    const answered = await begin();
    await allow(answered);
    const expired = await begin();
    const key =
      "user_code_hash IS NOT NULL AND answered_at IS NULL AND created_at = (SELECT max(created_at) FROM identity.oauth_artefacts WHERE model = 'DeviceCode')";
    await test.database.query(`UPDATE identity.oauth_artefacts SET expires_at = now() WHERE ${key}`);
    for (const code of ['BCDF-GHJK', 'short', '<b>', answered.user_code, expired.user_code]) {
      const response = await post({ user_code: code });
      const text = await response.text();
      expect([code, response.status]).toEqual([code, 422]);
      expect(text).toContain('This code is not valid. Start again on the device to get a new one.');
      expect(text).not.toContain('<b>"');
    }
    expect(await errorOf(await poll(expired))).toBe('400 expired_token');
  });

  it('is answered once, also by two answers at once, and tells the device of a denial', async () => {
    const device = await begin();
    const { csrf } = await page();
    const answers = await Promise.all(
      ['allow', 'deny'].map((answer) =>
        app.postForm(
          '/oauth/device',
          { _csrf: csrf, user_code: device.user_code, answer },
          { cookie: person.cookie },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const denied = await begin();
    const page2 = await post({ user_code: denied.user_code, answer: 'deny' });
    expect(await page2.text()).toContain('Denied.');
    expect(await errorOf(await poll(denied))).toBe('400 access_denied');
    expect((await allow(denied)).status).toBe(422);
  });

  it('refuses an answer with a forged form, and sends visitors to the sign-in and back', async () => {
    const device = await begin();
    const forged = await app.postForm(
      '/oauth/device',
      { _csrf: 'x', user_code: device.user_code, answer: 'allow' },
      { cookie: person.cookie },
    );
    expect(forged.status).toBe(403);
    expect(await errorOf(await poll(device))).toBe('400 authorization_pending');
    const visitor = await app.fetch(device.verification_uri_complete);
    expect([visitor.status, visitor.headers.get('location')]).toEqual([
      303,
      `/login?next=${encodeURIComponent(`/oauth/device?user_code=${device.user_code}`)}`,
    ]);
  });

  it('identity 12.17: a 21st wrong code in 15 minutes is refused, by the page and by a bare answer', async () => {
    for (let n = 0; n < 20; n += 1) expect((await post({ user_code: 'BCDFGHJK' })).status).toBe(422);
    const device = await begin();
    for (const form of [{ user_code: 'BCDFGHJK' }, { user_code: device.user_code, answer: 'allow' }]) {
      const response = await post(form as Record<string, string>);
      expect([response.status, await response.text()]).toEqual([
        429,
        expect.stringContaining('Too many codes were tried.'),
      ]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const other = await app.person();
    const theirs = await app.fetch('/oauth/device?user_code=BCDFGHJK', { headers: { cookie: other.cookie } });
    expect(theirs.status).toBe(422);
  });

  it('counts wrong codes that are answered without opening the page', async () => {
    const { csrf } = await page();
    const guess = () =>
      app.postForm(
        '/oauth/device',
        { _csrf: csrf, user_code: 'BCDFGHJK', answer: 'allow' },
        { cookie: person.cookie },
      );
    for (let n = 0; n < 20; n += 1) expect((await guess()).status).toBe(422);
    expect((await guess()).status).toBe(429);
  });

  it('asks a device that polls too fast to slow down, by five seconds more each time', async () => {
    const device = await begin();
    expect(await errorOf(await poll(device))).toBe('400 authorization_pending');
    expect(await errorOf(await poll(device))).toBe('400 slow_down');
    expect(await errorOf(await poll(device))).toBe('400 slow_down');
    const row = await test.database.one<{ seconds: number }>(
      "SELECT max(poll_interval_seconds) AS seconds FROM identity.oauth_artefacts WHERE model = 'DeviceCode'",
    );
    expect(row!.seconds).toBe(15);
    await wait();
    expect(await errorOf(await poll(device))).toBe('400 authorization_pending');
    // Once answered there is nothing to wait for.
    await allow(device);
    await tokensOf(await poll(device));
  });

  it('lets only clients with the device grant begin, only with scopes that need no project, and names of one line', async () => {
    const start = async (form: Record<string, string>): Promise<string> =>
      errorOf(await app.postForm('/oauth/device-authorization', form));
    expect(await start({})).toBe('400 invalid_request');
    expect(await start({ client_id: 'loupe-site-review-widget' })).toBe('400 invalid_request');
    expect(await start({ client_id: 'https://client.example/x' })).toBe('401 invalid_client');
    for (const scope of ['mcp', 'projects', 'agent mcp', 'site-review', 'openid']) {
      expect([scope, await start({ client_id: 'loupe-cli', scope })]).toEqual([scope, '400 invalid_scope']);
    }
    for (const resource of [`${D}/mcp`, 'https://other.example']) {
      expect(await start({ client_id: 'loupe-cli', resource })).toBe('400 invalid_target');
    }
    expect((await begin({ resource: `${D}/` })).interval).toBe(5);
    expect(await start({ client_id: 'loupe-cli', device_name: 'x'.repeat(101) })).toBe('400 invalid_request');
    expect(await start({ client_id: 'loupe-cli', device_name: 'a\nb' })).toBe('400 invalid_request');
  });

  it('limits how many sign-ins one address may begin', async () => {
    for (let n = 0; n < 30; n += 1) await begin();
    const response = await app.postForm('/oauth/device-authorization', { client_id: 'loupe-cli' });
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('goes on when the server is started anew between code, answer and poll', async () => {
    const device = await begin();
    const second = await OAuthApp.start(test.database, { access: app.access });
    const shown = await second.fetch(device.verification_uri_complete, {
      headers: { cookie: person.cookie },
    });
    const csrf = /name="_csrf" value="([^"]*)"/.exec(await shown.text())![1]!;
    const answered = await second.postForm(
      '/oauth/device',
      { _csrf: csrf, user_code: device.user_code, answer: 'allow' },
      { cookie: person.cookie },
    );
    expect(answered.status).toBe(200);
    await second.close();
    const third = await OAuthApp.start(test.database, { access: app.access });
    const tokens = await tokensOf(
      await third.postForm('/oauth/token', {
        grant_type: GRANT,
        client_id: 'loupe-cli',
        device_code: device.device_code,
      }),
    );
    await tokensOf(await refresh(third, tokens.refresh_token, { client_id: 'loupe-cli' }));
    await third.close();
  });
});
