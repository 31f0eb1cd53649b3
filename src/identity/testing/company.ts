import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface Employee {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[] | string;
}

const CLIENT = { id: 'loupe', secret: 'a secret of the client that is long enough' };

/**
 * A real issuer on this machine. Whoever `signedIn` names at the moment is signed in there; nobody is asked. What the
 * browser sends is kept in `asked`.
 */
export class Company {
  signedIn: string | null = null;
  /** The person refuses at the issuer. */
  refuses = false;
  readonly asked: URL[] = [];
  private readonly employees = new Map<string, Employee>();
  private server: Server | null = null;

  private constructor(
    readonly issuer: string,
    private readonly port: number,
  ) {}

  static async start(loupe = 'http://localhost:3000'): Promise<Company> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const company = new Company(`http://127.0.0.1:${port}`, port);
    const provider = new Provider(company.issuer, company.settings(loupe));
    provider.on('server_error', (_ctx, error) => process.stderr.write(`${error.stack}\n`));
    const callback = provider.callback();
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', company.issuer);
      company.asked.push(url);
      if (!url.pathname.startsWith('/interaction/')) return void callback(request, response);
      const { signedIn, refuses } = company;
      const result =
        refuses || signedIn === null
          ? { error: 'access_denied', error_description: 'The person refused.' }
          : { login: { accountId: signedIn } };
      provider
        .interactionFinished(request, response, result, { mergeWithLastSubmission: false })
        .catch(() => response.end());
    });
    company.server = server;
    return company;
  }

  /** Variables of a Loupe that trusts this issuer. */
  env(more: Record<string, string> = {}): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_SCOPES: 'openid email profile groups',
      ...more,
    };
  }

  employ(employee: Employee): void {
    this.employees.set(employee.sub, employee);
    this.signedIn = employee.sub;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((done) => this.server?.close(done));
  }

  /** The issuer does not answer any more, at the same address. */
  async away(): Promise<void> {
    await this.stop();
  }

  /**
   * Goes through the issuer as a browser does. @returns path and query of the way back to Loupe, or the last address
   * there when the issuer keeps the browser.
   */
  async walk(address: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = new URL(address);
    for (let hops = 0; hops < 10; hops += 1) {
      if (url.port !== String(this.port)) return `${url.pathname}${url.search}`;
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair] = line.split(';');
        cookies.set(pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1));
      }
      const location = response.headers.get('location');
      if (!location) return url.href;
      url = new URL(location, url);
    }
    throw new Error('The issuer leads in circles.');
  }

  private settings(loupe: string): Configuration {
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${loupe}/login/company/callback`],
          post_logout_redirect_uris: [`${loupe}/login`],
        },
      ],
      scopes: ['openid', 'email', 'profile', 'groups'],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['a key of the issuer in tests'] },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      findAccount: async (_ctx, sub) => {
        const employee = this.employees.get(sub);
        return employee && { accountId: sub, claims: async () => ({ ...employee }) };
      },
      loadExistingGrant: async (ctx) => {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client!.clientId,
          accountId: ctx.oidc.session!.accountId!,
        });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
    };
  }
}
