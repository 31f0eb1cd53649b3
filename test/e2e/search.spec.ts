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

interface Found {
  readonly pages: readonly { readonly title: string; readonly url: string }[];
  readonly results: readonly {
    readonly kind: string;
    readonly projectId: string;
    readonly projectName: string;
    readonly title: string;
    readonly titleMarked: string;
    readonly url: string;
    readonly snippet: string | null;
    readonly number: number | null;
    readonly finished: boolean;
    readonly archived: boolean;
  }[];
  readonly page: number;
  readonly hasMore: boolean;
  readonly query: string;
  readonly cut: boolean;
}

/** The search of the palette and of its page, against the built server (`platform.md` 10). */
describe('search, from outside', () => {
  let server: LoupeServer;
  let owner: Visitor;
  let viewer: Visitor;
  let stranger: Visitor;
  let ferry: string;
  let harbour: string;
  let foreign: string;
  let viewerId: string;

  beforeAll(async () => {
    server = await LoupeServer.start({ env: adminEnv });
    owner = await signedIn(server.origin);
    await liftRateLimit(owner);
    viewerId = await addPerson(server, 'vic@mail.example', 'Vic Viewer');
    viewer = await signedIn(server.origin, 'vic@mail.example');
    await addPerson(server, 'sam@mail.example', 'Sam Stranger');
    stranger = await signedIn(server.origin, 'sam@mail.example');
    ferry = await newProject(owner, 'Ferry bookings');
    harbour = await newProject(owner, 'Harbour map');
    foreign = await newProject(stranger, 'Secret plans');
    await addMember(server, ferry, viewerId, 'viewer');
    await document(owner, ferry, 'Moving exports', 'The lantern burns while rows are exported.');
    await document(owner, harbour, 'Lights', 'Where each lantern hangs.');
    await document(stranger, foreign, 'Lantern of Sam', 'A secret lantern.');
    await card(owner, ferry, 'A lantern for the pier');
    await card(owner, harbour, 'Draw lanterns');
    for (let n = 0; n < 12; n += 1) await card(stranger, foreign, `Lantern ${n}`);
  }, 120_000);

  afterAll(() => server?.stop());

  async function document(who: Visitor, projectId: string, title: string, markdown: string): Promise<string> {
    const { status, body } = await who.api<{ id: string }>('POST', `/projects/${projectId}/documents`, {
      title,
      markdown,
      draft: false,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  }

  async function card(
    who: Visitor,
    projectId: string,
    title: string,
  ): Promise<{ id: string; number: number }> {
    const { status, body } = await who.api<{ card: { cardId: string; number: number } }>(
      'POST',
      `/projects/${projectId}/board/cards`,
      { title, body: '' },
    );
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { id: body.card.cardId, number: body.card.number };
  }

  async function search(who: Visitor, query: Record<string, string>): Promise<Found> {
    const { status, body } = await who.api<Found>('GET', `/search?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    return body;
  }

  const titles = async (who: Visitor, query: Record<string, string>) =>
    (await search(who, query)).results.map(({ title }) => title).sort();

  async function flag(name: string, value: boolean): Promise<void> {
    expect((await owner.api('PUT', `/admin/flags/${name}`, { value })).status).toBe(200);
    await until(async () => {
      const { body } = await owner.api<{ flags: Record<string, boolean> }>('GET', '/session');
      return body.flags[name] === value;
    });
  }

  it('platform 10: a project is searched alone, all of them together, and each result names its project', async () => {
    const alone = await search(owner, { q: 'lanterns', project: ferry });
    expect(alone).toMatchObject({ page: 1, hasMore: false, query: 'lanterns', cut: false });
    expect(alone.results.map(({ kind, title, projectName }) => [kind, title, projectName]).sort()).toEqual([
      ['card', 'A lantern for the pier', 'Ferry bookings'],
      ['document', 'Moving exports', 'Ferry bookings'],
    ]);
    expect(alone.results.find(({ kind }) => kind === 'document')).toMatchObject({
      url: expect.stringContaining(`/projects/${ferry}/documents/`),
      snippet: 'The <mark>lantern</mark> burns while rows are exported.',
    });
    expect(await titles(owner, { q: 'lantern' })).toEqual([
      'A lantern for the pier',
      'Draw lanterns',
      'Lights',
      'Moving exports',
    ]);
  });

  it('platform 19.14: #12 opens card 12; cards and documents of a project that is not shared never appear', async () => {
    const { number } = await card(owner, ferry, 'The numbered one');
    const { results } = await search(owner, { q: `#${number}`, project: ferry });
    expect(results[0]).toMatchObject({
      kind: 'card',
      number,
      title: 'The numbered one',
      url: `/projects/${ferry}/board?card=${number}`,
    });
    // Sam has twelve cards and a document with the word; nobody else sees one of them, or that there is another page.
    for (const q of ['lantern', '-nothing', '#12', '"secret lantern"', 'lant', 'Sam OR Secret']) {
      for (const who of [owner, viewer]) {
        for (const page of ['1', '2']) {
          const answer = await search(who, { q, page });
          expect(answer.results.filter(({ projectId }) => projectId === foreign)).toEqual([]);
          expect(answer.pages.filter(({ url }) => url.includes(foreign))).toEqual([]);
          expect(answer.hasMore).toBe(false);
        }
      }
    }
    expect((await search(stranger, { q: 'lantern' })).hasMore).toBe(true);
    for (const project of [foreign, ferry.replace(/^./, 'f'), 'x', "' OR 1=1"]) {
      const { status, body } = await owner.api<{ error: string }>(
        'GET',
        `/search?${new URLSearchParams({ q: 'lantern', project })}`,
      );
      expect([project, status, body.error]).toEqual([project, 404, 'not_found']);
    }
  });

  it('platform 19.37: a viewer searches what is shared, and nothing more once removed', async () => {
    expect(await titles(viewer, { q: 'lantern' })).toEqual(['A lantern for the pier', 'Moving exports']);
    expect((await search(viewer, { q: '', project: ferry })).pages.map(({ title }) => title)).not.toContain(
      'New document',
    );
    expect((await viewer.open(`/search?q=lantern&project=${ferry}`)).response.status).toBe(200);
    await sql(server, 'DELETE FROM projects.memberships WHERE project_id = $1 AND person_id = $2', [
      ferry,
      viewerId,
    ]);
    expect(await search(viewer, { q: 'lantern' })).toMatchObject({ results: [], hasMore: false });
    expect((await viewer.api('GET', `/search?q=lantern&project=${ferry}`)).status).toBe(404);
    expect((await viewer.open(`/search?q=lantern&project=${ferry}`)).response.status).toBe(404);
    await addMember(server, ferry, viewerId, 'viewer');
  });

  it('platform 19.13: an archived document is listed and marked archived, a finished card marked finished', async () => {
    const id = await document(owner, ferry, 'The old tariff', 'A zeppelin was meant to come.');
    const archived = await owner.api('POST', `/projects/${ferry}/documents/${id}/archive`, {
      reason: 'Nobody wants it.',
    });
    expect(archived.status).toBeLessThan(300);
    const { id: cardId } = await card(owner, ferry, 'Order a zeppelin');
    const { body } = await owner.api<{ columns: { columnId: string; terminal: boolean }[] }>(
      'GET',
      `/projects/${ferry}/board`,
    );
    const columnId = body.columns.find(({ terminal }) => terminal)!.columnId;
    const moved = await owner.api('POST', `/projects/${ferry}/board/cards/${cardId}/move`, { columnId });
    expect(moved.status).toBeLessThan(300);
    const { results } = await search(owner, { q: 'zeppelins', project: ferry });
    expect(
      results
        .map(({ title, archived, finished }) => ({ title, archived, finished }))
        .sort((a, b) => a.title.localeCompare(b.title)),
    ).toEqual([
      { title: 'Order a zeppelin', archived: false, finished: true },
      { title: 'The old tariff', archived: true, finished: false },
    ]);
  });

  it('platform 10: with the board off there are no cards, and no page of the board', async () => {
    await flag('board.enabled', false);
    try {
      const { results } = await search(owner, { q: 'lantern' });
      expect(results.map(({ kind }) => kind)).toEqual(['document', 'document']);
      expect((await search(owner, { q: '#1', project: ferry })).results).toEqual([]);
      for (const q of ['', 'board', 'rules', 'workflow']) {
        const { pages } = await search(owner, { q, project: ferry });
        expect(pages.filter(({ title }) => /Board|Backlog|Workflow|Automation|card/.test(title))).toEqual([]);
      }
    } finally {
      await flag('board.enabled', true);
    }
    expect((await search(owner, { q: 'rules', project: ferry })).pages).toContainEqual({
      title: 'Workflow',
      url: `/projects/${ferry}/settings/workflow`,
    });
  });

  it('platform 10: without words the pages of the project are answered, each of which is there', async () => {
    const { pages, results } = await search(owner, { q: ' ', project: ferry });
    expect(results).toEqual([]);
    expect(pages.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Workshop', 'Documents', 'Board', 'Project settings']),
    );
    for (const { url } of pages) expect([url, (await owner.open(url)).response.status]).toEqual([url, 200]);
  });

  it('platform 10: ten cards and ten documents a page at most, each once', async () => {
    const projectId = await newProject(owner, 'Many');
    for (let n = 1; n <= 13; n += 1) {
      await card(owner, projectId, `Anchor ${n}`);
      await document(owner, projectId, `Anchor ${n}`, 'Text.');
    }
    const first = await search(owner, { q: 'anchor', project: projectId });
    const second = await search(owner, { q: 'anchor', project: projectId, page: '2' });
    expect([first.results.length, first.hasMore, second.results.length, second.hasMore]).toEqual([
      20,
      true,
      6,
      false,
    ]);
    expect(new Set([...first.results, ...second.results].map(({ url }) => url)).size).toBe(26);
    expect(second.pages).toEqual([]);
    const behind = await search(owner, { q: 'anchor', project: projectId, page: '999999999' });
    expect(behind).toMatchObject({ results: [], hasMore: false });
    expect((await search(owner, { q: 'anchor', project: projectId, page: '1.5' })).page).toBe(1);
  });

  it.each([
    ['signs', '!@#$%^&*()_+{}|:<>?~`-=[]\\;,./'],
    ['a quote without an end', '"lantern'],
    ['a quote of SQL', "'; DROP TABLE board.card; --"],
    ['a pattern', '%_\\'],
    ['a tag', '<script>alert(1)</script>'],
    ['emoji', '🚢🏴‍☠️'],
    ['right-to-left', 'שלום \u202eעולם'],
    ['NUL and half a character', '\0lan\ud800'],
    ['operators', ':* <-> & | !'],
  ])('platform 10: %s is searched for, and nothing breaks', async (_, q) => {
    const { results, query } = await search(owner, { q });
    for (const { snippet, titleMarked } of results)
      expect(`${snippet}${titleMarked}`.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>]/);
    expect(query).not.toContain('\0');
  });

  it('platform 10: more than 200 characters are cut, and the answer says so', async () => {
    const answer = await search(owner, { q: `lantern ${'x'.repeat(10_000)}` });
    expect([[...answer.query].length, answer.cut]).toEqual([200, true]);
    const blanks = await search(owner, { q: `lantern${' '.repeat(9_000)}` });
    expect([blanks.query, blanks.results.length > 0]).toEqual(['lantern', true]);
  });

  it('platform 10: signs of HTML in texts are escaped in titles and snippets', async () => {
    await document(
      owner,
      ferry,
      'A <b>bold</b> & "quoted" walrus',
      'The walrus says `<img src=x onerror=alert(1)>`.',
    );
    const { results } = await search(owner, { q: 'walrus', project: ferry });
    expect(results[0]).toMatchObject({
      title: 'A <b>bold</b> & "quoted" walrus',
      titleMarked: 'A &lt;b&gt;bold&lt;/b&gt; &amp; &quot;quoted&quot; <mark>walrus</mark>',
      snippet: 'The <mark>walrus</mark> says &lt;img src=x onerror=alert(1)&gt;.',
    });
  });

  it('platform 2.2: the page of results needs a session', async () => {
    const answer = await fetch(`${server.origin}/search?q=x`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/login?next=%2Fsearch%3Fq%3Dx']);
    expect((await fetch(`${server.origin}/api/search?q=x`)).status).toBe(401);
  });
});
