import { UuidV7Ids } from '#libs/kernel/ids.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { WIDGET_CLIENT_ID } from '../../domain/oauth-client.js';
import { D, OAuthApp, type SignedInPerson } from '../../testing/oauth-app.js';
import { CLIENT_ID, ClientSite, callMcp, clientDocument, SignInAttempt } from '../../testing/oauth-client.js';

describe('consent page', () => {
  let test: TestDatabase;
  let site: ClientSite;
  let app: OAuthApp;
  let person: SignedInPerson;

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
    person = await app.person('ines.marlow@example.com');
    app.audit.entries.length = 0;
    app.outbox.events.length = 0;
  });

  afterEach(() => test.database.query('TRUNCATE identity.persons CASCADE'));

  const newProject = (name: string, ownerId = person.id): string => {
    const id = new UuidV7Ids().next();
    app.access.add(id, ownerId, {}, name);
    return id;
  };
  const connections = async (): Promise<number> =>
    (await test.database.query('SELECT 1 FROM identity.connections')).length;

  it('sends a visitor to the sign-in and back', async () => {
    const attempt = new SignInAttempt(app, null);
    const consent = await attempt.begin();
    const response = await attempt.call(consent);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/login?next=${encodeURIComponent(consent)}`,
    ]);
  });

  it('identity 12.31: works without scripts, names everything, and sends the headers of a consent page', async () => {
    newProject('Harbour & signage');
    const attempt = new SignInAttempt(app, person);
    const { response, text } = await attempt.open(await attempt.begin());
    expect(text).not.toMatch(/<script(?! src="\/assets\/theme\.js">)/);
    expect(text).toContain(
      '<span class="faint">https://</span><b>client.example</b><span class="faint">/oauth/client.json</span>',
    );
    expect(text).toContain('Not verified');
    expect(text).toContain('Harbour &amp; signage');
    expect(text).toContain('You own it');
    expect(text).toContain('ines.marlow@example.com');
    expect(text).toContain('Use another account');
    expect(text).toContain('<code>localhost</code> on this computer');
    expect(text).toContain('Allow only a connection that you started.');
    // Focus starts on the heading, and Enter presses a button that answers nothing.
    expect(text).toMatch(/<h1 tabindex="-1" autofocus>/);
    expect(/<form class="gate__form".*?name="answer" value="([^"]*)"/s.exec(text)?.[1]).toBe('');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://localhost:43210");
    expect(response.headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('marks a trusted app by its host alone, and warns only when every address is loopback', async () => {
    const clientId = 'https://client.example/oauth/trusted.json';
    const redirect = 'https://client.example/back';
    site.document(
      '/oauth/trusted.json',
      clientDocument({ client_id: clientId, redirect_uris: [redirect, 'http://localhost/x'] }),
    );
    newProject('Ferry bookings');
    const trusting = await OAuthApp.start(test.database, {
      env: { LOUPE_TEST_HOST_MAP: site.hostMap, OAUTH_TRUSTED_CLIENT_IDS: clientId },
      access: app.access,
    });
    const attempt = new SignInAttempt(trusting, person, { clientId, redirectUri: redirect });
    const { text } = await attempt.open(await attempt.begin());
    await trusting.close();
    expect(text).toContain('Trusted by this instance');
    expect(text).not.toContain('Night Shift Coder');
    expect(text).not.toContain('trusted.json');
    expect(text).not.toContain('Did you just start this?');
  });

  it('chooses nothing when there are several projects, and asks again when nothing was chosen', async () => {
    newProject('Ferry bookings');
    const second = newProject('Harbour signage');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { text, csrf } = await attempt.open(consent);
    expect(text).not.toContain(' checked');
    const again = await attempt.answer(consent, csrf, { answer: 'allow' });
    expect(again.status).toBe(422);
    expect(await again.text()).toContain('Choose the project that this app may use.');
    expect(await connections()).toBe(0);
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'allow', project: second }));
    expect(url.searchParams.get('code')).toBeTruthy();
  });

  it('preselects the only project, and ignores a project that the app names', async () => {
    const own = newProject('Ferry bookings');
    const foreign = newProject('Foreign', new UuidV7Ids().next());
    const attempt = new SignInAttempt(app, person, { parameters: { project: foreign } });
    const consent = await attempt.begin();
    const { text, csrf } = await attempt.open(consent);
    expect(text).toContain(`value="${own}" required checked`);
    expect(text).not.toContain('Foreign');
    const refused = await attempt.answer(consent, csrf, { answer: 'allow', project: foreign });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('That project is no longer open to you.'),
    ]);
    expect(await connections()).toBe(0);
  });

  it('offers to create a project when there is none, and no way to allow', async () => {
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { text } = await attempt.open(consent);
    expect(text).toContain(`/projects/new?next=${encodeURIComponent(consent)}`);
    expect(text).not.toContain('value="allow"');
  });

  it('filters and pages a long list on the server', async () => {
    for (let n = 1; n <= 120; n += 1) newProject(`Vessel ${String(n).padStart(3, '0')}`);
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const first = await attempt.open(consent);
    expect(first.text.match(/type="radio"/g)?.length).toBe(50);
    expect(first.text).toContain('More projects');
    const last = await attempt.open(`${consent}?q=&page=3`);
    expect(last.text).toContain('Vessel 120');
    expect(last.text).toContain('Previous projects');
    const filtered = await attempt.open(`${consent}?q=${encodeURIComponent('vessel 07')}`);
    expect(filtered.text.match(/type="radio"/g)?.length).toBe(10);
    const none = await attempt.open(`${consent}?q=${encodeURIComponent('<zzz>')}`);
    expect(none.text).toContain('No project matches “<bdi>&lt;zzz&gt;</bdi>”');
  });

  it('lets a viewer bind a project, as the role says', async () => {
    const shared = new UuidV7Ids().next();
    app.access.add(shared, new UuidV7Ids().next(), { [person.id]: 'viewer' }, 'Shared');
    const attempt = new SignInAttempt(app, person);
    const { text } = await attempt.open(await attempt.begin());
    expect(text).toContain('You are a viewer');
    expect((await attempt.tokens(shared)).scope).toBe('mcp');
  });

  it('shows the page again, with the choice, when neither button was pressed', async () => {
    newProject('Ferry bookings');
    const second = newProject('Harbour signage');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const again = await attempt.answer(consent, csrf, { answer: '', project: second });
    expect([again.status, await again.text()]).toEqual([
      200,
      expect.stringContaining(`value="${second}" required checked`),
    ]);
    expect(await connections()).toBe(0);
  });

  it('tells the app when the person denies, and grants nothing', async () => {
    newProject('Ferry bookings');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'deny' }));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: attempt.state,
      iss: D,
    });
    expect(await connections()).toBe(0);
    expect(app.audit.entries.map(({ operation }) => operation)).toEqual(['connection.denied']);
  });

  it('is answered once: of two answers the first counts and the second is told so', async () => {
    const project = newProject('Ferry bookings');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const answers = await Promise.all([
      attempt.answer(consent, csrf, { answer: 'allow', project }),
      attempt.answer(consent, csrf, { answer: 'allow', project }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const loser = answers.find(({ status }) => status === 409)!;
    expect(await loser.text()).toContain('This request was already answered.');
    await attempt.back(answers.find(({ status }) => status === 303)!);
    const late = await attempt.answer(consent, csrf, { answer: 'deny' });
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('already answered')]);
    expect(await connections()).toBe(1);
  });

  it('says that a request expired, for an old one and for one of another browser', async () => {
    const project = newProject('Ferry bookings');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const stranger = new SignInAttempt(app, person);
    const foreign = await stranger.answer(consent, csrf, { answer: 'allow', project });
    expect([foreign.status, await foreign.text()]).toEqual([
      409,
      expect.stringContaining('This request expired. Start again in the app.'),
    ]);
    await test.database.query(
      "UPDATE identity.oauth_artefacts SET expires_at = now() WHERE model = 'Interaction'",
    );
    const late = await attempt.answer(consent, csrf, { answer: 'allow', project });
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('This request expired.')]);
    expect(await connections()).toBe(0);
  });

  it('checks again at the answer: project deleted, membership ended, person suspended, form forged', async () => {
    const project = newProject('Ferry bookings');
    const shared = new UuidV7Ids().next();
    app.access.add(shared, new UuidV7Ids().next(), { [person.id]: 'member' }, 'Shared');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    expect((await attempt.answer(consent, 'wrong', { answer: 'allow', project })).status).toBe(403);
    app.access.delete(project);
    expect((await attempt.answer(consent, csrf, { answer: 'allow', project })).status).toBe(422);
    app.access.setRole(shared, person.id, null);
    expect((await attempt.answer(consent, csrf, { answer: 'allow', project: shared })).status).toBe(422);
    await test.database.query('UPDATE identity.persons SET suspended_at = now()');
    const suspended = await attempt.answer(consent, csrf, { answer: 'allow', project: shared });
    expect(suspended.headers.get('location') ?? '').toContain('/login');
    expect(await connections()).toBe(0);
  });

  it('denies when the person was suspended between the answer and the way back', async () => {
    const project = newProject('Ferry bookings');
    const attempt = new SignInAttempt(app, person);
    const consent = await attempt.begin();
    const { csrf } = await attempt.open(consent);
    const answered = await attempt.answer(consent, csrf, { answer: 'allow', project });
    await test.database.query('UPDATE identity.persons SET suspended_at = now()');
    const url = await attempt.back(answered);
    expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual(['access_denied', null]);
  });

  it('goes on when the server is started anew between any two steps', async () => {
    const project = newProject('Ferry bookings');
    const attempt = new SignInAttempt(app, person);
    const started: OAuthApp[] = [];
    const restart = async (): Promise<void> => {
      const fresh = await OAuthApp.start(test.database, {
        env: { LOUPE_TEST_HOST_MAP: site.hostMap },
        access: app.access,
      });
      started.push(fresh);
      attempt.app = fresh;
    };
    const consent = await attempt.begin();
    await restart();
    const { csrf } = await attempt.open(consent);
    await restart();
    const answered = await attempt.answer(consent, csrf, { answer: 'allow', project });
    await restart();
    const code = (await attempt.back(answered)).searchParams.get('code')!;
    await restart();
    const tokens = (await (await attempt.exchange(code)).json()) as {
      access_token: string;
      refresh_token: string;
    };
    await restart();
    expect((await callMcp(attempt.app, tokens.access_token)).status).toBe(201);
    const refreshed = await attempt.app.postForm('/oauth/token', {
      grant_type: 'refresh_token',
      client_id: CLIENT_ID,
      refresh_token: tokens.refresh_token,
    });
    expect(refreshed.status).toBe(200);
    await Promise.all(started.map((each) => each.close()));
  });

  it('shows project and site of the widget as text, checks both, and records the origin', async () => {
    const project = newProject('Ferry bookings');
    const origin = 'https://staging.ferry.example';
    const widget = (parameters: Record<string, string>): SignInAttempt =>
      new SignInAttempt(app, person, {
        clientId: WIDGET_CLIENT_ID,
        redirectUri: `${D}/oauth/widget/callback`,
        parameters: { scope: 'site-review', resource: null, project, origin, ...parameters },
      });
    const unlisted = widget({});
    const page = await unlisted.open(await unlisted.begin());
    expect([page.response.status, page.text]).toEqual([
      403,
      expect.stringContaining(`Add ${origin} in the project`),
    ]);
    app.projects.origins.add(`${project} ${origin}`);
    const foreign = widget({ project: newProject('Foreign', new UuidV7Ids().next()) });
    expect((await foreign.open(await foreign.begin())).text).toContain(
      'Your account cannot review this project.',
    );
    const attempt = widget({});
    const consent = await attempt.begin();
    const { text, csrf } = await attempt.open(consent);
    expect(text).toContain(`<code>${origin}</code>`);
    expect(text).not.toContain('type="radio"');
    const url = await attempt.back(await attempt.answer(consent, csrf, { answer: 'allow' }));
    const code = url.searchParams.get('code')!;
    const wrong = await attempt.exchange(code, {}, { origin: 'https://evil.example' });
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    const preflight = await app.fetch('/oauth/token', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const exchanged = await attempt.exchange(code, {}, { origin });
    expect([exchanged.status, exchanged.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    const { access_token: token } = (await exchanged.json()) as { access_token: string };
    const me = await app.fetch('/api/me', { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(403);
    expect(me.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="agent"');
  });
});
