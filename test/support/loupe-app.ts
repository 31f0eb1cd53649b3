import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { Configuration } from '#libs/configuration/configuration.js';
import { freePort } from '#libs/configuration/loopback-ports.js';
import type { PersonActor, Scope } from '#libs/kernel/actor.js';
import { UuidV7Ids } from '#libs/kernel/ids.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { CreateProject } from '#src/projects/application/commands/create-project.js';
import { type RunningServer, startServer } from '#src/server.js';
import { TestDatabase } from './test-database.js';

const ids = new UuidV7Ids();

/** Whatever came as JSON; tests look into it as they like. */
export type Json = ReturnType<typeof JSON.parse>;

/** A tool result as clients see it. */
export interface CallResult {
  readonly content: { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Record<string, Json>;
  readonly isError?: boolean;
}

export type BrowserCall = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly json: Json }>;

/** The whole server in the process of the test, on a database of its own, with sign-ins made by hand. */
export class LoupeApp {
  private constructor(
    readonly url: string,
    readonly server: RunningServer,
    readonly db: TestDatabase,
    private readonly folder: string,
  ) {}

  /** `{port}` in a variable stands for the port of the server. */
  static async start(options: { env?: Record<string, string>; db?: TestDatabase } = {}): Promise<LoupeApp> {
    const db = options.db ?? (await TestDatabase.start());
    const folder = await mkdtemp(join(tmpdir(), 'loupe-app-'));
    const port = await freePort();
    const configuration = Configuration.fromEnvironment({
      APP_ENV: 'test',
      PORT: String(port),
      LOUPE_ROLE: 'web',
      LOUPE_VAR_DIR: folder,
      LOG_LEVEL: 'silent',
      DATABASE_URL: db.url,
      DATABASE_POOL: '8',
      APP_SECRET: 'a secret of the tests, long enough',
      APP_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      ...Object.fromEntries(
        Object.entries(options.env ?? {}).map(([name, value]) => [
          name,
          value.replace('{port}', String(port)),
        ]),
      ),
    });
    return new LoupeApp(`http://localhost:${port}`, await startServer(configuration), db, folder);
  }

  get<T>(type: Type<T> | (abstract new (...args: never[]) => T)): T {
    return this.server.app.get(type as Type<T>, { strict: false });
  }

  async stop(options: { keepDatabase?: boolean } = {}): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
    if (!options.keepDatabase) await this.db.stop();
  }

  async person(name = 'Ada Admin'): Promise<PersonActor> {
    const personId = ids.next();
    await this.db.database.query(
      `INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
       VALUES ($1, $2, $2, $3, 'none', now(), now(), now())`,
      [personId, `${personId}@example.com`, name],
    );
    return { kind: 'person', personId, sessionId: 'test', isAdmin: false };
  }

  async project(owner: PersonActor, name = 'Acme'): Promise<string> {
    return (await this.get(CreateProject).execute(owner, { name })).id;
  }

  async join(projectId: string, personId: string, role: 'maintainer' | 'member' | 'viewer'): Promise<void> {
    await this.db.database.query(
      'INSERT INTO projects.memberships (project_id, person_id, role, joined_at) VALUES ($1, $2, $3, now())',
      [projectId, personId, role],
    );
  }

  /** A live connection with an access token, as the authorization server would have stored them. */
  async connect(
    personId: string,
    options: {
      projectId?: string | null;
      scopes?: readonly Scope[];
      clientId?: string;
      label?: string;
      /** Audience of the token; default is the one that a client with these scopes gets. */
      resource?: string;
    } = {},
  ): Promise<{ token: string; connectionId: string }> {
    const projectId = options.projectId ?? null;
    const scopes = options.scopes ?? (projectId ? ['mcp'] : ['agent', 'mcp', 'projects']);
    const connectionId = ids.next();
    const token = randomBytes(32).toString('base64url');
    const { defaultUri } = this.server.configuration.values;
    const audience =
      options.resource ??
      (scopes.includes('projects') ? defaultUri : `${defaultUri}/${scopes.includes('mcp') ? 'mcp' : 'api'}`);
    await this.db.database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, label, created_at, expires_at)
       VALUES ($1, $2, $3, 'Test agent', $4, $5, $6, $7, now(), now() + interval '1 day')`,
      [
        connectionId,
        personId,
        options.clientId ?? 'https://agent.example/client.json',
        scopes,
        projectId,
        audience,
        options.label ?? null,
      ],
    );
    await this.db.database.query(
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
       VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
      [
        createHash('sha256').update(token).digest('hex'),
        connectionId,
        JSON.stringify({ aud: audience, scope: scopes.join(' ') }),
      ],
    );
    return { token, connectionId };
  }

  /** Calls the routes of the app as the browser of this person does. */
  async signIn(personId: string): Promise<BrowserCall> {
    const cookie = randomBytes(32).toString('base64url');
    const secret = randomBytes(32).toString('base64url');
    await this.db.database.query(
      `INSERT INTO identity.web_sessions (id, person_id, expires_at, csrf_secret) VALUES ($1, $2, now() + interval '1 day', $3)`,
      [createHash('sha256').update(cookie).digest('hex'), personId, secret],
    );
    const csrf = this.get(SecretBox).keyedHash('csrf', secret);
    return async (method, path, body) => {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          cookie: `loupe_session=${cookie}`,
          'loupe-csrf-token': csrf,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await response.text();
      return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : null };
    };
  }

  /** Posts to `/mcp` as a client of the era of `initialize` does. */
  async post(token: string | null, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** The result of a JSON-RPC request. @throws Error when it is none. */
  async rpc<T = Json>(
    token: string,
    method: string,
    params: object = {},
    headers: Record<string, string> = {},
  ): Promise<T> {
    const response = await this.post(token, { jsonrpc: '2.0', id: 1, method, params }, headers);
    const answer = (await response.json()) as { result?: T; error?: { code: number; message: string } };
    if (!answer.result) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer.result;
  }

  async call(
    token: string,
    name: string,
    args: object = {},
    headers: Record<string, string> = {},
  ): Promise<CallResult> {
    return this.rpc<CallResult>(token, 'tools/call', { name, arguments: args }, headers);
  }

  /** What a refused call says. */
  async refusal(
    token: string,
    name: string,
    args: object = {},
    headers: Record<string, string> = {},
  ): Promise<string> {
    const result = await this.call(token, name, args, headers);
    if (!result.isError) throw new Error(`${name} was not refused: ${result.content[0]?.text}`);
    return result.content[0]!.text;
  }

  async toolNames(token: string): Promise<string[]> {
    const { tools } = await this.rpc<{ tools: { name: string }[] }>(token, 'tools/list');
    return tools.map((tool) => tool.name);
  }
}

/** A request of the era from 2026-07-28 on: everything it needs rides along. */
export function modernRequest(
  method: string,
  params: Record<string, unknown> = {},
  options: { id?: string | number; version?: string } = {},
): { body: object; headers: Record<string, string> } {
  const version = options.version ?? '2026-07-28';
  return {
    body: {
      jsonrpc: '2.0',
      id: options.id ?? 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test-agent', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    },
  };
}
