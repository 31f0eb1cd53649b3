import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { D, OAuthApp, type SignedInPerson } from '../../testing/oauth-app.js';
import {
  CLIENT_ID,
  ClientSite,
  callMcp,
  clientDocument,
  SignInAttempt,
  type Tokens,
} from '../../testing/oauth-client.js';

describe('/api/admin/apps', () => {
  let test: TestDatabase;
  let site: ClientSite;
  let app: OAuthApp;
  let admin: SignedInPerson;
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
    await test.database.query('TRUNCATE identity.persons, identity.blocked_clients CASCADE');
    await test.database.query('TRUNCATE platform.rate_limits');
    [admin, person] = [await app.person(), await app.person()];
    await test.database.query('UPDATE identity.persons SET is_admin = true WHERE id = $1', [admin.id]);
    project = new UuidV7Ids().next();
    app.access.add(project, person.id);
    app.audit.entries.length = 0;
    app.outbox.events.length = 0;
    app.mailer.sent.length = 0;
  });

  const csrfOf = async (who: SignedInPerson): Promise<string> => {
    const page = await (await app.fetch('/oauth/device', { headers: { cookie: who.cookie } })).text();
    return /name="_csrf" value="([^"]*)"/.exec(page)![1]!;
  };
  const act = async (what: string, body: object, who = admin) =>
    app.fetch(`/api/admin/apps/${what}`, {
      method: 'POST',
      headers: {
        cookie: who.cookie,
        'content-type': 'application/json',
        'loupe-csrf-token': await csrfOf(who),
      },
      body: JSON.stringify(body),
    });
  const list = async () => {
    const answer = await app.fetch('/api/admin/apps', { headers: { cookie: admin.cookie } });
    return ((await answer.json()) as { apps: Record<string, unknown>[] }).apps;
  };
  const refresh = (tokens: Tokens) =>
    app.postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: CLIENT_ID,
      refresh_token: tokens.refresh_token,
    });

  it('platform 6: names every app with its connections; a self-given name counts as not verified', async () => {
    await new SignInAttempt(app, person).tokens(project);
    await new SignInAttempt(app, person).tokens(project);
    expect(await list()).toMatchObject([
      {
        clientId: CLIENT_ID,
        clientName: 'Night Shift Coder',
        clientHost: new URL(CLIENT_ID).host,
        verified: false,
        connections: 2,
        people: 1,
        blockedAt: null,
      },
    ]);
  });

  it('identity 3: a blocked app starts no sign-in and its connections refuse; unblocked, they work again', async () => {
    const tokens = await new SignInAttempt(app, person).tokens(project);
    expect(await (await act('block', { clientId: CLIENT_ID })).json()).toEqual({ changed: true });
    expect(await (await act('block', { clientId: CLIENT_ID })).json()).toEqual({ changed: false });
    expect((await callMcp(app, tokens.access_token)).status).toBe(401);
    const refused = await refresh(tokens);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ]);
    const page = await app.fetch(new SignInAttempt(app, person).authorizePath, {
      headers: { cookie: person.cookie },
    });
    expect([page.status, (await page.text()).includes('has blocked this app')]).toEqual([400, true]);
    expect((await list())[0]).toMatchObject({ connections: 1, blockedAt: expect.any(String) });

    await act('unblock', { clientId: CLIENT_ID });
    expect((await callMcp(app, tokens.access_token)).status).toBe(201);
    expect((await refresh(tokens)).status).toBe(200);
    expect(app.audit.entries.map(({ operation }) => operation)).toEqual([
      'connection.granted',
      'client.blocked',
      'client.unblocked',
    ]);
    expect(
      app.signals.sent.some(({ channel, cause }) => channel === 'access' && cause === 'ClientBlocked'),
    ).toBe(true);
  });

  it('a blocked app stays in the list without a connection, and the command line can be blocked too', async () => {
    await act('block', { clientId: 'loupe-cli' });
    const begun = await app.postForm('/oauth/device-authorization', { client_id: 'loupe-cli' });
    expect(begun.status).toBe(400);
    expect(await list()).toMatchObject([{ clientId: 'loupe-cli', connections: 0, verified: true }]);
  });

  it('revokes every connection of an app, of whomever', async () => {
    const tokens = await new SignInAttempt(app, person).tokens(project);
    expect(await (await act('revoke', { clientId: CLIENT_ID })).json()).toEqual({ revoked: 1 });
    expect((await callMcp(app, tokens.access_token)).status).toBe(401);
    expect(await (await act('revoke', { clientId: CLIENT_ID })).json()).toEqual({ revoked: 0 });
    expect(await list()).toEqual([]);
  });

  it('refuses what is no app, and does not exist for others', async () => {
    for (const clientId of [
      '',
      'no app',
      'http://plain.example/x',
      `https://long.example/${'x'.repeat(2_100)}`,
    ]) {
      expect((await act('block', { clientId })).status).toBe(422);
    }
    expect((await act('block', { clientId: CLIENT_ID }, person)).status).toBe(404);
    expect((await app.fetch('/api/admin/apps', { headers: { cookie: person.cookie } })).status).toBe(404);
    expect((await app.fetch('/api/admin/apps')).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('identity 5.7: whoever may have lost a refresh token gets one mail, also when the event comes twice', async () => {
    const listener = app.listeners.kept.get('identity-tell-of-reuse')!;
    const event = (reason: string) => ({
      id: new UuidV7Ids().next(),
      type: 'ConnectionRevoked',
      version: 1,
      aggregateId: 'c',
      projectId: project,
      personId: person.id,
      payload: { reason },
      actor: { kind: 'system' as const, id: null },
      occurredAt: new Date(),
    });
    await listener.handle(event('person'));
    expect(app.mailer.sent).toEqual([]);
    const reuse = event('refresh-reuse');
    await listener.handle(reuse);
    await listener.handle(reuse);
    expect(app.mailer.sent).toHaveLength(1);
    expect(app.mailer.lastTo(person.email).action!.url).toBe(`${D}/account/connected-apps`);
  });
});
