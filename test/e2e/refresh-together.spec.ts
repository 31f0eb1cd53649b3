import { freePort } from '#libs/configuration/loopback-ports.js';
import { LoupeServer } from '../support/loupe-server.js';
import { Visitor } from '../support/visitor.js';

const EMAIL = 'ines.marlow@example.com';
const PASSWORD = 'four unrelated words here';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

describe('one stored login used by many processes', () => {
  let first: LoupeServer;
  let second: LoupeServer;

  beforeAll(async () => {
    const port = await freePort();
    const env = {
      DEFAULT_URI: `http://localhost:${port}`,
      LOUPE_ADMIN_EMAIL: EMAIL,
      LOUPE_ADMIN_PASSWORD: PASSWORD,
    };
    first = await LoupeServer.start({ port, env });
    second = await LoupeServer.start({ beside: first, env });
  });

  afterAll(async () => {
    await second?.stop();
    await first?.stop();
  });

  const post = (server: LoupeServer, path: string, form: Record<string, string>): Promise<Response> =>
    fetch(`${server.origin}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'loupe-cli', ...form }),
    });
  const refresh = (server: LoupeServer, token: string): Promise<Response> =>
    post(server, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
  const me = async (server: LoupeServer, { access_token: token }: Tokens): Promise<number> =>
    (await fetch(`${server.origin}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status;

  const signIn = async (): Promise<Tokens> => {
    const person = new Visitor(first.origin);
    const login = await person.open('/login');
    expect((await person.submit(login, { email: EMAIL, password: PASSWORD })).status).toBe(303);
    const begun = await post(first, '/oauth/device-authorization', { device_name: 'build-mac' });
    const device = (await begun.json()) as { device_code: string; user_code: string };
    // The device began at one process and asks for its tokens at the other.
    const page = await person.open(`/oauth/device?user_code=${device.user_code}`);
    expect((await person.submit(page, { answer: 'allow' })).status).toBe(200);
    const answer = await post(second, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
    });
    return (await answer.json()) as Tokens;
  };

  it('identity 12.11 and 12.13: ten refreshes at once over two processes each get a pair; one too many ends all of them everywhere', async () => {
    const login = await signIn();
    const used = (await (await refresh(first, login.refresh_token)).json()) as Tokens;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => refresh(n % 2 === 0 ? first : second, login.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const pairs = (await Promise.all(answers.map((answer) => answer.json()))) as Tokens[];
    for (const [n, pair] of pairs.entries()) expect(await me(n % 2 === 0 ? second : first, pair)).toBe(200);
    expect((await refresh(second, login.refresh_token)).status).toBe(400);
    for (const server of [first, second]) {
      for (const pair of [login, used, ...pairs]) expect(await me(server, pair)).toBe(401);
    }
  });

  it('keeps a login over the death of the process that gave it', async () => {
    const login = await signIn();
    await second.kill();
    second = await second.restarted();
    const next = (await (await refresh(second, login.refresh_token)).json()) as Tokens;
    expect(await me(second, next)).toBe(200);
  });
});
