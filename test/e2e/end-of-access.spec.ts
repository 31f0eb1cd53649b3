import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { modernRequest } from '../support/loupe-app.js';
import { LoupeServer } from '../support/loupe-server.js';
import {
  addMember,
  addPerson,
  adminEnv,
  callTool,
  liftRateLimit,
  newProject,
  signedIn,
  sql,
} from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

/** Everything through which a member reaches a project, held open on one process while the access ends on another. */
interface Reach {
  readonly kim: Visitor;
  readonly kimId: string;
  readonly owner: Visitor;
  readonly projectId: string;
  readonly token: string;
  readonly connectionId: string;
  readonly git: { readonly path: string; readonly authorization: string };
  readonly previewPath: string;
  readonly uploadPath: string;
  readonly pageStreamEnded: () => boolean;
  readonly agentStreamEnded: () => boolean;
}

describe('the end of access, on two processes', () => {
  let first: LoupeServer;
  let second: LoupeServer;
  let admin: Visitor;
  let people = 0;

  beforeAll(async () => {
    const env = { ...adminEnv, DEFAULT_URI: 'http://localhost:3998' };
    first = await LoupeServer.start({ env });
    second = await LoupeServer.start({ beside: first, env: { ...env, LOUPE_ROLE: 'web' } });
    admin = await signedIn(first.origin);
    await liftRateLimit(admin);
    expect((await admin.api('PUT', '/admin/flags/artifacts.enabled', { value: true })).status).toBe(200);
  }, 120_000);

  afterAll(async () => {
    await second?.stop();
    await first?.stop();
  });

  it.each<[cause: string, end: (reach: Reach) => Promise<{ status: number }>, page: number]>([
    [
      'a member is removed',
      ({ owner, projectId, kimId }) => owner.api('DELETE', `/projects/${projectId}/members/${kimId}`),
      404,
    ],
    [
      'a person is suspended',
      ({ kimId }) => admin.api('POST', `/admin/people/${kimId}/suspend`, { reason: 'for the test' }),
      303,
    ],
    [
      'a project is deleted',
      ({ owner, projectId }) => owner.api('POST', `/projects/${projectId}/delete`, { typedName: 'Ferry' }),
      404,
    ],
  ])(
    'platform 3.7: when %s, pages, streams, git, previews, uploads and agents end on the other process',
    async (_, end, page) => {
      const reach = await reachOf();
      expect(await outcomes(reach)).toEqual({ page: 200, agent: 200, git: 200, preview: 200, upload: 200 });
      expect([reach.pageStreamEnded(), reach.agentStreamEnded()]).toEqual([false, false]);

      expect((await end(reach)).status).toBeLessThan(300);

      // From the commit on, at the next request.
      const after = await outcomes(reach);
      expect(after).toMatchObject({ page, agent: 401, preview: 404 });
      expect([401, 403, 404]).toContain(after.git);
      expect([404, 409, 410]).toContain(after.upload);
      await until(reach.pageStreamEnded, 30_000, 'The stream of the page stayed open.');
      await until(reach.agentStreamEnded, 30_000, 'The stream of the agent stayed open.');
    },
    120_000,
  );

  it('platform 3.7: when a connection alone is revoked, what it reserved ends, and what its person reserved goes on', async () => {
    const reach = await reachOf();
    const uploads = {
      ofAgent: await uploadOfAgent(reach.token),
      ofPerson: reach.uploadPath,
      ofOther: await uploadOfAgent((await connection(reach.kimId, reach.projectId)).token),
    };
    const statuses = async () => ({
      ofAgent: await putTo(uploads.ofAgent),
      ofPerson: await putTo(uploads.ofPerson),
      ofOther: await putTo(uploads.ofOther),
    });
    expect(await statuses()).toEqual({ ofAgent: 200, ofPerson: 200, ofOther: 200 });

    const revoked = await reach.kim.api('DELETE', `/account/connections/${reach.connectionId}`);
    expect(revoked.status).toBeLessThan(300);

    // From the commit on, at the next request.
    expect(await statuses()).toEqual({ ofAgent: 410, ofPerson: 200, ofOther: 200 });
  }, 120_000);

  async function uploadOfAgent(token: string): Promise<string> {
    const { body } = await callTool(second.origin, token, 'artifact_get_zip_upload_url');
    return new URL(String(body.result?.structuredContent?.uploadUrl)).pathname;
  }

  async function putTo(path: string): Promise<number> {
    return (await fetch(`${second.origin}${path}`, { method: 'PUT', body: 'not a zip' })).status;
  }

  async function outcomes(reach: Reach): Promise<Record<string, number>> {
    const { kim, projectId, token, git, previewPath, uploadPath } = reach;
    const at = (path: string, init?: RequestInit) => fetch(`${second.origin}${path}`, init);
    return {
      page: (await kim.request(`/projects/${projectId}`)).status,
      agent: (await callTool(second.origin, token, 'project_current')).status,
      git: (await at(git.path, { headers: { authorization: git.authorization } })).status,
      preview: (await at(previewPath)).status,
      upload: await putTo(uploadPath),
    };
  }

  async function reachOf(): Promise<Reach> {
    people += 1;
    const named = async (name: string) => {
      const email = `${name}-${people}@mail.example`;
      return { id: await addPerson(first, email, name), email };
    };
    const [ownerIs, kimIs] = [await named('owner'), await named('kim')];
    // The owner acts on the first process, the member is on the second.
    const owner = await signedIn(first.origin, ownerIs.email);
    const kim = await signedIn(second.origin, kimIs.email);
    const projectId = await newProject(owner, 'Ferry');
    await addMember(first, projectId, kimIs.id, 'member');
    const base = `/projects/${projectId}/artifacts`;
    // Values of flags reach the other process a moment after they were set.
    await until(async () => (await kim.api('GET', base)).status === 200, 30_000);
    const made = async <T>(path: string, body: object): Promise<T> => {
      const answer = await kim.api<T>('POST', path, body);
      if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const { artifactId } = await made<{ artifactId: string }>(base, {
      type: 'import',
      files: { 'index.html': '<h1>Ferry</h1>' },
    });
    const { gitRemoteUrl } = await made<{ gitRemoteUrl: string }>(`${base}/${artifactId}/git-token`, {});
    const { username, password, pathname } = new URL(gitRemoteUrl);
    const { uploadUrl } = await made<{ uploadUrl: string }>(`${base}/uploads`, { purpose: 'source' });
    const ticket = await kim.api<{ frameUrl: string }>('GET', `${base}/${artifactId}/preview-ticket`);
    const { token, connectionId } = await connection(kimIs.id, projectId);
    const { body, headers } = modernRequest('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    return {
      kim,
      kimId: kimIs.id,
      owner,
      projectId,
      token,
      connectionId,
      git: {
        path: `${pathname}/info/refs?service=git-upload-pack`,
        authorization: `Basic ${Buffer.from(`${username}:${decodeURIComponent(password)}`).toString('base64')}`,
      },
      previewPath: new URL(ticket.body.frameUrl).pathname,
      uploadPath: new URL(uploadUrl).pathname,
      pageStreamEnded: await followed(await kim.request(`/api/live?topics=project:${projectId}`)),
      agentStreamEnded: await followed(
        await fetch(`${second.origin}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      ),
    };
  }

  /** Reads a stream to its end. @returns whether it has come */
  async function followed(response: Response): Promise<() => boolean> {
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body!.getReader();
    let ended = false;
    void (async () => {
      while (!(await reader.read()).done);
    })()
      .catch(() => undefined)
      .finally(() => {
        ended = true;
      });
    return () => ended;
  }

  /** An agent of the person that is bound to the project, as the authorization server would have stored it. */
  async function connection(
    personId: string,
    projectId: string,
  ): Promise<{ token: string; connectionId: string }> {
    const token = randomBytes(32).toString('base64url');
    const connectionId = randomUUID();
    const audience = `${first.url}/mcp`;
    await sql(
      first,
      `INSERT INTO identity.connections (id, person_id, client_id, client_name, scopes, project_id, audience, created_at, expires_at)
       VALUES ($1, $2, 'https://agent.example/client.json', 'Agent', '{mcp}', $3, $4, now(), now() + interval '1 day')`,
      [connectionId, personId, projectId, audience],
    );
    await sql(
      first,
      `INSERT INTO identity.oauth_artefacts (model, id_hash, grant_id, payload, expires_at)
       VALUES ('AccessToken', $1, $2, $3, now() + interval '1 hour')`,
      [
        createHash('sha256').update(token).digest('hex'),
        connectionId,
        JSON.stringify({ aud: audience, scope: 'mcp' }),
      ],
    );
    return { token, connectionId };
  }
});
