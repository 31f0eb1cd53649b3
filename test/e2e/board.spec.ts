import { ClientSite } from '../support/agent.js';
import { BoardAgent } from '../support/board-agent.js';
import type { Json } from '../support/loupe-app.js';
import { LoupeServer } from '../support/loupe-server.js';
import { addMember, addPerson, adminEnv, liftRateLimit, signedIn } from '../support/settled-server.js';
import { until } from '../support/until.js';
import type { Visitor } from '../support/visitor.js';

const SUMMARY = [
  'cardId',
  'number',
  'parentCardId',
  'reporter',
  'state',
  'status',
  'title',
  'type',
  'updatedAt',
];
const BOARD_TOOLS =
  /^(card_|board_|column_|feedback_|workflow_get$|automation_settings_update$|document_review_|agent_review_|discovery_)/;

/** An agent works on the board of the built server over MCP, its person beside it in the browser. */
describe('the board, seen by an agent', () => {
  let site: ClientSite;
  let server: LoupeServer;
  let ada: Visitor;

  beforeAll(async () => {
    site = await ClientSite.start();
    server = await LoupeServer.start({ env: { ...site.env, ...adminEnv } });
    ada = await signedIn(server.origin);
    await liftRateLimit(ada);
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
    await site?.stop();
  });

  /** A new project with its agent; `simple` boards allow any move. */
  async function board(templateKey?: 'simple' | '') {
    const made = await ada.api<{ id: string }>('POST', '/projects', { name: 'Ferry', templateKey });
    expect(made.status).toBe(201);
    const agent = await BoardAgent.signedIn(ada, made.body.id, server.origin);
    const api = <T = Record<string, Json>>(method: string, path: string, body?: unknown) =>
      ada.api<T>(method, `/projects/${made.body.id}/board${path}`, body);
    return { agent, api, projectId: made.body.id };
  }

  it('board 1: the columns and types of a new project are those of Lifecycle', async () => {
    const { agent } = await board();
    const { columns, types, defaultType } = await agent.call('board_columns');
    expect(columns.map((column: object) => Object.values(column))).toEqual([
      ['backlog', 'Backlog', false, true, true],
      ['next', 'Next', false, false, false],
      ['product-design', 'Product design', false, false, false],
      ['tech-design', 'Tech design', false, false, false],
      ['implementation', 'Implementation', false, false, false],
      ['in-review', 'In review', false, false, false],
      ['done', 'Done', true, false, false],
    ]);
    expect(Object.keys(columns[0])).toEqual(['slug', 'label', 'terminal', 'default', 'backlog']);
    expect(types).toHaveLength(7);
    expect(types[6]).toEqual({ key: 'epic', label: 'Epic', children: true, lane: true });
    expect(defaultType).toBe('feature');
  });

  it('board 1: a project without a template starts with Backlog, Next, In progress, Done', async () => {
    const { agent } = await board('');
    const { columns } = await agent.call('board_columns');
    expect(columns.map(({ slug }: { slug: string }) => slug)).toEqual([
      'backlog',
      'next',
      'in-progress',
      'done',
    ]);
    const card = await agent.create('Free to go');
    expect((await agent.update(card.number, { status: 'done' })).status).toBe('done');
  });

  it('board 2 and 4: numbers count from 1 in each project and are never given twice', async () => {
    const { agent, api } = await board();
    const first = await agent.create('One');
    expect(first).toMatchObject({
      number: 1,
      status: 'backlog',
      type: 'feature',
      reporter: 'agent',
      body: '',
    });
    const second = await agent.create('Two');
    expect(second.number).toBe(2);
    const other = await board();
    expect((await other.agent.create('One there')).number).toBe(1);
    expect((await api('DELETE', `/cards/${second.cardId}`, { confirm: 2 })).status).toBe(204);
    expect((await agent.create('Three')).number).toBe(3);
    expect(await agent.refusal('card_get', { number: 2 })).toBe('number: This project has no card 2.');
  });

  it('board 3: an unknown status, type and reporter are refused with those that exist, all at once', async () => {
    const { agent } = await board();
    const text = await agent.refusal('card_create', {
      title: ' ',
      body: 'x'.repeat(100_001),
      status: 'doing',
      type: 'saga',
      reporter: 'reviewer',
    });
    expect(text.split('\n').sort()).toEqual([
      'body: at most 100000 characters.',
      'reporter: Only the review widget writes reviewer.',
      'status: Unknown status "doing". Use one of: backlog, next, product-design, tech-design, implementation, in-review, done.',
      'title: 1 to 255 characters on one line.',
      'type: Unknown type "saga". Use one of: feature, bug, security, tooling, docs, idea, epic.',
    ]);
    expect((await agent.call('card_list')).total).toBe(0);
  });

  it('board 5: a card is named by its id or its number, not by both, and says so', async () => {
    const { agent } = await board();
    const { cardId } = await agent.create('One');
    expect(await agent.refusal('card_get', { cardId, number: 1 })).toBe(
      'cardId: Pass either cardId or number, not both.',
    );
    expect(await agent.refusal('card_get')).toBe('cardId: Pass cardId or number.');
    expect(await agent.refusal('card_get', { number: 99 })).toBe('number: This project has no card 99.');
    expect(await agent.refusal('card_get', { cardId: 'one' })).toBe('cardId: "one" is not a valid id.');
    expect((await agent.call('card_get', { cardId: cardId.toUpperCase() })).number).toBe(1);
  });

  it('board 6: rows of a list hold nine keys, full ones the card; pages are clamped and counted', async () => {
    const { agent } = await board('simple');
    for (let number = 1; number <= 101; number += 1) await agent.create(`Card ${number}`);
    const page = await agent.call('card_list', { perPage: 1000 });
    expect(page).toMatchObject({ page: 1, perPage: 100, total: 101, hasMore: true });
    expect(page.cards).toHaveLength(100);
    expect(Object.keys(page.cards[0]).sort()).toEqual(SUMMARY);
    expect(await agent.call('card_list', { page: 99 })).toMatchObject({ cards: [], hasMore: false });
    const full = await agent.call('card_list', { full: true, perPage: 1 });
    expect(Object.keys(full.cards[0])).toEqual(
      expect.arrayContaining([
        'body',
        'source',
        'pullRequests',
        'documents',
        'relatedCards',
        'progress',
        'hold',
      ]),
    );
    await agent.update(3, { status: 'next' });
    expect((await agent.call('card_list', { status: 'next' })).cards).toMatchObject([{ number: 3 }]);
    expect(await agent.call('card_list', { status: 'backlog', type: 'bug' })).toMatchObject({ total: 0 });
  });

  it('a long column comes in pieces: each card once, in order, with lanes and without', async () => {
    const { agent, api } = await board('simple');
    const epic = await agent.create('Epic', { type: 'epic' });
    for (let number = 2; number <= 13; number += 1) {
      await agent.create(`Card ${number}`, {
        status: 'next',
        ...(number % 2 ? {} : { parentCardId: epic.cardId }),
      });
    }
    const { columns } = (await api('GET', '/columns')).body;
    const columnId = columns[1].columnId as string;
    const pieces = async (lane: string) => {
      const numbers: number[] = [];
      for (let after = '', more = true; more; ) {
        const { status, body } = await api('GET', `/tiles?columnId=${columnId}&limit=5${lane}${after}`);
        expect(status).toBe(200);
        numbers.push(...body.tiles.map((tile: { number: number }) => tile.number));
        more = body.hasMore;
        after = `&after=${body.tiles.at(-1)?.cardId}`;
      }
      return numbers;
    };
    expect(await pieces('')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(await pieces(`&laneId=${epic.cardId}`)).toEqual([2, 4, 6, 8, 10, 12]);
    expect(await pieces('&laneId=none')).toEqual([3, 5, 7, 9, 11, 13]);
    const piece = async (after: { cardId: string; order: number }) => {
      const query = `columnId=${columnId}&limit=5&after=${after.cardId}&afterOrder=${after.order}`;
      const { tiles } = (await api('GET', `/tiles?${query}`)).body;
      return tiles.map((tile: { number: number }) => tile.number);
    };
    const first = (await api('GET', `/tiles?columnId=${columnId}&limit=5`)).body.tiles;
    await agent.update(first[4].number, { status: 'in-progress' });
    expect(await piece(first[4])).toEqual([7, 8, 9, 10, 11]);
    expect((await api('DELETE', `/cards/${first[4].cardId}`, { confirm: 6 })).status).toBe(204);
    expect(await piece(first[4])).toEqual([7, 8, 9, 10, 11]);
    const page = (await api('GET', '?perColumn=3&lanes=off')).body;
    expect(page.tiles.map((tile: { number: number }) => tile.number)).toEqual([2, 3, 4]);
    expect(page.columns[1]).toMatchObject({ cards: 11, total: 11 });
  });

  it('board 7: words are found by their stem in title and body, finished cards too', async () => {
    const { agent } = await board('simple');
    await agent.create('Lists', { body: 'Show pages one by one.', status: 'done' });
    await agent.create('Paging of tables');
    await agent.create('Something else');
    const found = await agent.call('card_search', { query: 'paging' });
    expect(found.cards.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
    expect(found).toMatchObject({ total: 2, hasMore: false, perPage: 25 });
    const without = await agent.call('card_search', { query: 'lists -pages' });
    expect(without.total).toBe(0);
    expect(await agent.refusal('card_search', { query: '  ' })).toBe('query: must not be blank.');
  });

  it('board 8 and 9: links to pull requests are a whole set, in order, each once, with any address', async () => {
    const { agent } = await board();
    const [github, gitlab] = [
      'https://github.com/o/r/pull/7',
      'https://gitlab.example/o/r/-/merge_requests/3',
    ];
    const card = await agent.create('One', { pullRequestUrls: [github, gitlab, github, ' '] });
    expect(card.pullRequests).toMatchObject([
      { url: github, forge: 'github', repository: 'o/r', number: 7, state: null },
      { url: gitlab, forge: 'other', repository: null, number: null, state: null },
    ]);
    const kept = await agent.update(1, { title: 'Still one' });
    expect(kept.pullRequests).toEqual(card.pullRequests);
    const less = await agent.update(1, { pullRequestUrls: [gitlab] });
    expect(less.pullRequests).toEqual([card.pullRequests[1]]);
    expect(
      await agent.refusal('card_update', { number: 1, pullRequestUrls: [github, 'x'.repeat(513)] }),
    ).toBe('pullRequestUrls[1]: at most 512 characters.');
    expect((await agent.update(1, { pullRequestUrls: [] })).pullRequests).toEqual([]);
  });

  it('board 10: a link reads from both ends, and either end can remove it', async () => {
    const { agent } = await board();
    const [a, b] = [await agent.create('A'), await agent.create('B')];
    await agent.update(1, { relatedCards: [{ cardId: b.cardId, kind: 'blocks' }] });
    expect((await agent.get(2)).relatedCards).toEqual([
      { cardId: a.cardId, number: 1, title: 'A', status: 'backlog', kind: 'blocked-by' },
    ]);
    expect((await agent.get(2)).state).toMatchObject({ kind: 'waiting', code: 'held-by-blocker' });
    await agent.update(2, { relatedCards: [] });
    expect((await agent.get(1)).relatedCards).toEqual([]);
    const bad = await agent.refusal('card_update', {
      number: 1,
      relatedCards: [{ cardId: a.cardId }, { cardId: b.cardId, kind: 'likes' }],
    });
    expect(bad).toContain('relatedCards[0].cardId: A card cannot link to itself.');
    expect(bad).toContain('relatedCards[1].kind: Use one of: relates-to, blocks, blocked-by.');
  });

  it('board 11 and 12: parents are epics of the same project that are no children themselves', async () => {
    const { agent } = await board();
    const epic = await agent.create('Epic', { type: 'epic' });
    const child = await agent.create('Child', { parentCardId: epic.cardId });
    expect(child.parent).toMatchObject({ number: 1 });
    const stranger = await (await board()).agent.create('Elsewhere', { type: 'epic' });
    const refused = (change: object) => agent.refusal('card_update', { number: 2, ...change });
    expect(await refused({ type: 'epic' })).toBe('type: A card with a parent cannot become "epic".');
    expect(await refused({ parentCardId: stranger.cardId })).toBe(
      'parentCardId: Card not found or not accessible.',
    );
    expect(await refused({ clearParent: true, parentCardId: epic.cardId })).toBe(
      'clearParent: Pass clearParent or parentCardId, not both.',
    );
    expect(
      await agent.refusal('card_create', {
        title: 'Epic 2',
        body: '',
        type: 'epic',
        parentCardId: epic.cardId,
      }),
    ).toBe('parentCardId: An epic cannot have a parent.');
    expect(await agent.refusal('card_update', { number: 1, type: 'feature' })).toBe(
      'type: A card with children keeps a type that can have children.',
    );
    expect((await agent.get(1)).progress).toEqual({ done: 0, total: 1 });
    expect((await agent.update(2, { parentCardId: '' })).parent).toBeNull();
    expect((await agent.get(1)).children).toEqual([]);
  });

  it('board 13: an epic with an open child is not finished by hand', async () => {
    const { agent } = await board('simple');
    const epic = await agent.create('Epic', { type: 'epic' });
    await agent.create('Child', { parentCardId: epic.cardId });
    expect(await agent.refusal('card_update', { number: 1, status: 'done' })).toMatch(/^status: .*\b2\b/);
    await agent.update(2, { status: 'done' });
    expect((await agent.update(1, { status: 'done' })).progress).toEqual({ done: 1, total: 1 });
  });

  it('board 14 and 20: a managed card keeps to the moves of the template; a held one goes anywhere', async () => {
    const { agent } = await board();
    await agent.create('One');
    expect(await agent.refusal('card_update', { number: 1, status: 'in-review' })).toBe(
      'status: The workflow does not allow a move from "backlog" to "in-review". From here it allows: next, product-design, tech-design, done. To move the card anyway, call card_hold first.',
    );
    expect(await agent.call('card_hold', { number: 1 })).toMatchObject({
      outcome: 'held',
      cancelledRequests: 0,
      openRuns: [],
    });
    expect(await agent.call('card_hold', { number: 1 })).toMatchObject({
      outcome: 'refused',
      code: 'already-paused',
    });
    const moved = await agent.update(1, { status: 'in-review' });
    expect(moved).toMatchObject({ status: 'in-review', state: null, hold: { since: expect.any(String) } });
    expect(await agent.call('card_release', { number: 1 })).toMatchObject({ outcome: 'released' });
    expect(await agent.call('card_release', { number: 1 })).toMatchObject({
      outcome: 'refused',
      code: 'not-paused',
    });
    expect(await agent.refusal('card_update', { number: 1, status: 'next' })).toContain(
      'From here it allows: backlog.',
    );
    expect(await agent.call('card_hold', { number: 42 })).toMatchObject({ cardId: null, code: 'not-found' });
  });

  it('board 14: with the workflow switched off any move works, and switched on again the limits are back', async () => {
    const { agent } = await board();
    await agent.create('One');
    await agent.call('automation_settings_update', { enabled: false });
    await agent.update(1, { status: 'implementation' });
    await agent.call('automation_settings_update', { enabled: true });
    expect(await agent.refusal('card_update', { number: 1, status: 'done' })).toContain(
      'From here it allows: backlog, tech-design.',
    );
  });

  it('board 16: finishing stamps the time, reopening clears it, and each real move is one row of history', async () => {
    const { agent } = await board('simple');
    await agent.create('One');
    const done = await agent.update(1, { status: 'done' });
    expect(done.completedAt).toEqual(expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/));
    await agent.update(1, { status: 'done' });
    expect((await agent.update(1, { status: 'next' })).completedAt).toBeNull();
    const { events, total } = await agent.call('card_get_history', { number: 1 });
    expect(
      events.map((event: Record<string, Json>) => [event.kind, event.from?.slug, event.to?.slug]),
    ).toEqual([
      ['moved', 'done', 'next'],
      ['moved', 'backlog', 'done'],
      ['created', undefined, 'backlog'],
    ]);
    expect(total).toBe(3);
    expect(events[0].actor).toEqual({ kind: 'agent', name: 'Agent for ada.admin' });
  });

  it('board 18 and 19: a session on a card stays open over its own move, and a later move closes it', async () => {
    const { agent } = await board('simple');
    await agent.create('One');
    const session = { sessionId: 'session-1', name: 'implement', number: 1 };
    const opened = await agent.call('card_run_open', { ...session, status: 'next' });
    expect(opened).toMatchObject({ status: 'next', run: { state: 'running', name: 'implement' } });
    expect(opened.state).toMatchObject({ kind: 'working', code: 'session-open' });
    expect((await agent.call('card_run_open', session)).run.runId).toBe(opened.run.runId);
    await agent.update(1, { status: 'in-progress' });
    expect((await agent.get(1)).state).toBeNull();
    const again = await agent.call('card_run_open', session);
    expect(again.run.runId).not.toBe(opened.run.runId);
    const close = () => agent.call('card_run_close', { sessionId: 'session-1', number: 1 });
    expect(await close()).toMatchObject({ run: { runId: again.run.runId, state: 'closed' } });
    expect(await close()).toMatchObject({ run: { runId: again.run.runId, state: 'closed' } });
    await agent.update(1, { status: 'done' });
    expect(await agent.refusal('card_run_open', session)).toBe(
      'status: Card 1 is finished. Pass the slug of an open column.',
    );
  });

  it('board 21: columns are made, named, ordered and deleted, and say what stands in the way', async () => {
    const { agent } = await board();
    const made = await agent.call('column_create', { label: 'Café testing' });
    expect(made.column).toMatchObject({ slug: 'cafe-testing', terminal: false });
    await agent.create('One', { status: 'cafe-testing' });
    expect(await agent.refusal('column_delete', { slug: 'cafe-testing' })).toBe(
      'targetColumn: Column "cafe-testing" holds 1 card. Name the column that takes them.',
    );
    expect(await agent.refusal('column_delete', { slug: 'done' })).toMatch(/terminal/);
    expect(await agent.refusal('column_update', { slug: 'done', terminal: false })).toBe(
      'terminal: The last terminal column must stay terminal. Make another column terminal first.',
    );
    expect(await agent.refusal('column_update', { slug: 'in-review', terminal: true })).toBe(
      'terminal: Column "in-review" is a place of the workflow and cannot be terminal.',
    );
    const order = await agent.refusal('column_reorder', { order: ['next', 'next', 'doing'] });
    expect(order).toMatch(
      /^order: must name every column except backlog exactly once\. Missing: .*in-review/,
    );
    expect(order).toMatch(/Unknown: doing/);
    expect(order).toMatch(/Repeated: next/);
    const deleted = await agent.call('column_delete', { slug: 'cafe-testing', targetColumn: 'backlog' });
    expect(deleted).toMatchObject({ deleted: 'cafe-testing', movedCards: 1 });
    expect((await agent.get(1)).status).toBe('backlog');
  });

  it('board 22: a renamed column has another slug and stays the place of its slot', async () => {
    const { agent } = await board();
    await agent.call('column_update', { slug: 'next', label: 'Up soon' });
    const { columns } = await agent.call('workflow_get');
    expect(columns[1]).toMatchObject({ slug: 'up-soon', slot: 'next' });
    await agent.create('One');
    expect((await agent.update(1, { status: 'up-soon' })).status).toBe('up-soon');
  });

  it('workflow 29: the deleted column of a slot leaves it empty, and no move leads to that place', async () => {
    const { agent } = await board();
    await agent.create('One', { status: 'tech-design' });
    await agent.call('column_delete', { slug: 'tech-design', targetColumn: 'next' });
    const { columns } = await agent.call('workflow_get');
    expect(columns.map(({ slot }: { slot: string | null }) => slot)).not.toContain('tech-design');
    expect(await agent.refusal('card_update', { number: 1, status: 'implementation' })).toContain(
      'From here it allows: backlog, product-design, done.',
    );
  });

  it('board 25: a child of a planned epic says whether it takes over the design', async () => {
    const { agent, projectId } = await board();
    const epic = await agent.create('Epic', { type: 'epic' });
    const design = await agent.call('document_create', {
      title: 'How',
      markdown: '# How\n\nLike this.',
      tags: ['tech-design'],
    });
    await agent.update(1, { documentIds: [design.documentId] });
    expect((await agent.get(1)).state).toMatchObject({ kind: 'needs-you', code: 'document-in-review' });
    const verdict = await ada.api('POST', `/projects/${projectId}/documents/${design.documentId}/verdicts`, {
      version: 1,
      verdict: 'approved',
    });
    expect(verdict.status).toBeLessThan(300);
    await until(async () => (await agent.get(1)).state === null);
    const child = { title: 'Child', body: '', parentCardId: epic.cardId };
    expect(await agent.refusal('card_create', child)).toBe(
      'childDesign: Card 1 has an approved tech design. Pass inherit to link it, or own to give this card its own tech design.',
    );
    const inherited = await agent.call('card_create', { ...child, childDesign: 'inherit' });
    expect(inherited).toMatchObject({ status: 'backlog', documents: [{ documentId: design.documentId }] });
    expect(await agent.call('card_create', { ...child, childDesign: 'own' })).toMatchObject({
      status: 'tech-design',
      documents: [],
    });
    expect(await agent.refusal('card_create', { ...child, childDesign: 'own', status: 'next' })).toBe(
      'status: Leave it out with childDesign own, which moves the card to Tech design.',
    );
    expect(await agent.refusal('card_create', { title: 'Alone', body: '', childDesign: 'inherit' })).toBe(
      'childDesign: needs a parent.',
    );
  });

  it('board 27: with the flag off the tools leave the list, calls are refused, and all comes back as it was', async () => {
    const { agent, api } = await board();
    await agent.create('One');
    const listed = (await agent.listed()).filter((name) => BOARD_TOOLS.test(name));
    expect(listed.length).toBeGreaterThan(15);
    const flag = async (value: boolean) => {
      expect((await ada.api('PUT', '/admin/flags/board.enabled', { value })).status).toBe(200);
      await until(async () => (await agent.listed()).includes('card_get') === value);
    };
    await flag(false);
    try {
      expect((await agent.listed()).filter((name) => BOARD_TOOLS.test(name))).toEqual([]);
      for (const name of listed) {
        expect(await agent.refusal(name, { nonsense: true })).toBe(
          'The board is switched off on this instance.',
        );
      }
      for (const path of ['', '/columns', '/backlog', '/cards/by-number/1']) {
        expect(await api('GET', path)).toMatchObject({ status: 404, body: { error: 'switched_off' } });
      }
    } finally {
      await flag(true);
    }
    expect((await agent.get(1)).title).toBe('One');
  });

  it('board 29: nothing of a board is seen from another project', async () => {
    const [here, there] = [await board(), await board()];
    const { cardId } = await there.agent.create('Secret');
    for (const name of ['card_get', 'card_update', 'card_get_history']) {
      expect(await here.agent.refusal(name, { cardId })).toBe('cardId: Card not found or not accessible.');
    }
    expect((await here.api('GET', `/cards/${cardId}`)).status).toBe(404);
    expect((await here.agent.call('card_search', { query: 'secret' })).total).toBe(0);
    const own = await here.agent.create('Own');
    expect(await here.agent.refusal('card_update', { number: own.number, relatedCards: [{ cardId }] })).toBe(
      'relatedCards[0].cardId: Card not found or not accessible.',
    );
  });

  it('board 33: a viewer only reads, a member works, and columns are for maintainers', async () => {
    const { agent, projectId } = await board('simple');
    await agent.create('One');
    const as = async (role: 'viewer' | 'member') => {
      const email = `${role}.${projectId}@mail.example`;
      await addMember(server, projectId, await addPerson(server, email, role), role);
      return BoardAgent.signedIn(await signedIn(server.origin, email), projectId, server.origin);
    };
    const [viewer, member] = [await as('viewer'), await as('member')];
    expect((await viewer.get(1)).title).toBe('One');
    expect(await viewer.refusal('card_update', { number: 1, status: 'next' })).toBe(
      'Your role in this project is viewer, which may only read. Ask the owner or a maintainer for the member role.',
    );
    expect((await member.update(1, { status: 'next' })).status).toBe('next');
    expect(await member.refusal('column_create', { label: 'Mine' })).toBe(
      'This needs the maintainer role in the project. Ask its owner.',
    );
  });

  it('board 34: a repeated request id returns the first card, another one makes another', async () => {
    const { agent } = await board();
    const request = { 'loupe-request-id': crypto.randomUUID() };
    const args = { title: 'Once', body: '' };
    const first = await agent.call('card_create', args, request);
    const repeats = await Promise.all(
      Array.from({ length: 5 }, () => agent.call('card_create', args, request)),
    );
    expect(new Set(repeats.map(({ cardId }) => cardId))).toEqual(new Set([first.cardId]));
    const other = await agent.call('card_create', args, { 'loupe-request-id': crypto.randomUUID() });
    expect(other.number).toBe(2);
    const changed = await agent.raw('card_create', { title: 'Twice', body: '' }, request);
    expect(changed.body.result?.isError).toBe(true);
    expect((await agent.call('card_list')).total).toBe(2);
  });
});
