// Speed of boards inside one server process, on a real database: the board page, one card, moves, lists and searches.
// node test/bench/board-bench.mjs; needs `npm run build:server`. Ends with 1 when a figure is out of reach.
import { startBenchServer } from './bench-server.mjs';

const { CreateProject } = await import('#src/projects/application/commands/create-project.js');
const cards = (path) => import(`#src/board/cards/application/${path}.js`);
const { CreateCard } = await cards('commands/create-card');
const { DeleteColumn } = await cards('commands/delete-column');
const { MoveCard } = await cards('commands/move-card');
const { GetBoard } = await cards('queries/get-board');
const { GetCard } = await cards('queries/get-card');
const { GetCardHistory } = await cards('queries/get-card-history');
const { GetTiles } = await cards('queries/get-tiles');
const { ListBacklog } = await cards('queries/list-backlog');
const { ListCards } = await cards('queries/list-cards');
const { SearchCards } = await cards('queries/search-cards');
const { SuggestCards } = await cards('queries/suggest-cards');

const SMALL = 100;
const BOARD = 5_000;
const LARGE = 100_000;
const ROUNDS = 40;

const server = await startBenchServer();
const { get, database } = server;
let failed = false;
try {
  const actor = await server.person('Bench');
  const project = async (name, count) => {
    const { id } = await get(CreateProject).execute(actor, { name, templateKey: '' });
    await fill(id, count);
    return id;
  };
  const small = await project('Small', SMALL);
  const board = await project('Board', BOARD);
  const large = await project('Large', LARGE);
  await database.query(
    'VACUUM ANALYZE board.card, board.card_body, board.card_text, board.board_column, board.card_state',
  );
  const rich = await richCard(actor, board);

  report(
    'board page, 5,000 cards, no lanes, p95',
    await measure(() => get(GetBoard).execute(actor, { projectId: board, lanes: false })),
    200,
  );
  report(
    'board page, 5,000 cards in lanes, p95',
    await measure(() => get(GetBoard).execute(actor, { projectId: board })),
    200,
  );
  const { tiles, columns } = await get(GetBoard).execute(actor, { projectId: board, lanes: false });
  const [next, progress] = columns.filter((column) => !column.backlog && !column.terminal);
  const last = tiles.filter((tile) => tile.columnId === next.columnId).at(-1);
  report(
    'the next 50 cards of a column, p95',
    await measure(() =>
      get(GetTiles).execute(actor, {
        projectId: board,
        columnId: next.columnId,
        laneId: undefined,
        afterCardId: last.cardId,
        offset: 0,
        limit: 50,
        filter: { q: null, type: null, state: null },
      }),
    ),
    100,
  );
  report(
    'card_get, 50 children, 20 links, 200 rows of history, p95',
    await measure(() => get(GetCard).withReviews(actor, { projectId: board, cardId: rich })),
    30,
  );
  report(
    'card_get_history of it, p95',
    await measure(() => get(GetCardHistory).execute(actor, { projectId: board, cardId: rich })),
    30,
  );

  const list =
    (projectId, input = {}) =>
    () =>
      get(ListCards).execute(actor, { projectId, ...input });
  const search = (projectId, query) => () => get(SearchCards).execute(actor, { projectId, query });
  flat('card_list', await measure(list(small)), await measure(list(large)));
  report('card_list, page 1,000 of 2,000, p95', await measure(list(large, { page: 1000 })), 100);
  report('card_list by type, 100,000 cards, p95', await measure(list(large, { type: 'bug' })), 100);
  report('card_list full, 100,000 cards, p95', await measure(list(large, { full: true, perPage: 100 })), 100);
  for (const [what, query] of [
    ['a rare word', 'zeppelin'],
    ['a word of one card in a hundred', 'harbour'],
    ['a word of one card in ten', 'lantern'],
    ['a word of every card', 'parcel'],
    ['a phrase with an exclusion', '"blue lantern" -harbour'],
  ])
    report(`card_search for ${what}, 100,000 cards, p95`, await measure(search(large, query)), 100);
  flat(
    'card_search for a rare word',
    await measure(search(small, 'zeppelin')),
    await measure(search(large, 'zeppelin')),
  );
  report(
    'suggestions for a fragment, 100,000 cards, p95',
    await measure(() => get(SuggestCards).execute(actor, { projectId: large, q: 'eppeli', children: false })),
    100,
  );
  report(
    'Backlog page, 100,000 cards in the project, p95',
    await measure(() =>
      get(ListBacklog).execute(actor, {
        projectId: large,
        filter: { q: null, type: null, epic: null, sort: null, dir: null, page: null },
      }),
    ),
    100,
  );

  const ids = tiles.map((tile) => tile.cardId);
  await moves(ids, 1, 1);
  rate('moves of one board, one writer', await moves(ids, 1, 3), 0);
  rate('moves of one board, 8 writers', await moves(ids, 8, 4), 300);
  rate(
    'new cards of one board, 8 writers',
    await perSecond(8, 3, () =>
      get(CreateCard).execute(actor, { projectId: board, title: 'A new card', body: 'Some words.' }),
    ),
    0,
  );

  for (const [what, pick] of [
    ['another column', (columns) => columns.find((column) => column.backlog)],
    ['a column that finishes them', (columns) => columns.find((column) => column.terminal)],
  ])
    report(`a column of 5,000 cards deleted, its cards into ${what}`, await deletion(pick), 1_000);

  /** One column that holds all cards of a board goes, three times over. */
  async function deletion(pick) {
    const times = [];
    for (let round = 0; round < 3; round += 1) {
      const projectId = await project(`Column ${round}`, BOARD);
      const { columns } = await get(GetBoard).execute(actor, { projectId, lanes: false });
      const column = columns.find((one) => !one.backlog && !one.terminal);
      await database.query(
        'UPDATE board.card SET column_id = $2, completed_at = NULL, rank = number WHERE project_id = $1',
        [projectId, column.columnId],
      );
      const began = performance.now();
      const { movedCards } = await get(DeleteColumn).execute(actor, {
        projectId,
        columnId: column.columnId,
        targetColumnId: pick(columns).columnId,
      });
      times.push(performance.now() - began);
      if (movedCards !== BOARD) throw new Error(`${movedCards} cards moved`);
    }
    times.sort((a, b) => a - b);
    return { p50: times[1], p95: times[2] };
  }

  /** Each writer moves cards to and fro between two columns, to a place among others. */
  async function moves(list, writers, seconds) {
    let n = 0;
    return perSecond(writers, seconds, () => {
      n += 1;
      const cardId = list[n % list.length];
      const columnId = Math.floor(n / list.length) % 2 ? next.columnId : progress.columnId;
      return get(MoveCard).execute(actor, {
        projectId: board,
        cardId,
        columnId,
        place: { position: (n * 7919) % 500 },
      });
    });
  }
} finally {
  await server.stop();
}
process.exit(failed ? 1 : 0);

/** Cards of a project in bulk: a tenth in Backlog, most open, some finished, every fiftieth an epic with children. */
async function fill(projectId, count) {
  await database.query(
    `WITH columns AS (SELECT array_agg(id ORDER BY position) AS ids FROM board.board_column WHERE project_id = $1),
     made AS (
       SELECT gen_random_uuid() AS id, n, CASE WHEN n % 10 = 0 THEN 1 WHEN n % 10 = 1 THEN 4 ELSE 2 + n % 2 END AS place,
              CASE WHEN n % 500 = 7 THEN 'epic' WHEN n % 3 = 0 THEN 'bug' ELSE 'feature' END AS type
         FROM generate_series(1, $2::int) AS n),
     stored AS (
       INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, lane_enabled,
                completed_at, created_at, updated_at, revision)
       SELECT m.id, $1, n, 'Card ' || n || ' about the parcel ' || md5(n::text) ||
                CASE WHEN n % 10000 = 5 THEN ' zeppelin' ELSE '' END,
              type, c.ids[place], CASE place WHEN 4 THEN -1767225600000 - n ELSE n::bigint * 1048576 END,
              'agent', 'agent', true, CASE place WHEN 4 THEN timestamptz '2026-01-01' END,
              timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', 1
         FROM made m, columns c RETURNING id, number, title, created_at),
     told AS (SELECT *, 'The parcel goes to row ' || number || '. ' || repeat('Some words of a plan. ', 20) ||
                CASE WHEN number % 100 = 3 THEN 'harbour ' ELSE '' END ||
                CASE WHEN number % 10 = 4 THEN 'a blue lantern ' ELSE '' END AS body FROM stored),
     bodies AS (INSERT INTO board.card_body (card_id, body) SELECT id, body FROM told)
     INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
     SELECT id, $1, title, 'english', created_at,
            setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B')
       FROM told`,
    [projectId, count],
  );
  await database.query('UPDATE board.board SET next_card_number = $2, revision = 1 WHERE project_id = $1', [
    projectId,
    count + 1,
  ]);
  // Children of the epics, so that lanes are worth their name.
  await database.query(
    `UPDATE board.card c SET parent_card_id = e.id FROM board.card e
      WHERE c.project_id = $1 AND e.project_id = $1 AND e.type = 'epic' AND c.type <> 'epic'
        AND c.number > e.number AND c.number <= e.number + 50`,
    [projectId],
  );
}

/** A card with 50 children, 20 links, and 200 rows of history. */
async function richCard(actor, projectId) {
  const epic = await database.one(
    `SELECT id, number FROM board.card WHERE project_id = $1 AND type = 'epic' ORDER BY number LIMIT 1`,
    [projectId],
  );
  await database.query(
    `INSERT INTO board.card_link (project_id, a_id, b_id, blocker_id)
     SELECT $1, least(id, $2::uuid), greatest(id, $2::uuid), NULL FROM board.card
      WHERE project_id = $1 AND type = 'bug' ORDER BY number DESC LIMIT 20`,
    [projectId, epic.id],
  );
  await database.query(
    `INSERT INTO board.card_history (id, card_id, project_id, kind, occurred_at, actor_kind, actor_user_id, payload)
     SELECT gen_random_uuid(), $2, $1, 'moved', now() + n * interval '1 second', 'human', $3, '{}'
       FROM generate_series(1, 200) AS n`,
    [projectId, epic.id, actor.personId],
  );
  return epic.id;
}

async function measure(work) {
  const times = [];
  for (let round = -5; round < ROUNDS; round += 1) {
    const began = performance.now();
    JSON.stringify(await work());
    if (round >= 0) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(ROUNDS / 2)], p95: times[Math.floor(ROUNDS * 0.95)] };
}

async function perSecond(writers, seconds, work) {
  const began = performance.now();
  let done = 0;
  const writer = async () => {
    while (performance.now() - began < seconds * 1000) {
      await work();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return done / ((performance.now() - began) / 1000);
}

function report(what, { p50, p95 }, reach) {
  say(`${what}: ${p95.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms; reach: at most ${reach} ms)`, p95 <= reach);
}

function flat(what, few, many) {
  // Under two milliseconds more, a ratio of two short times says little.
  const ok = many.p50 / few.p50 <= 1.5 || many.p50 - few.p50 <= 2;
  say(
    `${what}: ${few.p50.toFixed(1)} ms with 100 cards, ${many.p50.toFixed(1)} ms with 100,000 (reach: 1.5 ×)`,
    ok,
  );
}

function rate(what, value, reach) {
  say(`${what}: ${value.toFixed(0)} a second${reach ? ` (reach: at least ${reach})` : ''}`, value >= reach);
}

function say(text, ok) {
  if (!ok) failed = true;
  console.log(`${text} ${ok ? 'reached' : 'MISSED'}`);
}
