import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Database } from '#libs/persistence/database.js';
import { S3Server } from '#libs/storage/testing/s3-server.js';
import { LoupeServer } from './loupe-server.js';
import {
  ADMIN,
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  postgresOf,
  signedIn,
} from './settled-server.js';
import { TestDatabase } from './test-database.js';
import { until } from './until.js';
import type { Visitor } from './visitor.js';

/** What `artifact_create` and `POST …/artifacts` answer for own code. */
export interface MadeArtifact {
  readonly artifactId: string;
  readonly version: number;
  readonly revision: string;
  readonly gitRemoteUrl: string;
  readonly skippedFiles: { path: string; reason: string }[];
}

/** The built server with artifacts switched on, a person with a project, and tokens for their programs. */
export class ArtifactStage {
  private constructor(
    readonly db: Pick<TestDatabase, 'url' | 'database' | 'stop'>,
    public server: LoupeServer,
    readonly person: Visitor,
    readonly projectId: string,
    private readonly bucket: S3Server | null,
  ) {}

  /**
   * `durable` takes the database that the server brings along, which waits for the disk; that of tests does not.
   * `env`: further variables of the server. With `TEST_BLOB_STORAGE=s3` in the environment of the suite, files lie in a
   * bucket (`artifacts.md` 15, scenario 62).
   */
  static async start({
    durable = false,
    env = {},
  }: {
    readonly durable?: boolean;
    readonly env?: Readonly<Record<string, string>>;
  } = {}): Promise<ArtifactStage> {
    const quick = durable ? null : await TestDatabase.start();
    const inBucket = process.env.TEST_BLOB_STORAGE === 's3' && env.BLOB_STORAGE === undefined;
    const bucket = inBucket ? await S3Server.start() : null;
    const server = await LoupeServer.start({
      env: { ...adminEnv, ...(quick && { DATABASE_URL: quick.url }), ...bucket?.env, ...env },
    });
    const db = quick ?? (await ownDatabase(server));
    const person = await signedIn(server.origin);
    await liftRateLimit(person);
    const stage = new ArtifactStage(db, server, person, await newProject(person, 'Artifacts'), bucket);
    await stage.setFlag('artifacts.enabled', true);
    await stage.untilSwitched(true);
    return stage;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.db.stop();
    await this.bucket?.stop();
  }

  async setFlag(name: string, value: boolean | number): Promise<void> {
    const { status } = await this.person.api('PUT', `/admin/flags/${name}`, { value });
    if (status !== 200) throw new Error(`${name} was not set: ${status}`);
  }

  /** Values of flags reach the processes a moment after they were set. */
  async untilSwitched(on: boolean): Promise<void> {
    await until(async () => (await this.person.api('GET', this.base)).status === (on ? 200 : 404));
  }

  /** A route of the artifacts of the project. */
  get base(): string {
    return `/projects/${this.projectId}/artifacts`;
  }

  async import(files: Readonly<Record<string, string>>, name = 'Prototype'): Promise<MadeArtifact> {
    const { status, body } = await this.person.api<MadeArtifact>('POST', this.base, {
      type: 'import',
      files,
      name,
    });
    if (status !== 201) throw new Error(`Not imported: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  /** Versions of an artifact, newest first. */
  async versions(artifactId: string): Promise<number[]> {
    const rows = await this.db.database.query<{ number: number }>(
      'SELECT number FROM artifacts.version WHERE artifact_id = $1 ORDER BY number DESC',
      [artifactId],
    );
    return rows.map(({ number }) => number);
  }

  /** The access token of a program of the person, as the authorization server would have made it. */
  async token(scopes: readonly string[]): Promise<{ token: string; connectionId: string }> {
    const token = randomBytes(32).toString('base64url');
    const connectionId = randomUUID();
    const wide = scopes.includes('projects');
    const { url } = this.server;
    const audience = wide ? url : `${url}/${scopes.includes('mcp') ? 'mcp' : 'api'}`;
    const { database } = this.db;
    await database.query(
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
       SELECT $1, id, 'https://agent.example/client.json', 'Agent', $2, $3, $4, now(), now() + interval '1 day'
       FROM identity.persons WHERE email_lower = $5`,
      [connectionId, scopes, wide ? null : this.projectId, audience, ADMIN.email],
    );
    await database.query(
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

  /** Calls a tool. @throws when the call itself was refused. */
  async tool(
    token: string,
    name: string,
    args: object,
  ): Promise<{ readonly isError: boolean; readonly text: string; readonly data: Record<string, unknown> }> {
    const { status, body } = await callTool(this.server.origin, token, name, args);
    if (!body.result) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
    const { isError = false, content = [], structuredContent = {} } = body.result;
    return { isError, text: content[0]?.text ?? '', data: structuredContent };
  }
}

async function ownDatabase(server: LoupeServer): Promise<ArtifactStage['db']> {
  const { url } = postgresOf(server.varDir);
  const database = await Database.connect({ url, pool: 2, applicationName: 'loupe-test' });
  return { url, database, stop: () => database.close() };
}
