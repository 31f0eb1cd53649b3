import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { LoupeServer } from '../support/loupe-server.js';
import {
  addMember,
  addPerson,
  adminEnv,
  liftRateLimit,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';
import { COLUMNS, type Column } from './access-columns.js';
import { rowOfDoor } from './access-table.js';
import { DOORS, type Door, type DoorWorld } from './page-levels.js';

const METRICS_TOKEN = 'a token of the metrics, long enough';

/** Columns who sign in as themselves. */
const PEOPLE = ['other project', 'viewer', 'member', 'maintainer', 'owner', 'admin', 'suspended'] as const;
type Person = (typeof PEOPLE)[number];

/** Pages, files, git, previews and the endpoints of OAuth, called as everybody: the rows of `page-levels.ts`. */
describe('the doors besides the API', () => {
  let server: LoupeServer;
  const people = {} as Record<Person, Visitor>;
  const ids = {} as Record<Person, string>;
  let expired: Visitor;
  /** Sends an access token beside the cookie. */
  let ownerWithToken: Visitor;
  let programToken: string;
  let world: DoorWorld;
  /** Of the admin, who has no role in the project of the others. */
  let elsewhere: { readonly projectId: string; readonly artifactId: string };

  beforeAll(async () => {
    server = await LoupeServer.start({ env: { ...adminEnv, METRICS_TOKEN } });
    people.admin = await signedIn(server.origin);
    await liftRateLimit(people.admin);
    for (const flag of [
      'artifacts.enabled',
      'artifacts.publish.enabled',
      'review.diagrams.enabled',
      'inbox.enabled',
    ])
      await setFlag(flag, true);
    for (const person of PEOPLE) {
      if (person === 'admin') continue;
      const email = `${person.replace(' ', '-')}@mail.example`;
      ids[person] = await addPerson(server, email, `Person ${person}`);
      people[person] = await signedIn(server.origin, email);
    }
    ownerWithToken = await signedIn(server.origin, 'owner@mail.example');
    // A new session of the owner, whose time is over.
    expired = await signedIn(server.origin, 'owner@mail.example');
    await sql(
      server,
      `UPDATE identity.web_sessions SET expires_at = now() - interval '1 second'
        WHERE id = (SELECT id FROM identity.web_sessions WHERE person_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [ids.owner],
    );
    const projectId = await newProject(people.owner, 'Doors');
    world = await makeWorld(projectId);
    programToken = await programOf('owner@mail.example');
    const foreign = await newProject(people.admin, 'Elsewhere');
    elsewhere = { projectId: foreign, artifactId: await importArtifact(people.admin, foreign) };
    await renewCredentials();
  }, 120_000);

  afterAll(() => server?.stop());

  it.each(DOORS.map((door) => [door.door, door] as const))('%s', async (_, door) => {
    if (door.fresh) await renewCredentials();
    const row = rowOfDoor(door.cells);
    const seen: Record<string, string> = {};
    for (const column of COLUMNS) {
      if (column === 'flag off') continue;
      seen[column] = cellOf(await call(door, column), row[column]);
    }
    seen['flag off'] = door.flag === undefined ? '-' : await whileOff(door, door.flag, row['flag off']);
    expect(seen).toEqual(row);
  });

  async function whileOff(door: Door, flag: string, wanted: string): Promise<string> {
    await setFlag(flag, false);
    try {
      return cellOf(await call(door, 'flag off'), wanted);
    } finally {
      await setFlag(flag, true);
    }
  }

  /** `yes` is whatever is neither a refusal nor a way to the sign-in. */
  function cellOf(answer: Response, wanted: string): string {
    const { status } = answer;
    const location = answer.headers.get('location') ?? '';
    const refused = [401, 403, 404].includes(status) || status >= 500 || /^\/(login|install)/.test(location);
    return wanted === 'yes' && !refused ? 'yes' : String(status);
  }

  async function call(door: Door, column: Column): Promise<Response> {
    const headers: Record<string, string> = {};
    const authorization = door.authorization?.(world, column);
    if (authorization !== undefined) headers.authorization = authorization;
    else if (column === 'wrong scope' && !door.authorization)
      headers.authorization = `Bearer ${programToken}`;
    const { method = 'GET' } = door;
    const init: RequestInit = { method, headers, redirect: 'manual' };
    if (door.form) {
      headers['content-type'] = 'application/x-www-form-urlencoded';
      init.body = new URLSearchParams(door.form).toString();
    } else if (door.body !== undefined) {
      headers['content-type'] = door.contentType ?? 'application/octet-stream';
      init.body = door.body;
    }
    const url = `${server.origin}${door.path(world, column)}`;
    // The cookies as they were after the sign-in, whatever an answer did to them.
    const visitor = visitorOf(column);
    if (visitor) headers.cookie = cookiesOf(visitor);
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    return answer;
  }

  function visitorOf(column: Column): Visitor | null {
    if (column === 'anonymous') return null;
    if (column === 'expired') return expired;
    if (column === 'wrong scope') return ownerWithToken;
    if (column === 'flag off') return people.owner;
    return people[column];
  }

  async function setFlag(name: string, value: boolean): Promise<void> {
    expect((await people.admin.api('PUT', `/admin/flags/${name}`, { value })).status).toBe(200);
  }

  /** Everybody is a member again, gets what members get, and then becomes who they are. */
  async function renewCredentials(): Promise<void> {
    const { projectId, artifactId } = world;
    await sql(server, 'UPDATE identity.persons SET suspended_at = NULL WHERE id = $1', [ids.suspended]);
    for (const person of ['other project', 'viewer', 'member', 'suspended', 'maintainer'] as const) {
      await sql(server, 'DELETE FROM projects.memberships WHERE person_id = $1', [ids[person]]);
      await addMember(server, projectId, ids[person], person === 'maintainer' ? person : 'member');
    }
    world = { ...world, ...(await credentialsOf(projectId, artifactId)) };
    await becomeThemselves();
  }

  async function becomeThemselves(): Promise<void> {
    await sql(server, 'DELETE FROM projects.memberships WHERE person_id = $1', [ids['other project']]);
    await sql(server, "UPDATE projects.memberships SET role = 'viewer' WHERE person_id = $1", [ids.viewer]);
    await sql(server, 'UPDATE identity.persons SET suspended_at = now() WHERE id = $1', [ids.suspended]);
  }

  async function made<T>(visitor: Visitor, path: string, body: object): Promise<T> {
    const answer = await visitor.api<T>('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function importArtifact(visitor: Visitor, projectId: string): Promise<string> {
    const { artifactId } = await made<{ artifactId: string }>(visitor, `/projects/${projectId}/artifacts`, {
      type: 'import',
      files: { 'index.html': '<h1>Prototype</h1>' },
    });
    return artifactId;
  }

  /** What members get to reach an artifact without a cookie; the admin has it of an artifact elsewhere. */
  async function credentialsOf(
    projectId: string,
    artifactId: string,
  ): Promise<Pick<DoorWorld, 'previewPath' | 'uploadPath' | 'gitAuthorization'>> {
    const previewPath: Partial<Record<Column, string>> = {};
    const uploadPath: Partial<Record<Column, string>> = {};
    const gitAuthorization: Partial<Record<Column, string>> = {};
    const gitOf = async (visitor: Visitor, project: string, id: string) => {
      const path = `/projects/${project}/artifacts/${id}/git-token`;
      const { username, password } = new URL(
        (await made<{ gitRemoteUrl: string }>(visitor, path, {})).gitRemoteUrl,
      );
      return basic(username, decodeURIComponent(password));
    };
    const uploadOf = async (visitor: Visitor) => {
      const path = `/projects/${projectId}/artifacts/uploads`;
      return pathOf((await made<{ uploadUrl: string }>(visitor, path, { purpose: 'source' })).uploadUrl);
    };
    for (const person of PEOPLE) {
      const visitor = people[person];
      if (person === 'admin') {
        gitAuthorization.admin = await gitOf(visitor, elsewhere.projectId, elsewhere.artifactId);
        continue;
      }
      gitAuthorization[person] = await gitOf(visitor, projectId, artifactId);
      uploadPath[person] = await uploadOf(visitor);
      const path = `/projects/${projectId}/artifacts/${artifactId}/preview-ticket`;
      const { body } = await visitor.api<{ frameUrl: string }>('GET', path);
      previewPath[person] = pathOf(body.frameUrl);
    }
    const { owner } = people;
    previewPath['flag off'] = previewPath.owner!;
    previewPath['wrong scope'] = previewPath.owner!.replace(/(\/artifact-preview\/)./, '$1_');
    uploadPath['flag off'] = await uploadOf(owner);
    uploadPath['wrong scope'] = uploadPath.owner!.replace(/.$/, '_');
    uploadPath.expired = await uploadOf(owner);
    await makeOld('upload', uploadPath.expired.split('/')[2]!);
    gitAuthorization['flag off'] = gitAuthorization.owner!;
    // The access token of a program is no token of git.
    gitAuthorization['wrong scope'] = basic('loupe', programToken);
    gitAuthorization.expired = await gitOf(owner, projectId, artifactId);
    const [newest] = await sql<{ id: string }>(
      server,
      'SELECT id FROM artifacts.git_token ORDER BY id DESC LIMIT 1',
    );
    await makeOld('git_token', newest!.id);
    return { previewPath, uploadPath, gitAuthorization };
  }

  async function makeOld(table: 'upload' | 'git_token', id: string): Promise<void> {
    const text = `UPDATE artifacts.${table} SET expires_at = now() - interval '1 second' WHERE id = $1 RETURNING 1`;
    expect(await sql(server, text, [id])).toHaveLength(1);
  }

  async function makeWorld(projectId: string): Promise<DoorWorld> {
    const { owner } = people;
    const { id: documentId } = await made<{ id: string }>(owner, `/projects/${projectId}/documents`, {
      title: 'Plan',
      markdown: '# Plan',
    });
    const artifactId = await importArtifact(owner, projectId);
    const { liveUrl } = await made<{ liveUrl: string }>(
      owner,
      `/projects/${projectId}/artifacts/${artifactId}/publish`,
      {},
    );
    const released = await fetch(`${server.origin}/cli/releases.json`);
    const { releases } = (await released.json()) as { releases: { url: string }[] };
    await made(owner, '/account/exports', {});
    let downloadPath: string | null = null;
    await until(async () => {
      const { body } = await owner.api<{ exports: { downloadPath: string | null }[] }>(
        'GET',
        '/account/exports',
      );
      downloadPath = body.exports[0]?.downloadPath ?? null;
      return downloadPath !== null;
    }, 60_000);
    return {
      projectId,
      documentId,
      artifactId,
      downloadPath: downloadPath!,
      livePath: pathOf(liveUrl),
      cliPath: pathOf(releases[0]!.url),
      metricsToken: METRICS_TOKEN,
      previewPath: {},
      uploadPath: {},
      gitAuthorization: {},
    };
  }

  /** The access token of a program of a person that may not use `/mcp`. */
  async function programOf(email: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const connectionId = randomUUID();
    await sql(
      server,
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, audience, created_at, expires_at)
       SELECT $1, id, 'loupe-cli', 'Loupe CLI', '{agent}', $2, now(), now() + interval '1 day'
         FROM identity.persons WHERE email_lower = $3`,
      [connectionId, server.url, email],
    );
    await sql(
      server,
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
       VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
      [
        createHash('sha256').update(token).digest('hex'),
        connectionId,
        JSON.stringify({ aud: server.url, scope: 'agent' }),
      ],
    );
    return token;
  }
});

function pathOf(address: string): string {
  return new URL(address).pathname;
}

function cookiesOf(visitor: Visitor): string {
  return visitor
    .cookiesFor(visitor.origin)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}
