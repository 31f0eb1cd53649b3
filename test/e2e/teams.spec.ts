import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { ClientSite } from '../support/agent.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  AppSignIn,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  mcp,
  newProject,
  signedIn,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import { unescapeHtml, Visitor } from '../support/visitor.js';

interface MemberAnswer {
  readonly members: { personId: string; displayName: string; role: string; version: number }[];
}

/** Several people in one project, from outside (`platform.md` 19.36 to 19.40). */
describe('a team', () => {
  let catcher: MailCatcher;
  let site: ClientSite;
  let server: LoupeServer;
  let owner: Visitor;
  let kim: Visitor;
  let kimId: string;
  let projectId: string;

  beforeAll(async () => {
    site = await ClientSite.start();
    catcher = await MailCatcher.start();
    server = await LoupeServer.start({
      env: {
        ...adminEnv,
        ...site.env,
        MAILER_DSN: catcher.dsn,
        MAILER_FROM_ADDRESS: 'loupe@mail.example',
      },
    });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    kimId = await addPerson(server, 'kim@mail.example', 'Kim Berg');
    kim = await signedIn(server.origin, 'kim@mail.example');
    projectId = await newProject(owner, 'Ferry bookings');
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
    await catcher?.stop();
  });

  const invite = async (role: string, email?: string) => {
    const { status, body } = await owner.api<{ url: string }>('POST', `/projects/${projectId}/invitations`, {
      role,
      email,
    });
    expect(status).toBe(201);
    return body.url.slice(body.url.lastIndexOf('/') + 1);
  };
  const join = async (role: string) => {
    const { status } = await kim.api('POST', `/invitations/${await invite(role)}/accept`, {});
    expect(status).toBe(200);
  };
  const setRole = async (role: string) => {
    const { body } = await owner.api<MemberAnswer>('GET', `/projects/${projectId}/members`);
    const member = body.members.find(({ personId }) => personId === kimId)!;
    const answer = await owner.api<{ role: string }>('PATCH', `/projects/${projectId}/members/${kimId}`, {
      role,
      version: member.version,
    });
    expect(answer).toMatchObject({ status: 200, body: { role } });
  };
  const outcome = async (token: string, tool: string, args: object = {}) => {
    const { status, body } = await callTool(server.origin, token, tool, args);
    return body.result?.isError ? (body.result.content?.[0]?.text ?? '') : String(status);
  };

  it('platform 19.36: an invitation for an address is refused to others, accepted once, and shows the project', async () => {
    const token = await invite('member', 'kim@mail.example');
    await addPerson(server, 'eve@mail.example', 'Eve');
    const eve = await signedIn(server.origin, 'eve@mail.example');
    expect(await eve.api('POST', `/invitations/${token}/accept`, {})).toMatchObject({
      status: 403,
      body: { error: 'wrong_address' },
    });
    expect((await kim.api('GET', `/invitations/${token}`)).body).toMatchObject({
      projectName: 'Ferry bookings',
      role: 'member',
      invitedBy: 'ada.admin',
    });
    expect((await kim.open(`/invitations/${token}`)).response.status).toBe(200);
    expect((await kim.api('POST', `/invitations/${token}/accept`, {})).body).toMatchObject({
      projectId,
      role: 'member',
    });
    const { body } = await kim.api<{ projects: { id: string }[] }>('GET', '/projects');
    expect(body.projects.map(({ id }) => id)).toContain(projectId);
    for (const visitor of [kim, eve]) {
      expect(await visitor.api('POST', `/invitations/${token}/accept`, {})).toMatchObject({
        status: 404,
        body: { error: 'invitation_gone' },
      });
    }
  });

  it('platform 3.7: who holds an invitation makes an account with its address while registration is closed', async () => {
    await owner.api('PUT', '/admin/flags/registration.enabled', { value: false });
    const token = await invite('member', 'new@mail.example');
    const stranger = new Visitor(server.origin);
    await until(async () => (await stranger.open('/register')).html.includes('switched registration off'));
    const signIn = await stranger.open(`/invitations/${token}`);
    expect(signIn.url).toContain('/login?next=');
    const path = /href="(\/register[^"]*)"/.exec(signIn.html)![1]!;
    const form = await stranger.open(unescapeHtml(path));
    expect(form.html).toContain('new@mail.example');
    const answer = await stranger.submit(form, {
      email: 'somebody.else@mail.example',
      displayName: 'New Person',
      password: 'seven quiet herons wade',
    });
    expect(answer.headers.get('location')).toBe('/check-email');
    await until(() => catcher.to('new@mail.example').length === 2, 60_000);
    const [verify] = catcher
      .to('new@mail.example')
      .map(linkOf)
      .filter((link) => link.includes('verify-email'));
    const proved = await stranger.submit(await stranger.open(verify!), {});
    expect(proved.headers.get('location')).toBe(`/invitations/${token}`);
    expect((await stranger.api('POST', `/invitations/${token}/accept`, {})).body).toMatchObject({
      projectId,
    });
    await owner.api('PUT', '/admin/flags/registration.enabled', { value: true });
  }, 90_000);

  it('platform 19.37: a viewer reads and changes nothing, by page and by agent', async () => {
    await setRole('viewer');
    const { access_token } = await AppSignIn.complete(kim, projectId);
    expect(await outcome(access_token, 'card_list')).toBe('200');
    expect(await outcome(access_token, 'card_create', { title: 'No' })).toContain(
      'Your role in this project is viewer, which may only read.',
    );
    const { access_token: own } = await AppSignIn.complete(owner, projectId);
    const toolsOf = async (token: string) =>
      (await mcp(server.origin, token, 'tools/list')).body.result?.tools?.map(({ name }) => name);
    expect(await toolsOf(access_token)).toEqual(await toolsOf(own));
    expect((await kim.api('POST', `/projects/${projectId}/documents`, {})).status).toBe(403);
    expect((await kim.api('GET', `/projects/${projectId}/board`)).status).toBe(200);
  });

  it('platform 19.38: a member works, a maintainer administers, the owner alone deletes and transfers', async () => {
    const { access_token } = await AppSignIn.complete(kim, projectId);
    await setRole('member');
    expect(await outcome(access_token, 'card_create', { title: 'Seats by keyboard', body: '' })).toBe('200');
    const refused = 'This needs the maintainer role';
    expect(await outcome(access_token, 'project_update', { description: 'No' })).toContain(refused);
    expect(await outcome(access_token, 'column_create', { label: 'No' })).toContain(refused);
    await setRole('maintainer');
    expect(await outcome(access_token, 'project_update', { description: 'Yes' })).toBe('200');
    expect(await outcome(access_token, 'column_create', { label: 'Checked' })).toBe('200');
    expect(
      (await kim.api('POST', `/projects/${projectId}/delete`, { typedName: 'Ferry bookings' })).status,
    ).toBe(403);
    expect((await kim.api('POST', `/projects/${projectId}/transfer`, { personId: kimId })).status).toBe(403);
  });

  it('platform 19.39: removing a member ends pages, bound connections and the cover of the CLI at once', async () => {
    const other = await newProject(kim, 'Own things');
    const { access_token } = await AppSignIn.complete(kim, projectId);
    const device = await DeviceClient.start(server.origin, 'laptop');
    await kim.submit(await kim.open(device.verificationUriComplete), { answer: 'allow' });
    const cli = (await device.poll()).access_token;
    const here = (project: string) =>
      callTool(server.origin, cli, 'card_list', {}, { 'loupe-project-id': project });
    expect((await here(projectId)).status).toBe(200);
    expect(await outcome(access_token, 'card_list')).toBe('200');

    const page = await kim.request(`/api/live?topics=project:${projectId}`);
    const stream = page.body!.getReader();
    const ended = (async () => {
      for (;;) {
        const { done, value } = await stream.read();
        if (done || new TextDecoder().decode(value).includes('closed')) return true;
      }
    })();
    expect((await owner.api('DELETE', `/projects/${projectId}/members/${kimId}`)).status).toBe(204);

    expect((await kim.open(`/projects/${projectId}`)).response.status).toBe(404);
    expect((await kim.api('GET', `/projects/${projectId}/board`)).status).toBe(404);
    expect((await callTool(server.origin, access_token, 'card_list')).status).toBe(401);
    const refused = await here(projectId);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining('project_not_covered'),
    ]);
    expect((await here(other)).status).toBe(200);
    expect(await ended).toBe(true);
    await until(async () => {
      const { body } = await kim.api<{ groups?: unknown }>('GET', '/account/connections');
      return !JSON.stringify(body).includes(projectId);
    });
  }, 60_000);

  it('platform 19.40: after a transfer no app has to sign in again, and the old owner is maintainer', async () => {
    await join('viewer');
    const { access_token } = await AppSignIn.complete(owner, projectId);
    expect(await owner.api('POST', `/projects/${projectId}/transfer`, { personId: kimId })).toMatchObject({
      status: 200,
      body: { role: 'maintainer', ownerName: 'Kim Berg' },
    });
    expect(await outcome(access_token, 'project_update', { description: 'Still' })).toBe('200');
    expect((await owner.api('POST', `/projects/${projectId}/transfer`, { personId: kimId })).status).toBe(
      403,
    );
    expect((await kim.api('GET', `/projects/${projectId}`)).body).toMatchObject({ role: 'owner' });
  });
});
