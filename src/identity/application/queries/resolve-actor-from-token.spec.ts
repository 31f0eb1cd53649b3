import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Configuration } from '#libs/configuration/configuration.js';
import type { RateLimiter } from '#libs/kernel/ports/rate-limiter.js';
import { withRequestFacts } from '#libs/kernel/request-context.js';
import { FakeProjectAccess } from '#libs/kernel/testing/fake-project-access.js';
import { TestDatabase } from '../../../../test/support/test-database.js';
import { ResolveActorFromToken } from './resolve-actor-from-token.js';

const ORIGIN = 'https://loupe.example';

/** Notes each question for a role. */
class AskedAccess extends FakeProjectAccess {
  readonly asked: string[] = [];

  override async roleOf(personId: string, projectId: string) {
    this.asked.push(`${personId} ${projectId}`);
    return super.roleOf(personId, projectId);
  }
}

describe('who a token is of', () => {
  let db: TestDatabase;
  let access: AskedAccess;
  let resolver: ResolveActorFromToken;
  let personId: string;
  const projectId = randomUUID();

  beforeAll(async () => {
    db = await TestDatabase.start();
  });
  afterAll(() => db.stop());

  beforeEach(async () => {
    personId = randomUUID();
    await db.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
       VALUES ($1, $2, $2, 'Ada', 'none', now(), now(), now())`,
      [personId, `${personId}@mail.example`],
    );
    access = new AskedAccess().add(projectId, personId);
    const limiter = { hit: async () => ({ allowed: true, retryAfterSeconds: 0 }) } as unknown as RateLimiter;
    resolver = new ResolveActorFromToken(
      Configuration.fromEnvironment({ APP_ENV: 'test', DEFAULT_URI: ORIGIN }),
      db.database,
      access,
      limiter,
    );
  });

  async function connect(bound: string | null): Promise<{ token: string; connectionId: string }> {
    const connectionId = randomUUID();
    const token = randomBytes(32).toString('base64url');
    await db.database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
       VALUES ($1, $2, 'https://agent.example/client.json', 'Agent', $5, $3, $4, now(), now() + interval '1 day')`,
      [connectionId, personId, bound, `${ORIGIN}/mcp`, bound === null ? ['mcp', 'projects'] : ['mcp']],
    );
    await db.database.query(
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
       VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
      [
        createHash('sha256').update(token).digest('hex'),
        connectionId,
        JSON.stringify({ aud: `${ORIGIN}/mcp`, scope: 'mcp' }),
      ],
    );
    return { token, connectionId };
  }

  const request = <T>(work: () => Promise<T>): Promise<T> =>
    withRequestFacts({ traceId: randomUUID(), ip: null, channel: 'mcp' }, work);
  const resolve = (token: string, named: string | null = null) =>
    request(() =>
      resolver.actorOf({ token, path: '/mcp', ip: null, projectId: named, agentSessionId: null }),
    );

  it.each([
    ['bound to a project', true],
    ['that names its project in a header', false],
  ])('asks for the role together with a token that it has seen, %s', async (_what, bound) => {
    const { token } = await connect(bound ? projectId : null);
    const named = bound ? null : projectId.toUpperCase();
    expect(await resolve(token, named)).toMatchObject({ personId });
    access.asked.length = 0;
    const answer = resolve(token, named);
    // Before the database has said anything about the token.
    expect(access.asked).toEqual([`${personId} ${projectId}`]);
    expect(await answer).toMatchObject({ personId, boundProjectId: bound ? projectId : null });
  });

  it('believes nothing that it has seen before: a role, a connection and a person may have gone', async () => {
    const first = await connect(projectId);
    expect(await resolve(first.token)).toMatchObject({ personId });
    access.setRole(projectId, personId, null);
    expect(await resolve(first.token)).toBeNull();
    access.add(projectId, personId);
    expect(await resolve(first.token)).toMatchObject({ personId });
    await db.database.query(
      `UPDATE identity.connections SET revoked_at = now(), revoked_reason = 'person' WHERE id = $1`,
      [first.connectionId],
    );
    expect(await resolve(first.token)).toBeNull();
    const second = await connect(projectId);
    expect(await resolve(second.token)).toMatchObject({ personId });
    await db.database.query('UPDATE identity.persons SET suspended_at = now() WHERE id = $1', [personId]);
    expect(await resolve(second.token)).toBeNull();
  });

  it('asks nothing ahead for a token that it does not know', async () => {
    expect(await resolve('x'.repeat(43))).toBeNull();
    expect(await resolve('x'.repeat(43))).toBeNull();
    expect(access.asked).toEqual([]);
  });

  it('lets others begin meanwhile for a token alone that was good the last time', async () => {
    let begun = 0;
    const presented = (token: string) => ({
      token,
      path: '/mcp',
      ip: null,
      projectId: null,
      agentSessionId: null,
      meanwhile: () => {
        begun += 1;
      },
    });
    const resolveAnd = (token: string) => request(() => resolver.actorOf(presented(token)));
    const { token, connectionId } = await connect(projectId);
    await resolveAnd('x'.repeat(43));
    await resolveAnd(token);
    expect(begun).toBe(0);
    await resolveAnd(token);
    expect(begun).toBe(1);
    await db.database.query(
      `UPDATE identity.connections SET revoked_at = now(), revoked_reason = 'person' WHERE id = $1`,
      [connectionId],
    );
    expect(await resolveAnd(token)).toBeNull();
    expect(begun).toBe(2);
    expect(await resolveAnd(token)).toBeNull();
    expect(begun).toBe(2);
  });
});
