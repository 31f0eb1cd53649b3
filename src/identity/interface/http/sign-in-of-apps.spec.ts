import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { D, OAuthApp, type SignedInPerson } from '../../testing/oauth-app.js';
import {
  ClientSite,
  callMcp,
  clientDocument,
  errorOf,
  SignInAttempt,
  tokensOf,
} from '../../testing/oauth-client.js';

describe('sign-in of apps by code', () => {
  let test: TestDatabase;
  let site: ClientSite;
  let app: OAuthApp;
  let person: SignedInPerson;
  let project: string;

  beforeAll(async () => {
    test = await TestDatabase.start({ pool: 10 });
    site = await ClientSite.start();
    site.document('/oauth/client.json', clientDocument());
    app = await OAuthApp.start(test.database, { env: { LOUPE_TEST_HOST_MAP: site.hostMap } });
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
    app.access.add(project, person.id, {}, 'Ferry bookings');
    app.audit.entries.length = 0;
    app.outbox.events.length = 0;
  });

  it('identity 12.4: a URL client completes code and PKCE, and its token acts on the chosen project', async () => {
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { response, text, csrf } = await attempt.open(consent);
    expect(response.status).toBe(200);
    expect(text).toContain('<b>client.example</b>');
    expect(text).toContain('Night Shift Coder');
    expect(text).toContain('Ferry bookings');
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'allow', project }));
    expect(`${url.origin}${url.pathname}`).toBe('http://localhost:43210/callback');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43,}$/),
      state: attempt.state,
      iss: D,
    });
    const exchanged = await attempt.exchange(url.searchParams.get('code')!);
    expect(exchanged.headers.get('cache-control')).toBe('no-store');
    const tokens = await tokensOf(exchanged);
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43,}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43,}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'mcp',
    });
    const answer = await callMcp(app, tokens.access_token);
    expect([answer.status, await answer.json()]).toEqual([201, { projectId: project, refusal: null }]);
    expect(app.outbox.events.map(({ type }) => type)).toEqual(['ConnectionGranted']);
    expect(
      app.audit.entries.map(({ operation, channel, projectId }) => [operation, channel, projectId]),
    ).toEqual([['connection.granted', 'oauth', project]]);
    expect((await callMcp(app, `${tokens.access_token}x`)).status).toBe(401);
    expect(await errorOf(await attempt.exchange('nonsense'))).toBe('400 invalid_grant');
  });

  it('identity 12.5: without code_challenge, or with plain, the request is refused', async () => {
    for (const parameters of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' },
      { code_challenge_method: null },
    ] as Record<string, string | null>[]) {
      const attempt = new SignInAttempt(app, person, { parameters });
      const location = new URL((await attempt.call(attempt.authorizePath)).headers.get('location')!);
      expect(location.searchParams.get('error')).toBe('invalid_request');
      expect(location.searchParams.get('iss')).toBe(D);
      expect(location.searchParams.get('code')).toBeNull();
    }
  });

  it('identity 12.6: a foreign resource, two of them, and one of another client give invalid_target', async () => {
    for (const resource of [
      'https://other.example/mcp',
      [`${D}/mcp`, `${D}/mcp`],
      D,
      `${D}/api`,
      `${D}/mcp//`,
      `${D}/MCP`,
      `${D}/mcp?x=1`,
    ]) {
      const attempt = new SignInAttempt(app, person, { parameters: { resource } });
      const location = new URL((await attempt.call(attempt.authorizePath)).headers.get('location')!);
      expect([resource, location.searchParams.get('error')]).toEqual([resource, 'invalid_target']);
      expect(location.searchParams.get('state')).toBe(attempt.state);
    }
  });

  it('takes the resource with capitals in the host, with one trailing slash, and left out', async () => {
    for (const resource of ['HTTP://LOUPE.example/mcp/', `${D}/mcp/`, null]) {
      const attempt = new SignInAttempt(app, person, { parameters: { resource } });
      const tokens = await attempt.tokens(project);
      expect((await callMcp(app, tokens.access_token)).status).toBe(201);
    }
  });

  it('drops scopes that it does not know, and refuses when none is left', async () => {
    const attempt = new SignInAttempt(app, person, {
      parameters: { scope: 'openid mcp offline_access agent', nonce: 'n', max_age: '1' },
    });
    expect((await attempt.tokens(project)).scope).toBe('mcp');
    expect(
      (await new SignInAttempt(app, person, { parameters: { scope: null } }).tokens(project)).scope,
    ).toBe('mcp');
    for (const scope of ['openid', 'agent projects', 'x"y']) {
      const refused = new SignInAttempt(app, person, { parameters: { scope } });
      const location = new URL((await refused.call(refused.authorizePath)).headers.get('location')!);
      expect([scope, location.searchParams.get('error')]).toEqual([scope, 'invalid_scope']);
    }
  });

  it('identity 12.10: a loopback redirect may have any port; everything else must be the same', async () => {
    site.document(
      '/oauth/many.json',
      clientDocument({
        client_id: 'https://client.example/oauth/many.json',
        redirect_uris: [
          'http://localhost/callback',
          'http://127.0.0.1:1/cb',
          'https://client.example:8443/back',
        ],
      }),
    );
    const statusOf = async (redirectUri: string): Promise<[string, number, string]> => {
      const attempt = new SignInAttempt(app, person, {
        redirectUri,
        clientId: 'https://client.example/oauth/many.json',
      });
      const response = await attempt.call(attempt.authorizePath);
      return [redirectUri, response.status, (response.headers.get('location') ?? '').slice(0, 15)];
    };
    for (const good of [
      'http://localhost/callback',
      'http://localhost:51234/callback',
      'http://127.0.0.1:2/cb',
      'https://client.example:8443/back',
    ]) {
      expect(await statusOf(good)).toEqual([good, 303, '/oauth/consent/']);
    }
    for (const bad of [
      'http://localhost.evil.example/callback',
      'http://localhost:1@evil.example/callback',
      'http://localhost:51234/callback/more',
      'http://localhost:51234/callback?x=1',
      'http://127.0.0.1:51234/callback',
      'http://[::1]:51234/callback',
      'https://localhost:51234/callback',
      'https://client.example:9999/back',
      'https://client.example/back',
      'javascript:alert(1)',
      '',
    ]) {
      expect(await statusOf(bad)).toEqual([bad, 400, '']);
    }
  });

  it('answers by query alone, and never without the person', async () => {
    const errorFor = async (parameters: Record<string, string>): Promise<string | null> => {
      const attempt = new SignInAttempt(app, person, { parameters });
      const location = (await attempt.call(attempt.authorizePath)).headers.get('location') ?? '';
      // A request for a token by the browser is answered in the fragment, where it would have been.
      return new URLSearchParams(location.replace(/^[^?#]*[?#]/, '')).get('error');
    };
    expect(await errorFor({ response_mode: 'query' })).toBeNull();
    expect(await errorFor({ response_mode: 'form_post' })).toBe('unsupported_response_mode');
    expect(await errorFor({ response_mode: 'fragment' })).toBe('unsupported_response_mode');
    expect(await errorFor({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await errorFor({ prompt: 'none' })).toBe('login_required');
    expect(await errorFor({ request: 'x' })).toBe('request_not_supported');
  });

  it('keeps a question mark in a redirect address that came unescaped', async () => {
    const clientId = 'https://client.example/oauth/query.json';
    const redirect = 'http://localhost/callback?from=loupe';
    site.document('/oauth/query.json', clientDocument({ client_id: clientId, redirect_uris: [redirect] }));
    const attempt = new SignInAttempt(app, person, { clientId, redirectUri: redirect });
    const plain = attempt.authorizePath.replace(encodeURIComponent(redirect), redirect);
    expect((await attempt.call(plain)).headers.get('location')).toContain('/oauth/consent/');
  });

  it('shows errors before the redirect address is trusted on a page, and never redirects', async () => {
    const attempt = new SignInAttempt(app, person, { redirectUri: 'https://evil.example/<script>' });
    const response = await attempt.call(attempt.authorizePath);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(text).toContain('at an address that it has not registered');
    expect(text).not.toContain('<script>');
    const unknown = new SignInAttempt(app, person, { clientId: 'loupe' });
    const page = await (await unknown.call(unknown.authorizePath)).text();
    expect(page).toContain('The client id must be an https address');
  });

  it('identity 12.8: says what is wrong with a metadata document, and remembers it for a minute', async () => {
    const pageOf = async (name: string): Promise<string> => {
      const attempt = new SignInAttempt(app, person, { clientId: `https://client.example/bad/${name}` });
      const response = await attempt.call(attempt.authorizePath);
      expect([name, response.status]).toEqual([name, 400]);
      return response.text();
    };
    site.answer('/bad/redirect', (_, response) => {
      response.writeHead(302, { location: '/oauth/client.json' }).end();
    });
    site.document(
      '/bad/large',
      clientDocument({ client_id: 'https://client.example/bad/large', x: 'x'.repeat(5_200) }),
    );
    site.answer('/bad/slow', () => undefined);
    site.document('/bad/other', clientDocument());
    site.answer('/bad/html', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');
    });
    expect(await pageOf('redirect')).toContain('could not be read: it redirects to another address.');
    expect(await pageOf('large')).toContain('could not be read: it is larger than 5 KB.');
    expect(await pageOf('slow')).toContain('could not be read: it did not answer within 2.5 seconds.');
    expect(await pageOf('other')).toContain('it names another client_id than its own address.');
    expect(await pageOf('html')).toContain('could not be read: it did not answer with JSON.');
    expect(await pageOf('nowhere')).toContain('could not be read: it answered with status 404.');
    const asked = site.asked.length;
    expect(await pageOf('html')).toContain('it did not answer with JSON.');
    expect(site.asked.length).toBe(asked);
  });

  it('asks the web site of an app once for many requests, and shares the answer between replicas', async () => {
    const clientId = 'https://client.example/oauth/busy.json';
    site.document('/oauth/busy.json', clientDocument({ client_id: clientId }));
    const before = site.asked.length;
    await Promise.all(Array.from({ length: 5 }, () => new SignInAttempt(app, person, { clientId }).begin()));
    const replica = await OAuthApp.start(test.database, {
      env: { LOUPE_TEST_HOST_MAP: site.hostMap },
      access: app.access,
    });
    await new SignInAttempt(replica, person, { clientId }).begin();
    await replica.close();
    expect(site.asked.length - before).toBe(1);
  });

  it('limits how many documents one address may make Loupe fetch', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) {
      const attempt = new SignInAttempt(app, person, { clientId: `https://client.example/never/${n}` });
      const response = await attempt.call(attempt.authorizePath);
      statuses.push(response.status);
      if (n === 21) expect(await response.text()).toContain('Too many apps were looked up');
    }
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(site.asked.filter((path) => path.includes('/never/')).length).toBe(20);
  });

  it('refuses an app whose host leads away from this machine in the test profile', async () => {
    const attempt = new SignInAttempt(app, person, { clientId: 'https://93.184.216.34.nip.invalid/x.json' });
    expect(await (await attempt.call(attempt.authorizePath)).text()).toContain('its host name is unknown');
  });

  it('works behind https: secure cookies, addresses of the public name, whatever host the proxy asks for', async () => {
    const secure = await OAuthApp.start(test.database, {
      env: { LOUPE_TEST_HOST_MAP: site.hostMap, DEFAULT_URI: 'https://loupe.example' },
      access: app.access,
    });
    const signedIn = { ...person, cookie: person.cookie.replace('loupe_session', '__Host-loupe_session') };
    const attempt = new SignInAttempt(secure, signedIn, {
      parameters: { resource: 'https://LOUPE.example/mcp/' },
    });
    const first = await secure.fetch(attempt.authorizePath, {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(first.status).toBe(303);
    for (const cookie of first.headers.getSetCookie()) {
      expect(cookie).toMatch(
        /^loupe_oauth_re(quest|sume)(\.sig)?=.*; path=\/oauth\/.*samesite=lax; secure; httponly$/,
      );
    }
    const consent = await attempt.begin();
    const { response, csrf } = await attempt.open(consent);
    expect(response.headers.get('strict-transport-security')).toContain('max-age=');
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'allow', project }));
    expect(url.searchParams.get('iss')).toBe('https://loupe.example');
    await tokensOf(await attempt.exchange(url.searchParams.get('code')!));
    const device = await secure.postForm(
      '/oauth/device-authorization',
      { client_id: 'loupe-cli' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    );
    expect(await device.json()).toMatchObject({ verification_uri: 'https://loupe.example/oauth/device' });
    await secure.close();
  });
});
