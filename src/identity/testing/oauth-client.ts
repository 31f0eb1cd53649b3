import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { D, type OAuthApp, type SignedInPerson } from './oauth-app.js';

export const CLIENT_ID = 'https://client.example/oauth/client.json';
export const REDIRECT = 'http://localhost/callback';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** The web site of an app, on this machine. Documents by path; what is not there is 404. */
export class ClientSite {
  private readonly answers = new Map<string, Answer>();
  readonly asked: string[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ClientSite> {
    const server = createServer();
    const site = new ClientSite(server);
    server.on('request', (request, response) => {
      site.asked.push(`${request.headers.host}${request.url}`);
      const answer = site.answers.get(request.url ?? '');
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return site;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** For `LOUPE_TEST_HOST_MAP`. */
  get hostMap(): string {
    return `client.example=${this.base}`;
  }

  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  document(path: string, document: unknown, headers: Record<string, string> = {}): void {
    this.answer(path, (_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(document));
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** A metadata document that follows all rules. */
export function clientDocument(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    client_id: CLIENT_ID,
    client_name: 'Night Shift Coder',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    ...changes,
  };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
}

export interface AuthorizeOptions {
  readonly parameters?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly redirectUri?: string;
  readonly clientId?: string;
}

/** An authorization request under way: the parameters, and the cookies of the browser that carries it. */
export class SignInAttempt {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly state = randomBytes(16).toString('base64url');
  private readonly cookies = new Map<string, { value: string; path: string }>();

  constructor(
    /** May be replaced on the way, by an application that was started anew. */
    public app: OAuthApp,
    private readonly person: SignedInPerson | null,
    private readonly options: AuthorizeOptions = {},
  ) {}

  get redirectUri(): string {
    return this.options.redirectUri ?? 'http://localhost:43210/callback';
  }

  get clientId(): string {
    return this.options.clientId ?? CLIENT_ID;
  }

  get authorizePath(): string {
    const parameters: Record<string, string | readonly string[] | null> = {
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      response_type: 'code',
      state: this.state,
      scope: 'mcp',
      resource: `${D}/mcp`,
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...this.options.parameters,
    };
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      for (const each of value === null ? [] : [value].flat()) query.append(name, String(each));
    }
    return `/oauth/authorize?${query}`;
  }

  /** A request of the browser, with its cookies. */
  async call(address: string, init: RequestInit = {}): Promise<Response> {
    const path = new URL(address, D).pathname;
    const own = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path));
    const cookie = [
      ...(this.person ? [this.person.cookie] : []),
      ...own.map(([name, { value }]) => `${name}=${value}`),
    ];
    const response = await this.app.fetch(address, {
      ...init,
      headers: { cookie: cookie.join('; '), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value, attributes] = /^([^=]+)=([^;]*)(.*)$/.exec(line)!;
      const path = /path=([^;]+)/i.exec(attributes!)?.[1] ?? '/';
      if (value === '') this.cookies.delete(name!);
      else this.cookies.set(name!, { value: value!, path });
    }
    return response;
  }

  /** Opens the authorization address. @returns the path of the consent page. */
  async begin(): Promise<string> {
    const response = await this.call(this.authorizePath);
    const location = response.headers.get('location') ?? '';
    if (!location.startsWith('/oauth/consent/')) {
      throw new Error(`No consent page: ${response.status} ${location} ${await response.text()}`);
    }
    return location;
  }

  /** The consent page and the token of its form. */
  async open(consent: string): Promise<{ response: Response; text: string; csrf: string }> {
    const response = await this.call(consent);
    const text = await response.text();
    return { response, text, csrf: /name="_csrf" value="([^"]*)"/.exec(text)?.[1] ?? '' };
  }

  async answer(consent: string, csrf: string, form: Record<string, string>): Promise<Response> {
    return this.call(consent, { method: 'POST', body: new URLSearchParams({ _csrf: csrf, ...form }) });
  }

  /** Follows the browser back to the app. @returns the address of the app with its answer. */
  async back(answered: Response): Promise<URL> {
    const resume = answered.headers.get('location') ?? '';
    if (!resume.startsWith('/oauth/authorize/')) {
      throw new Error(`Not answered: ${answered.status} ${resume} ${await answered.text()}`);
    }
    const response = await this.call(resume);
    return new URL(response.headers.get('location') ?? `invalid:${response.status} ${await response.text()}`);
  }

  /** From the authorization address to the code. */
  async code(form: Record<string, string>): Promise<string> {
    const consent = await this.begin();
    const { csrf } = await this.open(consent);
    const url = await this.back(await this.answer(consent, csrf, { answer: 'allow', ...form }));
    const code = url.searchParams.get('code');
    if (!code) throw new Error(`No code: ${url}`);
    return code;
  }

  exchange(
    code: string,
    changes: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = {
      grant_type: 'authorization_code',
      client_id: this.clientId,
      code,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...changes,
    };
    return this.app.postForm('/oauth/token', form, headers);
  }

  /** The whole sign-in of an app that is bound to one project. */
  async tokens(projectId: string): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.code({ project: projectId })));
  }
}

export async function tokensOf(response: Response): Promise<Tokens> {
  const body = (await response.json()) as Tokens;
  if (response.status !== 200) throw new Error(`No tokens: ${response.status} ${JSON.stringify(body)}`);
  return body;
}

export function refresh(
  app: OAuthApp,
  refreshToken: string,
  changes: Record<string, string> = {},
): Promise<Response> {
  return app.postForm('/oauth/token', {
    grant_type: 'refresh_token',
    client_id: CLIENT_ID,
    refresh_token: refreshToken,
    ...changes,
  });
}

/** The error of an OAuth answer. */
export async function errorOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { error?: string }).error}`;
}

/** A call through the door of `/mcp`, with a token. */
export function callMcp(
  app: OAuthApp,
  accessToken: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.fetch('/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  });
}
