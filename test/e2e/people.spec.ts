import { linkOf, MailCatcher } from '#libs/mail/testing/mail-catcher.js';
import { LoupeServer } from '../support/loupe-server.js';
import { ADMIN, adminEnv, newProject, signedIn, sql } from '../support/settled-server.js';
import { until } from '../support/until.js';
import { Visitor } from '../support/visitor.js';

const PASSWORD = 'seven quiet herons wade';

/** Two processes on one database, as behind a load balancer. */
describe('people, on two processes', () => {
  let catcher: MailCatcher;
  let servers: LoupeServer[];

  beforeAll(async () => {
    catcher = await MailCatcher.start();
    const env = {
      ...adminEnv,
      DEFAULT_URI: 'http://localhost:3999',
      MAILER_DSN: catcher.dsn,
      MAILER_FROM_ADDRESS: 'loupe@example.com',
    };
    const first = await LoupeServer.start({ env });
    servers = [first, await LoupeServer.start({ beside: first, env: { ...env, LOUPE_ROLE: 'web' } })];
  }, 120_000);

  afterAll(async () => {
    await servers?.[1]?.stop();
    await servers?.[0]?.stop();
    await catcher?.stop();
  });

  /** The processes in turn. */
  const origin = (n: number): string => servers[n % 2]!.origin;
  /** Sends the one form of a page as a fresh visitor from an address. */
  const send = async (
    n: number,
    path: string,
    fields: Record<string, string>,
    ip: string,
  ): Promise<{ status: number; visitor: Visitor }> => {
    const visitor = new Visitor(origin(n), { 'x-forwarded-for': ip });
    const answer = await visitor.submit(await visitor.open(path), fields);
    return { status: answer.status, visitor };
  };

  it('identity 8: wrong passwords, registrations and wishes for links are counted over both', async () => {
    const guesses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const fields = { email: ADMIN.email, password: `guess number ${n}` };
      guesses.push((await send(n, '/login', fields, '198.51.100.1')).status);
    }
    expect(guesses.slice(0, 9)).toEqual(Array(9).fill(422));
    expect(guesses.slice(-2)).toEqual([429, 429]);
    // The right password does not help any more, from there.
    const right = { email: ADMIN.email, password: ADMIN.password };
    expect((await send(0, '/login', right, '198.51.100.1')).status).toBe(429);
    expect((await send(1, '/login', right, '198.51.100.2')).status).toBe(303);

    const registrations: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const fields = { email: `p${n}@example.com`, displayName: 'P', password: PASSWORD };
      registrations.push((await send(n, '/register', fields, '198.51.100.3')).status);
    }
    expect(registrations).toEqual([303, 303, 303, 303, 303, 429]);

    const wishes: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const fields = { email: `nobody${n}@example.com` };
      wishes.push((await send(n, '/forgot-password', fields, '198.51.100.4')).status);
    }
    expect(wishes).toEqual([200, 200, 200, 200, 200, 429]);
  }, 120_000);

  it('identity 12.24: of two processes that get one link at once, one takes it', async () => {
    await send(0, '/forgot-password', { email: ADMIN.email }, '198.51.100.5');
    await until(() => catcher.to(ADMIN.email).length > 0, 30_000);
    const link = linkOf(catcher.to(ADMIN.email)[0]!);
    const statuses = await Promise.all(
      [0, 1].map(async (n) => {
        const visitor = new Visitor(origin(n));
        const page = await visitor.open(link);
        return (await visitor.submit(page, { password: ADMIN.password })).status;
      }),
    );
    expect(statuses.sort()).toEqual([303, 404]);
  }, 60_000);

  it('identity 12.29, platform bad day: a deleted account is purged once, though the worker is killed at that moment', async () => {
    const email = 'leaving@example.com';
    const fields = { email, displayName: 'Leaving Soon', password: PASSWORD };
    await send(0, '/register', fields, '198.51.100.6');
    await until(() => catcher.to(email).length > 0, 30_000);
    const visitor = new Visitor(origin(1));
    await visitor.submit(await visitor.open(linkOf(catcher.to(email)[0]!)), {});
    const { body } = await visitor.api<{ id: string }>('GET', '/account');
    const project = await newProject(visitor, 'Ferry bookings');
    const admin = await signedIn(origin(1));
    await admin.api('POST', `/admin/people/${body.id}/suspend`, { reason: 'for a moment' });
    await admin.api('POST', `/admin/people/${body.id}/reinstate`);
    const again = await signedIn(origin(1), email, PASSWORD);

    expect((await again.api('POST', '/account/delete', { email })).status).toBe(202);
    await servers[0]!.kill();
    servers[0] = await servers[0]!.restarted();
    const rows = (text: string, value = body.id) => sql(servers[0]!, text, [value]);
    await until(
      async () => (await rows('SELECT 1 FROM identity.persons WHERE id = $1')).length === 0,
      90_000,
    );
    expect(await rows('SELECT 1 FROM platform.audit_events WHERE actor_id = $1')).toEqual([]);
    const kept = await rows(
      'SELECT operation, actor_kind, actor_name FROM platform.audit_events WHERE subject_id = $1::text ORDER BY at, id',
    );
    expect(kept.map(({ operation }) => operation)).toEqual([
      'person.registered',
      'person.verified',
      'person.suspended',
      'person.reinstated',
      'person.deleted',
    ]);
    expect(JSON.stringify(kept)).not.toContain('Leaving Soon');
    await until(async () => {
      const { status } = await admin.api('GET', `/admin/people/${body.id}`);
      const [left] = await rows('SELECT deleted_at FROM projects.projects WHERE id = $1', project);
      return status === 404 && (left === undefined || left.deleted_at !== null);
    }, 90_000);
    await until(() => catcher.to(email).some(({ subject }) => subject?.includes('is deleted')), 60_000);
    expect(catcher.to(email).filter(({ subject }) => subject?.includes('is deleted'))).toHaveLength(1);
  }, 240_000);
});
