import { createHash } from 'node:crypto';
import { DomainError } from '#libs/kernel/errors.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { D, OAuthApp, type OAuthAppOptions, type SignedInPerson } from '../../testing/oauth-app.js';
import {
  ClientSite,
  callMcp,
  clientDocument,
  errorOf,
  refresh,
  SignInAttempt,
  type Tokens,
  tokensOf,
} from '../../testing/oauth-client.js';

describe('token endpoint', () => {
  let test: TestDatabase;
  let site: ClientSite;
  let app: OAuthApp;
  let person: SignedInPerson;
  let project: string;

  const start = (options: OAuthAppOptions = {}): Promise<OAuthApp> =>
    OAuthApp.start(test.database, {
      ...options,
      env: { LOUPE_TEST_HOST_MAP: site.hostMap, ...options.env },
      access: app?.access,
    });

  beforeAll(async () => {
    test = await TestDatabase.start({ pool: 6 });
    site = await ClientSite.start();
    site.document('/oauth/client.json', clientDocument());
    app = await start();
  });

  afterAll(async () => {
    await app.close();
    await site.stop();
    await test.stop();
  });

  beforeEach(async () => {
    await test.database.query('TRUNCATE platform.rate_limits');
    person = await app.person();
    project = new UuidV7Ids().next();
    app.access.add(project, person.id);
    app.audit.entries.length = 0;
    app.outbox.events.length = 0;
  });

  const signIn = (): Promise<Tokens> => new SignInAttempt(app, person).tokens(project);
  const works = async (tokens: Tokens): Promise<boolean> =>
    (await callMcp(app, tokens.access_token)).status === 201;
  const endOf = async (): Promise<string | null> =>
    (await test.database.one<{ reason: string | null }>(
      'SELECT revoked_reason AS reason FROM identity.connections WHERE person_id = $1',
      [person.id],
    ))!.reason;
  const operations = (): string[] =>
    app.audit.entries.map(({ operation, outcome }) => `${operation}${outcome ? ` ${outcome}` : ''}`);

  it('identity 12.11: a refresh gives a new refresh token', async () => {
    const first = await signIn();
    const second = await tokensOf(await refresh(app, first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await works(second)).toBe(true);
    const third = await tokensOf(await refresh(app, second.refresh_token));
    expect(await works(third)).toBe(true);
    expect(operations()).toEqual(['connection.granted']);
  });

  it('identity 12.11: ten processes that use the old token at once each get a pair that works; an eleventh use revokes', async () => {
    const first = await signIn();
    await tokensOf(await refresh(app, first.refresh_token));
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(app, first.refresh_token)));
    const pairs = await Promise.all(answers.map(tokensOf));
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(10);
    for (const pair of pairs) {
      expect(await works(pair)).toBe(true);
      expect(await works(await tokensOf(await refresh(app, pair.refresh_token)))).toBe(true);
    }
    expect(operations().filter((operation) => operation === 'connection.refresh_reuse success')).toHaveLength(
      10,
    );
    expect(await errorOf(await refresh(app, first.refresh_token))).toBe('400 invalid_grant');
    expect(await endOf()).toBe('refresh-reuse');
    expect(operations().slice(-2)).toEqual(['connection.refresh_reuse refused', 'connection.revoked']);
    expect(app.outbox.events.at(-1)).toMatchObject({
      type: 'ConnectionRevoked',
      payload: { reason: 'refresh-reuse', personId: person.id, projectId: project },
    });
    for (const pair of pairs) expect(await works(pair)).toBe(false);
    expect(await errorOf(await refresh(app, pairs[0]!.refresh_token))).toBe('400 invalid_grant');
  });

  it('identity 12.11: ten processes that refresh one fresh token at once all go on', async () => {
    const first = await signIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(app, first.refresh_token)));
    for (const pair of await Promise.all(answers.map(tokensOf))) expect(await works(pair)).toBe(true);
    expect(await endOf()).toBeNull();
  });

  it('identity 12.11: a use after the grace window revokes the connection', async () => {
    const first = await signIn();
    const second = await tokensOf(await refresh(app, first.refresh_token));
    await test.database.query(
      "UPDATE identity.oauth_artefacts SET consumed_at = consumed_at - interval '121 seconds' WHERE consumed_at IS NOT NULL",
    );
    expect(await errorOf(await refresh(app, first.refresh_token))).toBe('400 invalid_grant');
    expect(await endOf()).toBe('refresh-reuse');
    expect(await works(second)).toBe(false);
  });

  it('identity 12.12: with no grace the second use revokes at once', async () => {
    const strict = await start({ env: { OAUTH_REFRESH_GRACE_SECONDS: '0' } });
    const first = await signIn();
    const second = await tokensOf(await refresh(strict, first.refresh_token));
    expect(await errorOf(await refresh(strict, first.refresh_token))).toBe('400 invalid_grant');
    expect(await endOf()).toBe('refresh-reuse');
    expect(await works(second)).toBe(false);
    await strict.close();
  });

  it('identity 12.11: a refresh takes the resource with a slash, with capitals in the host, or none; a foreign one fails and spends nothing', async () => {
    let { refresh_token: token } = await signIn();
    for (const changes of [{ resource: `${D}/mcp/` }, { resource: 'http://LOUPE.Example/mcp' }, {}]) {
      const next = await tokensOf(await refresh(app, token, changes as Record<string, string>));
      expect(await works(next)).toBe(true);
      token = next.refresh_token;
    }
    for (const resource of ['https://other.example/mcp', `${D}/api`, D, 'nonsense', '']) {
      expect([resource, await errorOf(await refresh(app, token, { resource }))]).toEqual([
        resource,
        '400 invalid_target',
      ]);
    }
    const two = await app.fetch('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams([
        ['grant_type', 'refresh_token'],
        ['client_id', 'https://client.example/oauth/client.json'],
        ['refresh_token', token],
        ['resource', `${D}/mcp`],
        ['resource', `${D}/mcp`],
      ]),
    });
    expect([await errorOf(two), two.headers.get('cache-control')]).toEqual([
      '400 invalid_target',
      'no-store',
    ]);
    await tokensOf(await refresh(app, token));
    expect(operations().filter((operation) => operation.startsWith('connection.refresh_reuse'))).toEqual([]);
  });

  it('lets a refresh narrow the scope, never widen it, and spends nothing on a refusal', async () => {
    const { refresh_token: token } = await signIn();
    expect(await errorOf(await refresh(app, token, { scope: 'projects' }))).toBe('400 invalid_scope');
    const next = await tokensOf(await refresh(app, token, { scope: 'mcp offline_access' }));
    expect(next.scope).toBe('mcp');
  });

  it('takes a code once; a second use revokes the connection that it made', async () => {
    const attempt = new SignInAttempt(app, person);
    const code = await attempt.code({ project });
    const tokens = await tokensOf(await attempt.exchange(code));
    expect(await works(tokens)).toBe(true);
    // Also later than a code lives, since that is when a stolen one is tried.
    await test.database.query(
      "UPDATE identity.oauth_artefacts SET expires_at = now() - interval '2 minutes' WHERE model = 'AuthorizationCode'",
    );
    expect(await errorOf(await attempt.exchange(code))).toBe('400 invalid_grant');
    expect(await endOf()).toBe('code-reuse');
    expect(await works(tokens)).toBe(false);
    expect(await errorOf(await refresh(app, tokens.refresh_token))).toBe('400 invalid_grant');
  });

  it('lets only one of two parallel uses of a code through, and revokes', async () => {
    const attempt = new SignInAttempt(app, person);
    const code = await attempt.code({ project });
    const statuses = await Promise.all([attempt.exchange(code), attempt.exchange(code)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await endOf()).toBe('code-reuse');
  });

  it('refuses a code with a wrong verifier, address or client, or after its minute, and keeps the connection', async () => {
    const attempt = new SignInAttempt(app, person);
    const code = await attempt.code({ project });
    for (const changes of [
      { code_verifier: 'a'.repeat(43) },
      { code_verifier: '' },
      { redirect_uri: 'http://localhost:1/callback' },
      { client_id: 'loupe-site-review-widget' },
    ] as Record<string, string>[]) {
      expect(await errorOf(await attempt.exchange(code, changes))).toBe('400 invalid_grant');
    }
    expect(await endOf()).toBeNull();
    await test.database.query(
      "UPDATE identity.oauth_artefacts SET expires_at = now() WHERE model = 'AuthorizationCode'",
    );
    expect(await errorOf(await attempt.exchange(code))).toBe('400 invalid_grant');
  });

  it('identity 12.25: a suspended person has no working token; after reinstating the same login refreshes', async () => {
    const tokens = await signIn();
    await test.database.query('UPDATE identity.persons SET suspended_at = now() WHERE id = $1', [person.id]);
    expect(await works(tokens)).toBe(false);
    expect(await errorOf(await refresh(app, tokens.refresh_token))).toBe('400 invalid_grant');
    await test.database.query('UPDATE identity.persons SET suspended_at = NULL WHERE id = $1', [person.id]);
    expect(await works(tokens)).toBe(true);
    expect(await works(await tokensOf(await refresh(app, tokens.refresh_token)))).toBe(true);
    await test.database.query('UPDATE identity.persons SET deletion_requested_at = now() WHERE id = $1', [
      person.id,
    ]);
    expect(await errorOf(await refresh(app, tokens.refresh_token))).toBe('400 invalid_grant');
  });

  it('refuses a refresh when the project of the connection is gone or no longer open to the person', async () => {
    const tokens = await signIn();
    app.access.delete(project);
    expect(await errorOf(await refresh(app, tokens.refresh_token))).toBe('400 invalid_grant');
    expect(await works(tokens)).toBe(false);
  });

  it('identity 12.13: after a revoke the next call is 401 and a refresh invalid_grant, on another replica too', async () => {
    const replica = await start();
    const tokens = await signIn();
    expect((await callMcp(replica, tokens.access_token)).status).toBe(201);
    const id = (await test.database.one<{ id: string }>(
      'SELECT id FROM identity.connections WHERE person_id = $1',
      [person.id],
    ))!.id;
    const page = await app.fetch('/oauth/device', { headers: { cookie: person.cookie } });
    const csrf = /name="_csrf" value="([^"]*)"/.exec(await page.text())![1]!;
    const revoked = await app.fetch(`/api/account/connections/${id}`, {
      method: 'DELETE',
      headers: { cookie: person.cookie, 'loupe-csrf-token': csrf },
    });
    expect(revoked.status).toBe(204);
    for (const each of [app, replica]) {
      const answer = await callMcp(each, tokens.access_token);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
      expect(await errorOf(await refresh(each, tokens.refresh_token))).toBe('400 invalid_grant');
    }
    expect(app.signals.sent).toContainEqual(
      expect.objectContaining({ channel: 'access', connectionId: id, personId: person.id }),
    );
    await replica.close();
  });

  it('ends the whole connection at the revocation endpoint with either kind of token, and always answers 200', async () => {
    const revoke = (token: string, changes: Record<string, string> = {}): Promise<Response> =>
      app.postForm('/oauth/revoke', {
        client_id: 'https://client.example/oauth/client.json',
        token,
        ...changes,
      });
    const first = await signIn();
    expect((await revoke(first.access_token)).status).toBe(200);
    expect(await endOf()).toBe('client');
    expect(await errorOf(await refresh(app, first.refresh_token))).toBe('400 invalid_grant');
    const second = await signIn();
    // A token of another client is left alone, and the answer does not tell.
    expect((await revoke(second.refresh_token, { client_id: 'loupe-cli' })).status).toBe(200);
    expect(await works(second)).toBe(true);
    expect((await revoke(second.refresh_token)).status).toBe(200);
    expect(await works(second)).toBe(false);
    for (const token of ['unknown', 'eyJhbGciOiJub25lIn0.e30.', second.refresh_token]) {
      expect([token, (await revoke(token)).status]).toEqual([token, 200]);
    }
  });

  it('forgets a spent token at the revocation endpoint without taking it for a reuse', async () => {
    const first = await signIn();
    await tokensOf(await refresh(app, first.refresh_token));
    await app.postForm('/oauth/revoke', {
      client_id: 'https://client.example/oauth/client.json',
      token: first.refresh_token,
    });
    expect(await endOf()).toBe('client');
  });

  it('identity 12.30: keeps no token, code or cookie in clear', async () => {
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'allow', project }));
    const code = url.searchParams.get('code')!;
    const tokens = await tokensOf(await attempt.exchange(code));
    const device = (await (
      await app.postForm('/oauth/device-authorization', { client_id: 'loupe-cli' })
    ).json()) as { device_code: string; user_code: string };
    const uid = consent.split('/').pop()!;
    const dump = JSON.stringify([
      await test.database.query('SELECT * FROM identity.oauth_artefacts'),
      await test.database.query('SELECT * FROM identity.connections'),
      await test.database.query('SELECT * FROM identity.oauth_keys'),
    ]);
    for (const secret of [
      code,
      tokens.access_token,
      tokens.refresh_token,
      device.device_code,
      device.user_code,
      device.user_code.replace('-', ''),
      uid,
      attempt.verifier,
      '"d"',
    ]) {
      expect([secret, dump.includes(secret)]).toEqual([secret, false]);
    }
    expect(dump).toContain(createHash('sha256').update(tokens.access_token).digest('hex'));
  });

  it('goes on with the last good document when the web site of the app is away', async () => {
    const tokens = await signIn();
    await test.database.query(
      "UPDATE identity.oauth_client_documents SET fresh_until = now() - interval '1 day'",
    );
    const asked = site.asked.length;
    await tokensOf(await refresh(app, tokens.refresh_token));
    expect(site.asked.length).toBe(asked);
    // A new sign-in needs a fresh one.
    await new SignInAttempt(app, person).begin();
    expect(site.asked.length).toBe(asked + 1);
  });

  it('answers bad requests with JSON errors of RFC 6749, without storing and without CORS', async () => {
    const cases: [Record<string, string>, string][] = [
      [{}, '400 invalid_request'],
      [{ grant_type: 'password', client_id: 'loupe-cli' }, '400 unsupported_grant_type'],
      [
        { grant_type: 'refresh_token', client_id: 'https://unknown.example/x', refresh_token: 'x' },
        '401 invalid_client',
      ],
      [{ grant_type: 'authorization_code', client_id: 'loupe-cli', code: 'x' }, '400 invalid_request'],
      [{ grant_type: 'client_credentials', client_id: 'loupe-cli' }, '400 unsupported_grant_type'],
    ];
    for (const [form, error] of cases) {
      const response = await app.postForm('/oauth/token', form, {
        accept: 'text/html',
        origin: 'https://evil.example',
      });
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(response.headers.get('cache-control')).toContain('no-store');
      expect([form, await errorOf(response)]).toEqual([form, error]);
    }
    // There are no client secrets, so an Authorization header names nobody.
    const basic = await app.postForm(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { authorization: `Basic ${Buffer.from('loupe-cli:').toString('base64')}` },
    );
    expect(await errorOf(basic)).toBe('400 invalid_request');
    const json = await app.fetch('/oauth/token', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await errorOf(json)).toBe('400 invalid_request');
    const large = await app.postForm('/oauth/token', { client_id: 'x'.repeat(60_000) });
    expect(await errorOf(large)).toBe('413 invalid_request');
  });

  it('limits calls of the token endpoint to 120 a minute for one address', async () => {
    let calls = 0;
    let last: Response;
    do {
      last = await app.postForm('/oauth/token', {});
      calls += 1;
    } while (last.status === 400 && calls < 200);
    expect(last.status).toBe(429);
    // The window slides: when a minute ends on the way, a few of its calls count no more.
    expect(calls).toBeGreaterThan(120);
    expect(calls).toBeLessThan(150);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await last.json()).toMatchObject({ error: 'rate_limited', retryAfter: expect.any(Number) });
  });

  it('says 503 while the database is away, spends nothing, and goes on when it is back', async () => {
    const tokens = await signIn();
    const away = new DomainError(
      'unavailable',
      'unavailable',
      'The database cannot be reached. Try again in a few seconds.',
      {
        retryAfterSeconds: 5,
      },
    );
    const broken = [jest.spyOn(test.database, 'run').mockRejectedValue(away)];
    const refuses = async (): Promise<void> => {
      const refused = await refresh(app, tokens.refresh_token);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    };
    await refuses();
    broken.push(jest.spyOn(test.database, 'query').mockRejectedValue(away) as never);
    await refuses();
    const page = await app.fetch(new SignInAttempt(app, person).authorizePath);
    expect([page.status, await page.text()]).toEqual([
      503,
      expect.stringContaining('The database cannot be reached. Try again in a few seconds.'),
    ]);
    for (const spy of broken) spy.mockRestore();
    await tokensOf(await refresh(app, tokens.refresh_token));
  });

  it('loses nothing when the process dies in the middle of a refresh: what was spent was also given', async () => {
    const first = await signIn();
    const failing = await start();
    const save = jest.spyOn(failing.audit, 'record').mockRejectedValue(new Error('gone'));
    await tokensOf(await refresh(app, first.refresh_token));
    // The use inside the window is recorded in the same transaction, so its failure undoes the count.
    expect((await refresh(failing, first.refresh_token)).status).toBe(500);
    expect(save).toHaveBeenCalled();
    const row = await test.database.one<{ grace_uses: number }>(
      "SELECT max(grace_uses) AS grace_uses FROM identity.oauth_artefacts WHERE model = 'RefreshToken' AND consumed_at IS NOT NULL AND grant_id = (SELECT id FROM identity.connections WHERE person_id = $1)",
      [person.id],
    );
    expect(row!.grace_uses).toBe(0);
    await failing.close();
  });
});
