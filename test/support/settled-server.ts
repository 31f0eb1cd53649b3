import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { CLIENT_HOST } from './agent.js';
import type { LoupeServer } from './loupe-server.js';
import { Visitor } from './visitor.js';

/** The first admin of every server that is started with `adminEnv`. */
export const ADMIN = {
  email: 'ada.admin@mail.example',
  password: 'four unrelated words here',
  name: 'ada.admin',
};

/** Variables that make the first admin at the start. */
export const adminEnv: Readonly<Record<string, string>> = {
  LOUPE_ADMIN_EMAIL: ADMIN.email,
  LOUPE_ADMIN_PASSWORD: ADMIN.password,
};

export const CLIENT_ID = `https://${CLIENT_HOST}/client.json`;

const REDIRECT = 'http://127.0.0.1:4199/callback';

/** A pair as the token endpoint gives it. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** What `/mcp` answered. */
export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly result?: Record<string, unknown> & {
      readonly isError?: boolean;
      readonly content?: { readonly text: string }[];
      readonly structuredContent?: Record<string, unknown>;
      readonly tools?: { readonly name: string }[];
    };
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** A visitor who has signed in with an e-mail and a password. */
export async function signedIn(
  origin: string,
  email: string = ADMIN.email,
  password: string = ADMIN.password,
): Promise<Visitor> {
  const visitor = new Visitor(origin);
  const answer = await visitor.submit(await visitor.open('/login'), { email, password });
  if (answer.status !== 303) throw new Error(`The sign-in was refused with ${answer.status}.`);
  return visitor;
}

/** A new project of the visitor. @returns its id */
export async function newProject(visitor: Visitor, name: string): Promise<string> {
  const { status, body } = await visitor.api<{ id: string }>('POST', '/projects', { name });
  if (status !== 201) throw new Error(`No project: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Lets tests send more requests in a minute than a stranger may. */
export async function liftRateLimit(admin: Visitor): Promise<void> {
  const path = '/admin/flags/rate_limit.api_per_minute';
  const { status } = await admin.api('PUT', path, { value: 100_000 });
  if (status !== 200) throw new Error(`The limit was not lifted: ${status}`);
}

/**
 * The sign-in of an app by code and PKCE, taken apart, so that something can happen between two steps. Needs a
 * `ClientSite` behind the server.
 */
export class AppSignIn {
  private readonly verifier = randomBytes(32).toString('base64url');
  private page: { html: string; url: string } | null = null;
  private location: string | null = null;
  private code: string | null = null;

  constructor(
    private readonly visitor: Visitor,
    private readonly scope = 'mcp',
  ) {}

  /** Opens the page that asks the person. @returns its HTML */
  async ask(): Promise<string> {
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: this.scope,
      state: 'a state',
    });
    this.page = await this.visitor.open(`/oauth/authorize?${query}`);
    return this.page.html;
  }

  /** Presses Allow. The code is not made yet. */
  async allow(projectId: string): Promise<void> {
    const answer = await this.visitor.submit(this.page!, { project: projectId, answer: 'allow' });
    this.location = answer.headers.get('location');
    if (!this.location)
      throw new Error(`Allow was refused with ${answer.status}: ${(await answer.text()).slice(0, 2_000)}`);
  }

  /** Follows the way back to the app. @returns the code */
  async wayBack(): Promise<string> {
    for (let hops = 0; hops < 5 && this.location; hops += 1) {
      const url = new URL(this.location, this.visitor.origin);
      if (url.href.startsWith(REDIRECT)) {
        this.code = url.searchParams.get('code');
        if (!this.code) throw new Error(`The app got no code: ${url.search}`);
        return this.code;
      }
      this.location = (await this.visitor.request(url.href)).headers.get('location');
    }
    throw new Error('The way back did not lead to the app.');
  }

  /** Exchanges the code. */
  async exchange(origin = this.visitor.origin): Promise<TokenPair> {
    const response = await fetch(`${origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: CLIENT_ID,
        code: this.code!,
        code_verifier: this.verifier,
        redirect_uri: REDIRECT,
      }),
    });
    if (!response.ok) throw new Error(`No tokens: ${response.status} ${await response.text()}`);
    return (await response.json()) as TokenPair;
  }

  /** All steps at once. */
  static async complete(visitor: Visitor, projectId: string): Promise<TokenPair> {
    const signIn = new AppSignIn(visitor);
    await signIn.ask();
    await signIn.allow(projectId);
    await signIn.wayBack();
    return signIn.exchange();
  }
}

/** One use of a refresh token. */
export async function refresh(
  origin: string,
  refreshToken: string,
  clientId = CLIENT_ID,
): Promise<{ status: number; body: Partial<TokenPair> & { error?: string } }> {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: refreshToken,
    }),
  });
  return { status: response.status, body: (await response.json()) as Partial<TokenPair> };
}

/** One request to `/mcp` as a client of the era of `initialize` sends it. */
export async function mcp(
  origin: string,
  token: string | null,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<McpAnswer> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as McpAnswer['body'],
  };
}

/** Calls a tool. */
export function callTool(
  origin: string,
  token: string | null,
  name: string,
  args: object = {},
  headers: Record<string, string> = {},
): Promise<McpAnswer> {
  return mcp(origin, token, 'tools/call', { name, arguments: args }, headers);
}

/** What the embedded database of a server notes about itself. */
export function postgresOf(varDir: string): { url: string; pid: number; dataDir: string } {
  const note = JSON.parse(readFileSync(join(varDir, 'postgres.json'), 'utf8')) as {
    port: number;
    password: string;
  };
  const dataDir = join(varDir, 'postgres');
  return {
    url: `postgres://loupe:${note.password}@127.0.0.1:${note.port}/loupe`,
    pid: Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    dataDir,
  };
}

/** Looks into the database of a server past everything. */
export async function sql<T = Record<string, unknown>>(
  server: Pick<LoupeServer, 'varDir'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: postgresOf(server.varDir).url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as T[];
  } finally {
    await client.end();
  }
}

/** A further person, who signs in with the password of the admin. @returns the id */
export async function addPerson(server: LoupeServer, email: string, name: string): Promise<string> {
  const [row] = await sql<{ id: string }>(
    server,
    `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, lower($1), $2, password_hash, now(), now(), now()
       FROM identity.persons WHERE email_lower = $3 RETURNING id`,
    [email, name, ADMIN.email],
  );
  return row!.id;
}

/** Gives a person a role in a project. */
export async function addMember(
  server: LoupeServer,
  projectId: string,
  personId: string,
  role: 'maintainer' | 'member' | 'viewer',
): Promise<void> {
  await sql(
    server,
    'INSERT INTO projects.memberships (project_id, person_id, role, joined_at) VALUES ($1, $2, $3, now())',
    [projectId, personId, role],
  );
}
