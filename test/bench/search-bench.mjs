// Speed of the search of everything inside one server process, on a real database: documents and cards of one project and
// of all projects of a person, beside another person's project of the same size with the same words.
// node test/bench/search-bench.mjs; needs `npm run build:server`. Ends with 1 when a figure is out of reach.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { startBenchServer } from './bench-server.mjs';
import { wordsOf } from './words.mjs';

const { CreateProject } = await import('#src/projects/application/commands/create-project.js');
const { SearchAll } = await import('#src/platform/application/queries/search-all.js');

const SMALL = 100;
const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 10_000);
const CARDS = Number(process.env.BENCH_CARDS ?? 100_000);
const FURTHER_PROJECTS = 20;
const WORDS_EACH = 500;
const ROUNDS = 30;
const REACH_MS = 300;

/** One stem of each language stands in all of its documents. */
const LANGUAGES = { english: 'exports', french: 'utilisateurs', german: 'häuser' };

/** What people type; `n` varies it. */
const KINDS = {
  'a rare word of both': (n) => `rare${n % 997} OR zeppelin`,
  'a common word of documents': (n) => `word${n % 20}`,
  'a word that all documents have': () => 'exports OR utilisateurs OR häuser',
  'a word of one card in a hundred': () => 'harbour',
  'a word of one card in ten': () => 'lantern',
  'a word that every card has': () => 'parcel',
  'a phrase': (n) => `"word${n % 5} word${n % 3}" OR "blue lantern"`,
  'a phrase of common words that hardly anybody wrote': (n) =>
    `"plan parcel row" OR "word${n % 3} word${n % 4} word${n % 5}"`,
  'an exclusion alone': (n) => `-rare${n}`,
  'a word typed by half': (n) => [`rare${n % 99}`, 'parc', 'lante', 'docu', `word${30 + n}`][n % 5],
  'a whole title of a document': (n) => `Document ${n + 2}`,
  'a whole title of a card': (n) =>
    `card ${n + 1} about the parcel ${createHash('md5')
      .update(String(n + 1))
      .digest('hex')}`,
  'a number': (n) => `#${n + 1}`,
  'nothing that is there': (n) => `nowhere${n}x`,
};

const server = await startBenchServer();
const { get, database } = server;
let failed = false;
try {
  const ada = await server.person('Ada');
  const sam = await server.person('Sam');
  const small = await project(ada, 'Small', SMALL, SMALL);
  const alone = await measureAll(ada, small);
  const indexes = await wordIndexes();
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  const large = await project(ada, 'Large', DOCUMENTS, CARDS);
  await project(sam, 'Of another person', DOCUMENTS, CARDS);
  for (let n = 0; n < FURTHER_PROJECTS; n += 1) await project(ada, `Further ${n}`, SMALL, SMALL);
  for (const { definition } of indexes) {
    await database.run(async () => {
      await database.query('SET LOCAL statement_timeout = 0');
      await database.query(definition);
    });
  }
  for (const table of [
    'documents.document',
    'documents.document_version',
    'board.card',
    'board.card_body',
    'board.card_text',
  ])
    await database.query(`VACUUM ANALYZE ${table}`);
  console.log(
    `${DOCUMENTS} documents of ${WORDS_EACH} words and ${CARDS} cards in one project, as many in one of another person, ` +
      `${FURTHER_PROJECTS + 1} small ones; load ${loadavg()[0].toFixed(1)}:`,
  );
  const one = await measureAll(ada, large);
  const all = await measureAll(ada, null);
  const still = await measureAll(ada, small);
  for (const kind of Object.keys(KINDS)) {
    report(`  ${kind}, one project`, one[kind]);
    report(`  ${kind}, ${FURTHER_PROJECTS + 2} projects`, all[kind]);
  }
  report('  page 30 of a word of every card, one project', await measure(ada, large, () => 'parcel', 30));
  const total = (figures) => Object.values(figures).reduce((sum, { processor }) => sum + processor, 0);
  console.log(
    `  ${SMALL} documents and cards, processor time of all kinds together: ${ms(total(alone))} with nothing else in the database, ` +
      `${ms(total(still))} beside all of this`,
  );
} finally {
  await server.stop();
}
process.exit(failed ? 1 : 0);

/** Made anew after the filling, which is quicker by far. */
function wordIndexes() {
  return database.query(
    `SELECT schemaname || '.' || indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE indexname IN ('document_search', 'card_text_words', 'card_text_title_fragments')`,
  );
}

async function project(actor, name, documents, cards) {
  const { id } = await get(CreateProject).execute(actor, { name, templateKey: '' });
  await fillDocuments(id, documents);
  await fillCards(id, cards);
  return id;
}

async function fillDocuments(projectId, count) {
  const languages = Object.keys(LANGUAGES);
  for (let done = 0; done < count; done += 500) {
    const batch = Array.from({ length: Math.min(500, count - done) }, (_, n) => {
      const seed = done + n + 2;
      const language = languages[seed % 3];
      return { language, text: `${LANGUAGES[language]} ${wordsOf(seed, WORDS_EACH)}`, seed };
    });
    await database.query(
      `WITH made AS (
         INSERT INTO documents.document
           (id, project_id, title, status, language, current_version, origin, created_at, content_updated_at, search_vector)
         SELECT gen_random_uuid(), $1, 'Document ' || seed, 'in-review', language, 1, 'agent', now(), now() - seed * interval '1 minute',
                setweight(to_tsvector(language::regconfig, 'Document ' || seed), 'A') || setweight(to_tsvector(language::regconfig, text), 'B')
                  || array_to_tsvector(ARRAY[documents.search_scope($1, language)])
         FROM unnest($2::text[], $3::text[], $4::int[]) AS d (language, text, seed)
         RETURNING id, title
       )
       INSERT INTO documents.document_version
         (id, document_id, number, author_kind, content_hash, renderer_version, carried, orphaned, sections_carried,
          sections_dropped, created_at, markdown, rendered_html, plain_text, outline, sections, decisions, warnings)
       SELECT gen_random_uuid(), id, 1, 'agent', '', '1', 0, 0, 0, 0, now(), 'x', 'x', text, '[]', '[]', '[]', '[]'
         FROM made JOIN unnest($3::text[], $4::int[]) AS d (text, seed) ON made.title = 'Document ' || seed`,
      [projectId, batch.map((d) => d.language), batch.map((d) => d.text), batch.map((d) => d.seed)],
    );
  }
}

/** A tenth of them finished; one word stands in all, others in a tenth, a hundredth and a few. */
async function fillCards(projectId, count) {
  // In parts: a statement may take a minute.
  for (let from = 1; from <= count; from += 5_000)
    await addCards(projectId, from, Math.min(from + 4_999, count));
}

async function addCards(projectId, from, to) {
  await database.query(
    `WITH columns AS (SELECT array_agg(id ORDER BY position) AS ids FROM board.board_column WHERE project_id = $1),
     stored AS (
       INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, lane_enabled,
                completed_at, created_at, updated_at, revision)
       SELECT gen_random_uuid(), $1, n, 'Card ' || n || ' about the parcel ' || md5(n::text) ||
                CASE WHEN n % 10000 = 5 THEN ' zeppelin' ELSE '' END,
              'feature', c.ids[CASE n % 10 WHEN 1 THEN 4 ELSE 2 + n % 2 END],
              CASE n % 10 WHEN 1 THEN -1767225600000 - n ELSE n::bigint * 1048576 END, 'agent', 'agent', true,
              CASE n % 10 WHEN 1 THEN timestamptz '2026-01-01' END,
              timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second', 1
         FROM generate_series($2::int, $3::int) AS n, columns c RETURNING id, number, title, created_at),
     told AS (SELECT *, 'The parcel goes to row ' || number || '. ' || repeat('Some words of a plan. ', 20) ||
                CASE WHEN number % 100 = 3 THEN 'harbour ' ELSE '' END ||
                CASE WHEN number % 10 = 4 THEN 'a blue lantern ' ELSE '' END AS body FROM stored),
     bodies AS (INSERT INTO board.card_body (card_id, body) SELECT id, body FROM told)
     INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
     SELECT id, $1, title, 'english', created_at,
            setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B')
       FROM told`,
    [projectId, from, to],
  );
}

async function measureAll(actor, projectId) {
  const figures = {};
  for (const [kind, words] of Object.entries(KINDS))
    figures[kind] = await measure(actor, projectId, words, 1);
  return figures;
}

async function measure(actor, projectId, words, page) {
  const times = [];
  let before = new Map();
  for (let round = -3; round < ROUNDS; round += 1) {
    if (round === 0) before = processorTimes();
    const began = performance.now();
    JSON.stringify(await get(SearchAll).execute(actor, { query: words(Math.abs(round)), projectId, page }));
    if (round >= 0) times.push(performance.now() - began);
  }
  const processor = processorMs(before, processorTimes()) / ROUNDS;
  times.sort((a, b) => a - b);
  return { processor, p50: times[Math.floor(ROUNDS / 2)], p95: times[Math.floor(ROUNDS * 0.95)] };
}

/** Processor time of this process and of each process of the database so far, in ms, where the system tells it. */
function processorTimes() {
  const { user, system } = process.cpuUsage();
  const times = new Map([[String(process.pid), (user + system) / 1_000]]);
  try {
    const postmaster = readFileSync(join(server.varDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0];
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const stat = statOf(pid);
      if (stat?.parent === postmaster) times.set(pid, stat.ticks * 10);
    }
  } catch {
    // Not on this system.
  }
  return times;
}

/** Of processes that were there all the time. */
function processorMs(before, after) {
  return [...after].reduce((sum, [pid, time]) => sum + (before.has(pid) ? time - before.get(pid) : 0), 0);
}

function statOf(pid) {
  try {
    const parts = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return { pid, parent: parts[1], ticks: Number(parts[11]) + Number(parts[12]) };
  } catch {
    return null;
  }
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function report(what, { p50, p95, processor }) {
  const reached = p95 <= REACH_MS;
  if (!reached) failed = true;
  console.log(
    `${what}: median ${ms(p50)}, processor ${ms(processor)}, p95 ${ms(p95)} (reach: at most ${REACH_MS} ms) ${reached ? 'reached' : 'MISSED'}`,
  );
}
