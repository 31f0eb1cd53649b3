import { type CallResult, LoupeApp } from '../../support/loupe-app.js';

let app: LoupeApp;
beforeAll(async () => {
  app = await LoupeApp.start();
});
afterAll(() => app.stop());

const errorOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error: string; message: string }),
});
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function bound(name = 'Acme') {
  const owner = await app.person('Owner');
  const projectId = await app.project(owner, name);
  const { token, connectionId } = await app.connect(owner.personId, { projectId });
  return { owner, projectId, token, connectionId };
}

describe('the project tools', () => {
  it('platform 19.6: project_current names the bound project, with and without the header', async () => {
    const { projectId, token } = await bound();
    const expected = {
      id: projectId,
      slug: 'acme',
      name: 'Acme',
      description: null,
      domain: null,
      searchLanguage: 'english',
      url: `${app.url}/projects/${projectId}`,
    };
    expect((await app.call(token, 'project_current')).structuredContent).toEqual(expected);
    const named = await app.call(
      token,
      'project_current',
      {},
      { 'loupe-project-id': projectId.toUpperCase() },
    );
    expect(named.structuredContent).toEqual(expected);
    expect(JSON.parse(named.content[0]!.text)).toEqual(expected);
  });

  it('platform 19.2: project_update returns new slug and note, clears with an empty text, and changes nothing with no argument', async () => {
    const { token } = await bound('Old name');
    const update = async (args: object) => (await app.call(token, 'project_update', args)).structuredContent;
    expect(
      await update({ name: ' New name ', description: 'a\r\nb', domain: 'https://Example.com/' }),
    ).toMatchObject({
      slug: 'new-name',
      name: 'New name',
      description: 'a\nb',
      domain: 'example.com',
      changed: ['name', 'slug', 'description', 'domain'],
      slugNote: "Rule files that name the old slug 'old-name' stop matching.",
    });
    expect(await update({ description: '', domain: '' })).toMatchObject({
      description: null,
      domain: null,
      changed: ['description', 'domain'],
      slugNote: null,
    });
    const [before] = await app.db.database.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM platform.audit_events',
    );
    expect(await update({})).toMatchObject({ changed: [], slugNote: null });
    const [after] = await app.db.database.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM platform.audit_events',
    );
    expect(after!.rows).toBe(before!.rows);
  });

  it('platform 19.3: names a bad domain and a bad language in one answer that lists the languages', async () => {
    const { token } = await bound();
    const lines = (
      await app.refusal(token, 'project_update', { domain: 'no host', searchLanguage: 'klingon' })
    ).split('\n');
    expect(lines[0]).toMatch(/^domain: must be a host name such as example\.com/);
    expect(lines[1]).toMatch(/^searchLanguage: Unknown search language "klingon"\. Use one of: .*english/);
    expect(lines).toHaveLength(2);
  });

  it('refuses null, empty names and strangers among the arguments, all by name', async () => {
    const { token } = await bound();
    expect(await app.refusal(token, 'project_update', { name: null, domain: null, colour: 1 })).toBe(
      [
        'name: omit it to keep the value, send an empty string to clear it',
        'domain: omit it to keep the value, send an empty string to clear it',
        'colour: is not an argument of this tool. It takes: name, description, domain, searchLanguage.',
      ].join('\n'),
    );
    expect(await app.refusal(token, 'project_update', { name: '  ' })).toBe('name: must not be empty');
  });

  it('platform 19.4: project_origins_set names all four bad entries and stores nothing', async () => {
    const { token, projectId } = await bound();
    const text = await app.refusal(token, 'project_origins_set', {
      origins: ['https://a.example.com/path', 'http://example.com', '*', 'https://*.co.uk'],
    });
    expect(text.split('\n').map((line) => line.split(':')[0])).toEqual([
      'origins[0]',
      'origins[1]',
      'origins[2]',
      'origins[3]',
    ]);
    expect(text).toContain('origins[0]: must have no path, such as https://staging.example.com');
    const stored = await app.db.database.one('SELECT allowed_origins FROM projects.projects WHERE id = $1', [
      projectId,
    ]);
    expect(stored).toEqual({ allowed_origins: [] });
    const good = { origins: ['https://staging.example.com/'] };
    expect((await app.call(token, 'project_origins_set', good)).structuredContent).toEqual({
      origins: ['https://staging.example.com'],
      changed: true,
    });
    expect((await app.call(token, 'project_origins_set', good)).structuredContent).toMatchObject({
      changed: false,
    });
  });
});

describe('roles', () => {
  it('platform 19.37 and 38: one list for all; a viewer reads, a member writes, a maintainer administers', async () => {
    const { projectId, token, owner } = await bound();
    const tokenOf = async (role: 'maintainer' | 'member' | 'viewer') => {
      const person = await app.person(role);
      await app.join(projectId, person.personId, role);
      return (await app.connect(person.personId, { projectId })).token;
    };
    const [viewer, member, maintainer] = [
      await tokenOf('viewer'),
      await tokenOf('member'),
      await tokenOf('maintainer'),
    ];
    expect(await app.toolNames(viewer)).toEqual(await app.toolNames(token));
    const plan = { title: 'Plan', markdown: '# Plan' };
    expect((await app.call(viewer, 'document_list')).isError).toBeUndefined();
    expect(await app.refusal(viewer, 'document_create', plan)).toBe(
      'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.',
    );
    expect((await app.call(member, 'document_create', plan)).isError).toBeUndefined();
    for (const low of [viewer, member]) {
      expect(await app.refusal(low, 'project_update', { name: 'Mine' })).toBe(
        'This needs the maintainer role in the project. Ask its owner.',
      );
    }
    expect((await app.call(maintainer, 'project_update', { description: 'Ours' })).isError).toBeUndefined();
    expect(owner.kind).toBe('person');
  });

  it('identity 12.32: when a membership ends, the bound connection gets 401 at its next request', async () => {
    const { projectId } = await bound();
    const person = await app.person();
    await app.join(projectId, person.personId, 'member');
    const { token } = await app.connect(person.personId, { projectId });
    expect((await app.post(token, LIST)).status).toBe(200);
    await app.db.database.query('DELETE FROM projects.memberships WHERE person_id = $1', [person.personId]);
    expect((await app.post(token, LIST)).status).toBe(401);
  });

  it('identity 12.25: a suspended person has no working token, and a reinstated one has it again', async () => {
    const { owner, token } = await bound();
    const suspended = (at: string | null) =>
      app.db.database.query('UPDATE identity.persons SET suspended_at = $2 WHERE id = $1', [
        owner.personId,
        at,
      ]);
    await suspended('2026-01-01');
    expect((await app.post(token, LIST)).status).toBe(401);
    await suspended(null);
    expect((await app.post(token, LIST)).status).toBe(200);
  });
});

describe('which project a request is about', () => {
  it('identity 12.15 and 6.3: a login for all projects goes where the header says, own or shared, and nowhere else', async () => {
    const { owner, projectId } = await bound('Own');
    const other = await bound('Shared');
    await app.join(other.projectId, owner.personId, 'member');
    const stranger = await bound('Foreign');
    const { token } = await app.connect(owner.personId);
    const at = (id: string) => ({ 'loupe-project-id': id });
    expect((await app.call(token, 'project_current', {}, at(projectId))).structuredContent).toMatchObject({
      name: 'Own',
    });
    expect(
      (await app.call(token, 'project_current', {}, at(other.projectId))).structuredContent,
    ).toMatchObject({
      name: 'Shared',
    });
    for (const id of [stranger.projectId, '00000000-0000-7000-8000-000000000000']) {
      expect(await errorOf(await app.post(token, LIST, at(id)))).toMatchObject({
        status: 403,
        error: 'project_not_covered',
        message: `This login does not cover the project ${id}. Check .loupe.yaml, or run \`loupe project link\`.`,
      });
    }
    expect(await errorOf(await app.post(token, LIST, at('acme')))).toMatchObject({
      status: 400,
      error: 'invalid_project',
      message: expect.stringContaining('Loupe-Project-Id'),
    });
    const bad = await app.post(other.token, LIST, at(projectId));
    expect(await errorOf(bad)).toMatchObject({ status: 403, error: 'project_not_covered' });
  });

  it('identity 12.16: no header means the only project; with several the list works and a call says what to run', async () => {
    const person = await app.person();
    const { token } = await app.connect(person.personId);
    expect(await app.refusal(token, 'project_current')).toBe(
      `You have no project yet. Create one at ${app.url}/projects/new.`,
    );
    const first = await app.project(person, 'First');
    expect((await app.call(token, 'project_current')).structuredContent).toMatchObject({ id: first });
    await app.project(person, 'Second');
    expect(await app.toolNames(token)).toContain('project_current');
    expect(await app.refusal(token, 'project_current')).toBe(
      'This login covers 2 projects and the request names none. Run `loupe project link` in the repository to choose one.',
    );
  });

  it('identity 12.14: a login for the API alone is refused with the scope it lacks, a token of another resource is none', async () => {
    const { owner, projectId } = await bound();
    const agent = await app.connect(owner.personId, { scopes: ['agent'], resource: app.url });
    const response = await app.post(agent.token, LIST);
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="mcp"');
    const widget = await app.connect(owner.personId, { scopes: ['site-review'], projectId });
    expect((await app.post(widget.token, LIST)).status).toBe(401);
  });

  it('1,000 interleaved calls with tokens of two projects never mix', async () => {
    const projects = [await bound('Left'), await bound('Right')];
    await app.db.database.query(
      `INSERT INTO platform.flag_values (name, value, updated_at) VALUES ('rate_limit.api_per_minute', '100000', now())
       ON CONFLICT (name) DO UPDATE SET value = '100000'`,
    );
    // A change that no process announced is seen within 5 s.
    await new Promise((done) => setTimeout(done, 5_500));
    let wrong = 0;
    let next = 0;
    const side = async () => {
      while (next < 1_000) {
        const { token, projectId } = projects[next++ % 2]!;
        const result: CallResult = await app.call(token, 'project_current');
        if (result.structuredContent?.id !== projectId) wrong += 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, side));
    expect(wrong).toBe(0);
  });
});

describe('deleting a project', () => {
  it('platform 19.27: its page and its tokens are gone at once', async () => {
    const { owner, projectId, token } = await bound('Short lived');
    const browser = await app.signIn(owner.personId);
    expect(
      (await browser('POST', `/api/projects/${projectId}/delete`, { typedName: 'wrong' })).json,
    ).toMatchObject({
      error: 'invalid',
      fields: { typedName: expect.any(String) },
    });
    expect(
      (await browser('POST', `/api/projects/${projectId}/delete`, { typedName: 'Short lived' })).status,
    ).toBe(202);
    expect((await app.post(token, LIST)).status).toBe(401);
    expect((await browser('GET', `/api/projects/${projectId}`)).status).toBe(404);
    const login = await app.connect(owner.personId);
    expect((await app.post(login.token, LIST, { 'loupe-project-id': projectId })).status).toBe(403);
  });
});

describe('a repeat of a write', () => {
  it('with the same Loupe-Request-Id acts once, also when both come at the same moment', async () => {
    const { token } = await bound();
    const headers = { 'loupe-request-id': '3a1c7f52-3b0e-4b6e-9d27-0d6c3bb7a001' };
    const create = () => app.call(token, 'document_create', { title: 'Once', markdown: '# Once' }, headers);
    const answers = await Promise.all([create(), create()]);
    answers.push(await create());
    expect(new Set(answers.map((answer) => answer.structuredContent?.documentId)).size).toBe(1);
    expect((await app.call(token, 'document_list')).structuredContent).toMatchObject({ total: 1 });
    expect(
      await app.refusal(token, 'document_create', { title: 'Twice', markdown: '# Twice' }, headers),
    ).toContain('Loupe-Request-Id was used for another request');
  });
});

describe('two replicas', () => {
  it('identity 12.18: initialize at one and tools/call at the other works, also after a restart', async () => {
    const { token, projectId } = await bound('Shared by two');
    // The audience of a token is the address of the instance, so both answer to the same one.
    const second = await LoupeApp.start({ db: app.db, env: { DEFAULT_URI: app.url } });
    try {
      await app.rpc(token, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'agent', version: '1' },
      });
      expect((await second.call(token, 'project_current')).structuredContent).toMatchObject({
        id: projectId,
      });
    } finally {
      await second.stop({ keepDatabase: true });
    }
    const third = await LoupeApp.start({ db: app.db, env: { DEFAULT_URI: app.url } });
    expect((await third.call(token, 'project_current')).structuredContent).toMatchObject({ id: projectId });
    await third.stop({ keepDatabase: true });
  });
});

describe('projects over HTTP', () => {
  it('creates, shows, lists, changes with the version that was read, and refuses what is wrong field by field', async () => {
    const person = await app.person('Ada');
    const browser = await app.signIn(person.personId);
    const made = await browser('POST', '/api/projects', { name: 'Café Été!', description: 'Shop' });
    expect(made).toMatchObject({
      status: 201,
      json: {
        slug: 'cafe-ete',
        role: 'owner',
        ownerName: 'Ada',
        version: 1,
        allowedOrigins: [],
        domain: null,
      },
    });
    const path = `/api/projects/${made.json.id}`;
    expect(
      (await browser('POST', '/api/projects', { name: '', searchLanguage: 'klingon' })).json,
    ).toMatchObject({
      error: 'invalid',
      fields: { name: 'must not be empty', searchLanguage: expect.stringContaining('english') },
    });
    expect((await browser('POST', '/api/projects', { name: 7, colour: 'red' })).json.fields).toEqual({
      name: 'must be a string',
      colour: 'is not a field of this request',
    });
    expect((await browser('PATCH', path, { name: 'Café', version: 1 })).json).toMatchObject({
      slug: 'cafe',
      version: 2,
      slugNote: expect.stringContaining("'cafe-ete'"),
    });
    expect(await browser('PATCH', path, { name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      json: { error: 'stale', current: { name: 'Café', version: 2 } },
    });
    expect(
      (await browser('PUT', `${path}/origins`, { origins: ['*'], version: 2 })).json.fields,
    ).toHaveProperty(['origins[0]']);
    expect(
      (await browser('PUT', `${path}/origins`, { origins: ['https://x.example'], version: 2 })).json,
    ).toEqual({
      origins: ['https://x.example'],
      changed: true,
      version: 3,
    });
    expect((await browser('GET', '/api/projects')).json.projects).toMatchObject([
      { slug: 'cafe', role: 'owner', counts: { openCards: 0, documentsToReview: 0 } },
    ]);
    expect((await browser('GET', '/api/search-languages')).json.languages).toContain('german');
  });

  it('answers foreign and unknown projects alike, and nobody without a session', async () => {
    const { projectId } = await bound();
    const browser = await app.signIn((await app.person()).personId);
    const foreign = await browser('GET', `/api/projects/${projectId}`);
    const unknown = await browser('GET', '/api/projects/00000000-0000-7000-8000-000000000000');
    const nonsense = await browser('GET', '/api/projects/acme');
    for (const { status, json } of [foreign, unknown, nonsense]) {
      expect([status, json.error, json.message]).toEqual([
        404,
        'not_found',
        'Project not found or not accessible.',
      ]);
    }
    expect((await fetch(`${app.url}/api/projects/${projectId}`)).status).toBe(401);
  });
});

describe('connecting', () => {
  it('platform 19.8: the Connect page leads with a command that works today, and lists the tools that the flags let through', async () => {
    const { owner, projectId } = await bound();
    const browser = await app.signIn(owner.personId);
    const { json } = await browser('GET', `/api/projects/${projectId}/connect`);
    expect(json.initCommand).toBe(`claude mcp add --transport http loupe ${app.url}/mcp`);
    expect(json.setupPrompt).toContain(`curl -fsSL "${app.url}/setup.md?project=${projectId}"`);
    const names = json.tools.map((tool: { name: string }) => tool.name);
    expect(names).toContain('document_create');
    expect(names).not.toContain('document_highlight');
    for (const { description } of json.tools) expect(description).toMatch(/^[A-Z].*\.$/);
    const stranger = await app.signIn((await app.person()).personId);
    expect((await stranger('GET', `/api/projects/${projectId}/connect`)).status).toBe(404);
  });

  it('lists the machines of the asking person alone', async () => {
    const { owner, projectId } = await bound();
    const { connectionId } = await app.connect(owner.personId, { label: 'build-mac', clientId: 'loupe-cli' });
    const browser = await app.signIn(owner.personId);
    const { machines } = (await browser('GET', `/api/projects/${projectId}/machines`)).json;
    expect(machines).toContainEqual({
      connectionId,
      label: 'build-mac',
      clientName: 'Test agent',
      signedInAt: expect.any(String),
      lastSeenAt: null,
      usedThisProjectAt: null,
    });
    const member = await app.person();
    await app.join(projectId, member.personId, 'member');
    const other = await app.signIn(member.personId);
    expect((await other('GET', `/api/projects/${projectId}/machines`)).json).toEqual({ machines: [] });
  });

  it('platform 19.11 and cli 12.2: /setup.md fills in a project id, and neither shows nor looks up anything else', async () => {
    const setup = async (query: string) => {
      const response = await fetch(`${app.url}/setup.md${query}`, {
        headers: { 'x-forwarded-host': 'evil.example' },
      });
      return {
        type: response.headers.get('content-type'),
        cache: response.headers.get('cache-control'),
        text: await response.text(),
      };
    };
    const id = '01890000-0000-7000-8000-000000000000';
    const named = await setup(`?project=${id}`);
    expect([named.type, named.cache]).toEqual(['text/markdown; charset=utf-8', 'no-store']);
    expect(named.text).toContain(`loupe project link --project ${id} --mcp`);
    expect(named.text).toContain(`curl -fsSL ${app.url}/install.sh | sh`);
    for (const query of ['?project=<script>', '?project=a&project=b', '?project[x]=1', '']) {
      const { text } = await setup(query);
      expect(text).not.toContain('--project');
      expect(text).not.toContain('script');
      expect(text).not.toContain('evil.example');
      expect(text).toContain(`${app.url}/mcp`);
    }
  });
});
