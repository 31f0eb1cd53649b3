import { ClientSite } from '../support/agent.js';
import { DeviceClient } from '../support/device-client.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  AppSignIn,
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  mcp,
  newProject,
  refresh,
  signedIn,
  sql,
  type TokenPair,
} from '../support/settled-server.js';
import type { Visitor } from '../support/visitor.js';

/** Sign-ins of agents while processes come and go: nothing of a sign-in lives in a process. */
describe('sign-ins over restarts and over two processes', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let other: LoupeServer;
  let admin: Visitor;
  let projectId: string;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    other = await LoupeServer.start({ beside: server, env: { ...site.env, DEFAULT_URI: server.url } });
    admin = await signedIn(server.origin);
    await liftRateLimit(admin);
    projectId = await newProject(admin, 'Over restarts');
  }, 120_000);

  afterAll(async () => {
    await other?.stop();
    await server?.stop();
    await site?.stop();
  });

  async function worksOn(origin: string, tokens: Partial<TokenPair>): Promise<unknown> {
    const { body } = await callTool(origin, tokens.access_token ?? null, 'project_current');
    return body.result?.structuredContent?.id;
  }

  it.each([
    ['in order', async () => void (await server.terminate())],
    ['by kill -9', async () => server.kill()],
  ])(
    'goes on when the server is stopped %s between consent and code, code and token, token and refresh',
    async (_, stop) => {
      const restart = async () => {
        await stop();
        server = await server.restarted();
      };
      const signIn = new AppSignIn(admin);
      await signIn.ask();
      await restart();
      await signIn.allow(projectId);
      await restart();
      await signIn.wayBack();
      await restart();
      const tokens = await signIn.exchange();
      await restart();
      expect(await worksOn(server.origin, tokens)).toBe(projectId);
      const next = await refresh(server.origin, tokens.refresh_token);
      expect(next.status).toBe(200);
      await restart();
      expect(await worksOn(server.origin, next.body)).toBe(projectId);
      expect((await refresh(server.origin, next.body.refresh_token!)).status).toBe(200);
    },
    120_000,
  );

  it('goes on when the server is stopped between device code, Allow and poll', async () => {
    const device = await DeviceClient.start(server.origin, 'build-mac');
    await server.kill();
    server = await server.restarted();
    await admin.submit(await admin.open(device.verificationUriComplete), { answer: 'allow' });
    await server.kill();
    server = await server.restarted();
    const tokens = await device.poll();
    expect((await refresh(server.origin, tokens.refresh_token, 'loupe-cli')).status).toBe(200);
  }, 60_000);

  it('does each step of one sign-in on another process than the step before', async () => {
    const signIn = new AppSignIn(admin);
    await signIn.ask();
    await signIn.allow(projectId);
    await signIn.wayBack();
    const tokens = await signIn.exchange(other.origin);
    const next = await refresh(server.origin, tokens.refresh_token);
    expect((await refresh(other.origin, next.body.refresh_token!)).status).toBe(200);
  });

  it('identity 12.11: ten processes refresh one token at once over two servers, and all go on working', async () => {
    const tokens = await AppSignIn.complete(admin, projectId);
    const pairs = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        refresh((at % 2 === 0 ? server : other).origin, tokens.refresh_token),
      ),
    );
    expect(pairs.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const uses = await Promise.all(
      pairs.map(({ body }, at) => worksOn((at % 2 === 0 ? other : server).origin, body)),
    );
    expect(uses).toEqual(Array(10).fill(projectId));
    const again = await Promise.all(
      pairs.map(({ body }, at) => refresh((at % 2 === 0 ? other : server).origin, body.refresh_token!)),
    );
    expect(again.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(again.map(({ body }) => body.refresh_token)).size).toBe(10);
  });

  it('identity 12.13: revoked in Connected apps on one process, the connection is 401 on the other at once', async () => {
    const tokens = await AppSignIn.complete(admin, projectId);
    expect(await worksOn(other.origin, tokens)).toBe(projectId);
    const { body } = await admin.api<{ groups: { connections: { id: string; createdAt: string }[] }[] }>(
      'GET',
      '/account/connections',
    );
    const [newest] = body.groups
      .flatMap(({ connections }) => connections)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    expect((await admin.api('DELETE', `/account/connections/${newest!.id}`)).status).toBe(204);
    const refused = await mcp(other.origin, tokens.access_token, 'tools/list');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await refresh(other.origin, tokens.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('identity 12.18: initialize on one process and tools/call on the other, and after both were restarted', async () => {
    const tokens = await AppSignIn.complete(admin, projectId);
    const initialize = () =>
      mcp(server.origin, tokens.access_token, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'wanderer', version: '1' },
      });
    const { headers, body } = await initialize();
    expect(body.result?.protocolVersion).toBe('2025-11-25');
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(await worksOn(other.origin, tokens)).toBe(projectId);
    await initialize();
    await Promise.all([server.terminate(), other.terminate()]);
    [server, other] = await Promise.all([server.restarted(), other.restarted()]);
    expect(await worksOn(other.origin, tokens)).toBe(projectId);
    expect(await worksOn(server.origin, tokens)).toBe(projectId);
  }, 60_000);

  it('identity 12.32: after a person is out of the project, the bound connection is 401 on every process', async () => {
    const email = 'mia.member@mail.example';
    const memberId = await addPerson(server, email, 'mia.member');
    await addMember(server, projectId, memberId, 'member');
    const member = await signedIn(server.origin, email);
    const tokens = await AppSignIn.complete(member, projectId);
    for (const { origin } of [server, other]) expect(await worksOn(origin, tokens)).toBe(projectId);
    await sql(server, 'DELETE FROM projects.memberships WHERE project_id = $1 AND person_id = $2', [
      projectId,
      memberId,
    ]);
    for (const { origin } of [server, other]) {
      expect((await mcp(origin, tokens.access_token, 'tools/list')).status).toBe(401);
    }
    expect((await refresh(other.origin, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('identity 10: of a person who is suspended on one process the next call on the other is 401', async () => {
    const email = 'sue.suspended@mail.example';
    const id = await addPerson(server, email, 'sue.suspended');
    await addMember(server, projectId, id, 'member');
    const person = await signedIn(server.origin, email);
    const tokens = await AppSignIn.complete(person, projectId);
    expect(await worksOn(other.origin, tokens)).toBe(projectId);
    await sql(server, 'UPDATE identity.persons SET suspended_at = now() WHERE id = $1', [id]);
    expect((await mcp(other.origin, tokens.access_token, 'tools/list')).status).toBe(401);
    expect((await person.request(`${other.origin}/api/session`)).status).toBe(401);
    await sql(server, 'UPDATE identity.persons SET suspended_at = NULL WHERE id = $1', [id]);
    expect((await refresh(other.origin, tokens.refresh_token)).status).toBe(200);
  });
});
