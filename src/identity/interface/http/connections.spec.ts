import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { NoteClientInfo } from '../../application/commands/note-client-info.js';
import { AccessTokens } from '../../application/ports/access-tokens.js';
import { ConnectionDirectory } from '../../application/ports/connection-directory.js';
import { ResolveRequestProject } from '../../application/queries/resolve-request-project.js';
import { PurgeArtefacts } from '../../infrastructure/oauth/purge-artefacts.js';
import { D, OAuthApp, type SignedInPerson } from '../../testing/oauth-app.js';
import {
  CLIENT_ID,
  ClientSite,
  callMcp,
  clientDocument,
  SignInAttempt,
  type Tokens,
  tokensOf,
} from '../../testing/oauth-client.js';

describe('connections', () => {
  let test: TestDatabase;
  let site: ClientSite;
  let app: OAuthApp;
  let person: SignedInPerson;
  let project: string;

  beforeAll(async () => {
    test = await TestDatabase.start({ pool: 6 });
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
    app.access.add(project, person.id, {}, 'Ferry bookings', 'ferry-bookings');
    app.outbox.events.length = 0;
    app.live.sent.length = 0;
  });

  const signInApp = (projectId = project): Promise<Tokens> =>
    new SignInAttempt(app, person).tokens(projectId);
  const signInCli = async (deviceName: string): Promise<Tokens> => {
    const begun = await app.postForm('/oauth/device-authorization', {
      client_id: 'loupe-cli',
      device_name: deviceName,
    });
    const { device_code, user_code } = (await begun.json()) as { device_code: string; user_code: string };
    const csrf = await csrfToken();
    await app.postForm(
      '/oauth/device',
      { _csrf: csrf, user_code, answer: 'allow' },
      { cookie: person.cookie },
    );
    return tokensOf(
      await app.postForm('/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        client_id: 'loupe-cli',
        device_code,
      }),
    );
  };
  const csrfToken = async (): Promise<string> => {
    const page = await app.fetch('/oauth/device', { headers: { cookie: person.cookie } });
    return /name="_csrf" value="([^"]*)"/.exec(await page.text())![1]!;
  };
  const account = async (method: string, path: string, body?: unknown): Promise<Response> =>
    app.fetch(`/api/account/connections${path}`, {
      method,
      headers: {
        cookie: person.cookie,
        'loupe-csrf-token': await csrfToken(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const api = (tokens: Tokens, path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(path, {
      ...init,
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
    });
  const rowOf = () =>
    test.database.one<Record<string, unknown>>('SELECT * FROM identity.connections WHERE person_id = $1', [
      person.id,
    ]);
  const connectionId = async (): Promise<string> => (await rowOf())!.id as string;

  it('tells the CLI whom it acts for and on which projects, own ones first', async () => {
    const shared = new UuidV7Ids().next();
    app.access.add(shared, 'x', { [person.id]: 'viewer' }, 'A shared one', 'shared');
    const tokens = await signInCli('build-mac');
    const answer = await api(tokens, '/api/me');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      person: { id: person.id, displayName: 'Ines Marlow' },
      connection: {
        id: await connectionId(),
        label: 'build-mac',
        scopes: ['agent', 'mcp', 'projects'],
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
      projects: [
        { id: project, slug: 'ferry-bookings', name: 'Ferry bookings', role: 'owner' },
        { id: shared, slug: 'shared', name: 'A shared one', role: 'viewer' },
      ],
    });
    const { created_at, expires_at } = (await rowOf())! as { created_at: Date; expires_at: Date };
    expect((expires_at.getTime() - created_at.getTime()) / 86_400_000).toBe(365);
  });

  it('changes the label of a machine, and refuses one that is not a short line', async () => {
    const tokens = await signInCli('old');
    const put = (label: unknown) =>
      api(tokens, '/api/connection/label', { method: 'PUT', body: JSON.stringify({ label }) });
    const changed = await put('  build-mac 2 ');
    expect([changed.status, await changed.json()]).toEqual([200, { label: 'build-mac 2' }]);
    for (const label of ['', 'x'.repeat(101), 'a\nb', 7, null]) {
      const refused = await put(label);
      expect([label, refused.status, ((await refused.json()) as { fields: object }).fields]).toEqual([
        label,
        422,
        { label: expect.any(String) },
      ]);
    }
    expect((await rowOf())!.label).toBe('build-mac 2');
  });

  it('lists connections in groups of app and project, and of machines', async () => {
    await signInApp();
    await signInApp();
    await signInCli('build-mac');
    const { groups } = (await (await account('GET', '')).json()) as { groups: Record<string, unknown>[] };
    expect(groups).toHaveLength(2);
    expect(groups.find((group) => group.clientId === CLIENT_ID)).toMatchObject({
      clientName: 'Night Shift Coder',
      clientHost: 'client.example',
      verified: false,
      label: null,
      scopes: ['mcp'],
      project: { id: project, name: expect.any(String) },
      count: 2,
      lastUsedAt: null,
      connections: [
        { lastIp: null, lastClientInfo: null, origin: null, revokedAt: null },
        { lastUsedAt: null },
      ],
    });
    expect(groups.find((group) => group.clientId === 'loupe-cli')).toMatchObject({
      clientHost: null,
      verified: true,
      label: 'build-mac',
      project: null,
      count: 1,
    });
  });

  it('revokes one connection, a group, and all; never those of others', async () => {
    const first = await signInApp();
    const id = await connectionId();
    const second = await signInApp();
    const machine = await signInCli('build-mac');
    const owner = person;
    person = await app.person();
    expect((await account('DELETE', `/${id}`)).status).toBe(404);
    expect(await (await account('POST', '/revoke', { all: true })).json()).toEqual({ revoked: 0 });
    person = owner;
    expect((await account('DELETE', '/nonsense')).status).toBe(404);
    expect((await account('DELETE', `/${id}`)).status).toBe(204);
    expect((await account('DELETE', `/${id}`)).status).toBe(404);
    expect((await callMcp(app, first.access_token)).status).toBe(401);
    expect((await callMcp(app, second.access_token)).status).toBe(201);
    const group = { clientId: CLIENT_ID, projectId: project };
    expect(await (await account('POST', '/revoke', { ...group, projectId: null })).json()).toEqual({
      revoked: 0,
    });
    expect(await (await account('POST', '/revoke', group)).json()).toEqual({ revoked: 1 });
    expect((await callMcp(app, second.access_token)).status).toBe(401);
    expect(
      await (await account('POST', '/revoke', { clientId: 'loupe-cli', label: 'other' })).json(),
    ).toEqual({
      revoked: 0,
    });
    expect((await callMcp(app, machine.access_token)).status).toBe(201);
    expect(await (await account('POST', '/revoke', { all: true })).json()).toEqual({ revoked: 1 });
    expect((await callMcp(app, machine.access_token)).status).toBe(401);
    for (const body of [{}, { all: false }, { clientId: 7 }, { clientId: 'x', projectId: 'y' }, { who: 1 }]) {
      expect([body, (await account('POST', '/revoke', body)).status]).toEqual([body, 422]);
    }
    expect(app.live.sent).toContainEqual(
      expect.objectContaining({ topic: `me:${person.id}`, type: 'connections' }),
    );
  });

  it('identity 12.32: after a person left, the next request is 401 and Connected apps forgets the connection', async () => {
    const shared = new UuidV7Ids().next();
    app.access.add(shared, 'x', { [person.id]: 'member' });
    const tokens = await signInApp(shared);
    const kept = await signInApp();
    app.access.setRole(shared, person.id, null);
    expect((await callMcp(app, tokens.access_token)).status).toBe(401);
    const [listener] = app.listeners.kept.values();
    expect(listener!.types).toEqual(['ProjectDeleted', 'MemberRemoved']);
    const event = {
      id: new UuidV7Ids().next(),
      type: 'MemberRemoved',
      version: 1,
      aggregateId: shared,
      projectId: shared,
      personId: person.id,
      payload: { projectId: shared, personId: person.id },
      actor: { kind: 'person', id: 'x' } as const,
      occurredAt: new Date(),
    };
    await listener!.handle(event);
    const reasons = () =>
      test.database.query(
        'SELECT revoked_reason FROM identity.connections WHERE person_id = $1 ORDER BY id',
        [person.id],
      );
    expect(await reasons()).toEqual([{ revoked_reason: 'member-removed' }, { revoked_reason: null }]);
    expect((await callMcp(app, kept.access_token)).status).toBe(201);
    await listener!.handle({ ...event, type: 'ProjectDeleted', projectId: project, payload: {} });
    expect(await reasons()).toEqual([
      { revoked_reason: 'member-removed' },
      { revoked_reason: 'project-deleted' },
    ]);
    // A late event does not end what was approved since.
    app.access.setRole(shared, person.id, 'member');
    const later = await signInApp(shared);
    await listener!.handle(event);
    expect((await callMcp(app, later.access_token)).status).toBe(201);
  });

  it('answers a missing, a wrong and a stranger’s token at /api as the door says', async () => {
    const none = await app.fetch('/api/me');
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="loupe", scope="agent"',
    ]);
    const wrong = await app.fetch('/api/me', { headers: { authorization: 'Bearer wrong' } });
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_token' }),
    ]);
    // A token for /mcp is for another audience.
    const other = await api(await signInApp(), '/api/me');
    expect(other.status).toBe(401);
    const inQuery = await app.fetch(`/api/me?access_token=${(await signInCli('x')).access_token}`);
    expect(inQuery.status).toBe(401);
  });

  it('writes the last use at most once a minute', async () => {
    const tokens = await signInApp();
    await callMcp(app, tokens.access_token);
    const first = await rowOf();
    expect([first!.last_used_at, first!.last_ip]).toEqual([expect.any(Date), '127.0.0.1']);
    await callMcp(app, tokens.access_token);
    expect((await rowOf())!.last_used_at).toEqual(first!.last_used_at);
    await test.database.query("UPDATE identity.connections SET last_used_at = now() - interval '61 seconds'");
    await callMcp(app, tokens.access_token);
    expect((await rowOf())!.last_used_at).not.toEqual(first!.last_used_at);
  });

  it('refuses after 60 failed tokens of one address in a minute', async () => {
    const tokens = app.get(AccessTokens);
    const presented = { token: 'x', path: '/mcp', ip: '203.0.113.9', projectId: null, agentSessionId: null };
    for (let n = 0; n < 60; n += 1) expect(await tokens.actorOf(presented)).toBeNull();
    await expect(tokens.actorOf(presented)).rejects.toMatchObject({ kind: 'rate-limited' });
    expect(await tokens.actorOf({ ...presented, ip: '203.0.113.10' })).toBeNull();
  });

  it('accepts each audience at its own door alone', async () => {
    const tokens = app.get(AccessTokens);
    const seen = async (token: string, path: string) => {
      const actor = await tokens.actorOf({ token, path, ip: null, projectId: null, agentSessionId: 's-1' });
      return actor && [actor.channel, actor.boundProjectId, actor.agentSessionId];
    };
    const mcp = (await signInApp()).access_token;
    expect(await seen(mcp, '/mcp')).toEqual(['mcp', project, 's-1']);
    expect(await seen(mcp, '/api/me')).toBeNull();
    expect(await seen(mcp, '/mcpx')).toBeNull();
    const cli = (await signInCli('x')).access_token;
    expect(await seen(cli, '/mcp')).toEqual(['mcp', null, 's-1']);
    expect(await seen(cli, '/api/me')).toEqual(['api', null, 's-1']);
    expect(await seen(cli, '/oauth/device')).toBeNull();
    expect(await seen(cli, '/')).toBeNull();
  });

  it('refuses tokens of another address of the instance, also at a refresh', async () => {
    const tokens = await signInApp();
    const moved = await OAuthApp.start(test.database, {
      env: { LOUPE_TEST_HOST_MAP: site.hostMap, DEFAULT_URI: 'http://moved.example' },
      access: app.access,
    });
    expect((await callMcp(moved, tokens.access_token)).status).toBe(401);
    const refreshed = await moved.postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: CLIENT_ID,
      refresh_token: tokens.refresh_token,
    });
    expect([refreshed.status, await refreshed.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_grant' }),
    ]);
    const finding = async (each: OAuthApp) => (await each.status.report(null))[0];
    expect(await finding(moved)).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('must sign in again'),
    });
    await test.database.query('TRUNCATE identity.connections CASCADE');
    expect(await finding(moved)).toMatchObject({ state: 'ok' });
    await moved.close();
  });

  it('uses one indexed read for a token', async () => {
    const [plan] = await test.database.run(async () => {
      // A table of a few rows is read as a whole, index or not.
      await test.database.query('SET LOCAL enable_seqscan = off');
      return test.database.query<Record<string, string>>(
        `EXPLAIN (FORMAT JSON) SELECT 1 FROM identity.oauth_artefacts WHERE model = 'AccessToken' AND id_hash = 'x'`,
      );
    });
    expect(JSON.stringify(plan)).toContain('oauth_artefacts_pkey');
  });

  it('tells other contexts about machines and about the use of a project', async () => {
    const directory = app.get(ConnectionDirectory);
    expect(await directory.lastUseOf(project)).toBeNull();
    const bound = await signInApp();
    await signInCli('build-mac');
    await callMcp(app, bound.access_token);
    expect(await directory.lastUseOf(project)).toEqual(expect.any(Date));
    const machines = await directory.ofPerson(person.id, project);
    expect(
      machines.map(({ label, clientId, usedThisProjectAt }) => [label, clientId, usedThisProjectAt !== null]),
    ).toEqual(
      expect.arrayContaining([
        ['build-mac', 'loupe-cli', false],
        [null, CLIENT_ID, true],
      ]),
    );
    expect(await directory.ofPerson(person.id, new UuidV7Ids().next())).toHaveLength(1);
  });

  it('keeps what a client calls itself', async () => {
    const { access_token: token } = await signInApp();
    const actor = await app
      .get(AccessTokens)
      .actorOf({ token, path: '/mcp', ip: null, projectId: null, agentSessionId: null });
    const note = app.get(NoteClientInfo);
    await note.execute(actor!, { name: 'coder\n', version: '1.2' });
    await note.execute(actor!, { name: 7, version: null });
    expect((await rowOf())!.last_client_info).toEqual({ name: 'coder', version: '1.2' });
  });

  it('refuses a bound connection that names another project', async () => {
    const actor = (await app.get(AccessTokens).actorOf({
      token: (await signInApp()).access_token,
      path: '/mcp',
      ip: null,
      projectId: null,
      agentSessionId: null,
    }))!;
    const resolve = app.get(ResolveRequestProject);
    expect(await resolve.execute(actor, project.toUpperCase())).toEqual({
      projectId: project,
      refusal: null,
    });
    for (const header of [new UuidV7Ids().next(), 'nonsense']) {
      await expect(resolve.execute(actor, header)).rejects.toMatchObject({ code: 'project_not_covered' });
    }
  });

  it('purges what has expired, in batches, and marks connections at the end of their year', async () => {
    const tokens = await signInApp();
    await test.database.query(
      `INSERT INTO identity.oauth_artefacts (model, id_hash, payload, expires_at)
       SELECT 'AccessToken', 'old-' || n, '{}', now() - interval '2 hours' FROM generate_series(1, 2100) n`,
    );
    expect(await app.get(PurgeArtefacts).run()).toBe(2100);
    expect((await callMcp(app, tokens.access_token)).status).toBe(201);
    await test.database.query('UPDATE identity.connections SET expires_at = now() WHERE person_id = $1', [
      person.id,
    ]);
    expect((await callMcp(app, tokens.access_token)).status).toBe(401);
    const [handler] = [...app.jobs.handlers.values()];
    await handler!({ id: 'x', name: 'x', data: {}, attempt: 1 });
    expect((await rowOf())!.revoked_reason).toBe('expired');
  });

  it('identity 12.9: the metadata names CIMD and no registration endpoint, and there is none', async () => {
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const response = await app.fetch(`/.well-known/${name}`, { headers: { host: 'evil.example' } });
      const body = (await response.json()) as Record<string, unknown>;
      expect(body).toMatchObject({
        issuer: D,
        authorization_endpoint: `${D}/oauth/authorize`,
        token_endpoint: `${D}/oauth/token`,
        revocation_endpoint: `${D}/oauth/revoke`,
        device_authorization_endpoint: `${D}/oauth/device-authorization`,
        jwks_uri: `${D}/oauth/jwks`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['mcp', 'agent', 'site-review', 'projects'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      });
      expect(body.grant_types_supported).toHaveLength(3);
      expect(body).not.toHaveProperty('registration_endpoint');
    }
    expect((await app.postForm('/oauth/register', {})).status).toBe(404);
    expect((await app.fetch('/.well-known/oauth-protected-resource')).status).toBe(404);
    const resource = await app.fetch('/.well-known/oauth-protected-resource/mcp');
    expect(resource.headers.get('access-control-allow-origin')).toBe('*');
    expect(resource.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(await resource.json()).toEqual({
      resource: `${D}/mcp`,
      authorization_servers: [D],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
      resource_name: 'Loupe',
      resource_documentation: `${D}/docs/mcp`,
    });
  });

  it('answers at every address of the authorization server, and keeps one signing key for all replicas', async () => {
    const keys = (await (await app.fetch('/oauth/jwks')).json()) as { keys: Record<string, unknown>[] };
    expect(keys.keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256' })]);
    expect(keys.keys[0]).not.toHaveProperty('d');
    const replica = await OAuthApp.start(test.database, { access: app.access });
    expect(await (await replica.fetch('/oauth/jwks')).json()).toEqual(keys);
    await replica.close();
    const statusOf = async (method: string, path: string) => [
      path,
      (await app.fetch(path, { method, ...(method === 'POST' ? { body: new URLSearchParams() } : {}) }))
        .status,
    ];
    expect(await statusOf('GET', '/oauth/authorize')).toEqual(['/oauth/authorize', 400]);
    expect(await statusOf('GET', '/oauth/authorize/unknown')).toEqual(['/oauth/authorize/unknown', 400]);
    expect(await statusOf('POST', '/oauth/token')).toEqual(['/oauth/token', 400]);
    expect(await statusOf('POST', '/oauth/revoke')).toEqual(['/oauth/revoke', 400]);
    expect(await statusOf('POST', '/oauth/device-authorization')).toEqual([
      '/oauth/device-authorization',
      400,
    ]);
    for (const path of [
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/device-authorization',
      '/me',
      '/session/end',
    ]) {
      expect(await statusOf('GET', path)).toEqual([path, 404]);
    }
    for (const path of ['/oauth/introspect', '/oauth/par', '/session/end/confirm', '/oauth/authorize']) {
      expect(await statusOf('POST', path)).toEqual([path, 404]);
    }
  });
});
