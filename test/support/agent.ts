import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

/** Host of the client metadata document; `LOUPE_TEST_HOST_MAP` leads it to the loopback. */
export const CLIENT_HOST = 'agent.example';

interface Tokens {
  access_token: string;
  token_type: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
}

/** Publishes the metadata document of a client, as its vendor's web site would. */
export class ClientSite {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<ClientSite> {
    const server = createServer((request, response) => {
      const clientId = `https://${CLIENT_HOST}${request.url}`;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          client_id: clientId,
          client_name: 'Plan Writer',
          client_uri: `https://${CLIENT_HOST}/`,
          redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ClientSite(server, (server.address() as { port: number }).port);
  }

  /** Variables that let a server in the `test` profile find this site. */
  get env(): Record<string, string> {
    return { LOUPE_TEST_HOST_MAP: `${CLIENT_HOST}=http://127.0.0.1:${this.port}` };
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/**
 * A coding agent as a user runs one: the official MCP client, which knows the address of `/mcp` and nothing else, finds
 * the sign-in by itself, and shows the person an address to open.
 */
export class Agent implements OAuthClientProvider {
  readonly clientMetadataUrl = `https://${CLIENT_HOST}/client.json`;
  /** What the person is asked to open. */
  authorizationUrl: URL | null = null;
  private saved: Tokens | undefined;
  private verifier = '';
  private information: { client_id: string } | undefined;
  private client: Client | null = null;
  private transport: StreamableHTTPClientTransport | null = null;

  private constructor(
    private readonly mcpUrl: string,
    private readonly listener: Server,
    private readonly callbackPort: number,
    private readonly codes: URLSearchParams[],
  ) {}

  static async meet(mcpUrl: string): Promise<Agent> {
    const codes: URLSearchParams[] = [];
    const listener = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (url.pathname === '/callback') codes.push(url.searchParams);
      response.setHeader('content-type', 'text/html');
      response.end('<title>Signed in</title><p>You can close this window.</p>');
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new Agent(mcpUrl, listener, (listener.address() as { port: number }).port, codes);
  }

  /** Tries to connect; a first time ends with an address for the person. */
  async connect(): Promise<'connected' | 'needs-person'> {
    this.transport = new StreamableHTTPClientTransport(new URL(this.mcpUrl), { authProvider: this });
    this.client = new Client({ name: 'plan-writer', version: '1.0.0' });
    try {
      await this.client.connect(this.transport);
      return 'connected';
    } catch (error) {
      if (error instanceof UnauthorizedError) return 'needs-person';
      throw error;
    }
  }

  /** After the person has allowed it: exchanges the code and connects. */
  async finishSignIn(): Promise<void> {
    const answer = await this.answer();
    const code = answer.get('code');
    if (!code) throw new Error(`The person was not asked for a code: ${answer.toString()}`);
    await this.transport!.finishAuth(answer);
    await this.connect();
  }

  /** What came back to the redirect address. */
  async answer(): Promise<URLSearchParams> {
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = this.codes.at(-1);
      if (answer) return answer;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('Nothing came to the redirect address within 5 s.');
  }

  async listTools(): Promise<string[]> {
    const { tools } = await this.client!.listTools();
    return tools.map((tool) => tool.name);
  }

  /** Calls a tool. @throws Error with the refusal as its message. */
  async call<T = Record<string, unknown>>(name: string, input: Record<string, unknown> = {}): Promise<T> {
    const result = await this.client!.callTool({ name, arguments: input });
    const [content] = result.content as { type: string; text: string }[];
    if (result.isError) throw new Error(content?.text);
    return result.structuredContent as T;
  }

  async stop(): Promise<void> {
    await this.client?.close().catch(() => undefined);
    this.listener.close();
    this.listener.closeAllConnections();
  }

  get tokensNow(): Tokens {
    return this.saved!;
  }

  get redirectUrl(): string {
    return `http://127.0.0.1:${this.callbackPort}/callback`;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Plan Writer',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation(): { client_id: string } | undefined {
    return this.information;
  }

  saveClientInformation(information: { client_id: string }): void {
    this.information = information;
  }

  tokens(): Tokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: Tokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }
}
