// Figures of documents on a real PostgreSQL: search, lists, reads by id and large revisions, at the use cases.
// node test/bench/documents-bench.mjs; needs `npm run build:server`. Ends with 1 when a figure is out of reach.
import { existsSync } from 'node:fs';
import { built, compiled } from './compiled.mjs';
import { wordsOf } from './words.mjs';

if (!existsSync(built('src/documents/documents.module.js')))
  throw new Error('Run `npm run build:server` first.');

const DOCUMENTS = Number(process.env.BENCH_DOCUMENTS ?? 20_000);
const WORDS_EACH = 500;
/** One stem of each language stands in all of its documents. */
const LANGUAGES = { english: 'exports', french: 'utilisateurs', german: 'häuser' };

const { TestDatabase } = await import(compiled('test/support/test-database.ts'));
const { DocumentsRig } = await import(compiled('src/documents/testing/documents-rig.ts'));
const useCase = async (path, name) => (await import(built(`src/documents/application/${path}.js`)))[name];
const ListDocuments = await useCase('queries/list-documents', 'ListDocuments');
const GetDocument = await useCase('queries/get-document', 'GetDocument');
const ListDocumentsPage = await useCase('queries/list-documents-page', 'ListDocumentsPage');

const postgres = await TestDatabase.start({ pool: 10 });
try {
  await finding();
  await revising();
} finally {
  await postgres.stop();
}

async function finding() {
  const rig = await DocumentsRig.start(postgres.database);
  const { documentId } = await rig.create({ markdown: text(1) });
  const list = (input) => rig.get(ListDocuments).execute(rig.agent, { projectId: rig.projectId, ...input });
  const read = () => rig.get(GetDocument).execute(rig.agent, { projectId: rig.projectId, documentId });
  const page = () => rig.get(ListDocumentsPage).execute(rig.owner, { projectId: rig.projectId });
  await fill(rig, 100);
  const small = {
    read: await timed(read, 300),
    list: await timed(() => list({}), 100),
    page: await timed(page, 100),
  };
  await fill(rig, DOCUMENTS - 100);
  const large = {
    read: await timed(read, 300),
    list: await timed(() => list({}), 100),
    page: await timed(page, 100),
  };
  console.log(`${DOCUMENTS} documents in three languages in one project, ${WORDS_EACH} words each:`);
  for (const [what, of] of [
    ['document_get by id', 'read'],
    ['document_list', 'list'],
    ['list page', 'page'],
  ])
    figure(
      `  ${what}: median of 100 documents ${ms(small[of].p50)}, of ${DOCUMENTS} ${ms(large[of].p50)}; ratio`,
      large[of].p50 / small[of].p50,
      1.5,
      '×',
    );

  const everything = Object.values(LANGUAGES);
  const kinds = {
    'a rare word': (n) => `rare${n % 997}`,
    'a common word': (n) => `word${n % 20}`,
    'two words': (n) => `word${n % 40} word${(n * 7) % 90}`,
    'a word that all have': (n) => everything[n % 3],
    'all of one language, and a word': (n) => `${everything[n % 3]} word${n % 300}`,
    'words of all languages': () => everything.join(' OR '),
    'a phrase': (n) => `"word${20 + (n % 90)} word${n % 50}"`,
    'a phrase of the commonest words': (n) => `"word${n % 5} word${n % 3}"`,
    'a phrase of common words that hardly anybody wrote': (n) =>
      `"word${n % 3} word${n % 4} word${n % 5} word${n % 2}"`,
    'a phrase left out': (n) => `word${n % 20} -"word${n % 5} word${n % 3}"`,
    'an exclusion': (n) => `word${n} -rare${n}`,
    'an exclusion alone': (n) => `-rare${n}`,
  };
  const all = [];
  for (const [kind, words] of Object.entries(kinds)) {
    const times = [];
    for (let n = 0; n < 40; n += 1) times.push(...(await timed(() => list({ search: words(n) }), 1)).times);
    all.push(...times);
    const { p50, p95 } = percentiles(times);
    figure(`  search, ${kind}: median ${ms(p50)}, p95`, p95, 100, 'ms');
  }
  figure('  search, all kinds: p95', percentiles(all).p95, 100, 'ms');
  await rig.stop();
}

async function revising() {
  const rig = await DocumentsRig.start(postgres.database);
  const large = Array.from({ length: 9_000 }, (_, n) => sentence(n))
    .join('\n\n')
    .slice(0, 1_000_000);
  const started = performance.now();
  const { documentId } = await rig.create({ markdown: large });
  figure('1 MB created in', performance.now() - started, 7_000, 'ms');
  await comments(rig, documentId, 1_000);
  await measureRevision(
    rig,
    documentId,
    `New at the top.\n\n${large.replaceAll('queue', 'line').slice(0, 999_000)}`,
    1_000,
    7_000,
  );

  const middle = Array.from({ length: 1_000 }, (_, n) => sentence(n)).join('\n\n');
  const { documentId: second } = await rig.create({ markdown: middle });
  await comments(rig, second, 500);
  await measureRevision(rig, second, `New at the top.\n\n${middle.replaceAll('queue', 'line')}`, 500, 2_000);

  const { documentId: third } = await rig.create({ markdown: middle });
  await comments(rig, third, 200);
  const { p50, p95 } = await timed(() => rig.review(third, { limit: 200 }), 40);
  figure(`document_get_review with 200 threads: p95 ${ms(p95)}; median`, p50, 100, 'ms');
  await rig.stop();
}

async function measureRevision(rig, documentId, markdown, threads, reach) {
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const started = performance.now();
  const { carried, orphaned } = await rig.revise(documentId, { markdown });
  const taken = performance.now() - started;
  clearInterval(beat);
  figure(
    `${Math.round(markdown.length / 1_000)} KB revised with ${threads} threads (${carried} carried, ${orphaned} orphaned) in`,
    taken,
    reach,
    'ms',
  );
  figure('  longest pause of the event loop meanwhile', longest, 200, 'ms');
}

/** Threads on passages all over the text, put into the database at once. */
async function comments(rig, documentId, count) {
  const { version } = await rig.page(documentId);
  const step = Math.floor((version.plainText.length - 200) / count);
  const first = await rig.comment(documentId, version.plainText.slice(0, 60));
  const starts = Array.from({ length: count - 1 }, (_, n) => (n + 1) * step);
  await rig.database.query(
    `INSERT INTO documents.comment (id, document_version_id, author_kind, author_user_id, body, body_html, anchor_quote,
       anchor_prefix, anchor_suffix, anchor_start, status, created_at, updated_at)
     SELECT gen_random_uuid(), c.document_version_id, 'person', c.author_user_id, 'Please change this.', '<p>Please change this.</p>',
       n.quote, n.prefix, n.suffix, n.start, 'pending', now(), now()
     FROM documents.comment c, unnest($2::int[], $3::text[], $4::text[], $5::text[]) AS n (start, quote, prefix, suffix) WHERE c.id = $1`,
    [
      first,
      starts,
      starts.map((start) => version.plainText.slice(start, start + 70)),
      starts.map((start) => version.plainText.slice(start - 32, start)),
      starts.map((start) => version.plainText.slice(start + 70, start + 102)),
    ],
  );
}

async function fill(rig, count) {
  const languages = Object.keys(LANGUAGES);
  for (let done = 0; done < count; done += 500) {
    const batch = Array.from({ length: Math.min(500, count - done) }, (_, n) => {
      const seed = done + n + 2;
      const language = languages[seed % 3];
      return { language, text: `${LANGUAGES[language]} ${text(seed)}`, seed };
    });
    await rig.database.query(
      `WITH made AS (
         INSERT INTO documents.document
           (id, project_id, title, status, language, current_version, origin, created_at, content_updated_at, search_vector)
         SELECT gen_random_uuid(), $1, 'Document ' || seed, 'in-review', language, 1, 'agent', now(), now() - seed * interval '1 minute',
                setweight(to_tsvector(language::regconfig, 'Document ' || seed), 'A') || setweight(to_tsvector(language::regconfig, text), 'B')
                  || array_to_tsvector(ARRAY[documents.search_scope($1, language)])
         FROM unnest($2::text[], $3::text[], $4::int[]) AS d (language, text, seed)
         RETURNING id
       )
       INSERT INTO documents.document_version
         (id, document_id, number, author_kind, content_hash, renderer_version, carried, orphaned, sections_carried,
          sections_dropped, created_at, markdown, rendered_html, plain_text, outline, sections, decisions, warnings)
       SELECT gen_random_uuid(), id, 1, 'agent', '', '1', 0, 0, 0, 0, now(), 'x', 'x', 'x', '[]', '[]', '[]', '[]' FROM made`,
      [rig.projectId, batch.map((d) => d.language), batch.map((d) => d.text), batch.map((d) => d.seed)],
    );
  }
  await rig.database.query('VACUUM ANALYZE documents.document, documents.document_version');
}

function text(seed) {
  return wordsOf(seed, WORDS_EACH);
}

function sentence(n) {
  return `Sentence ${n} says that the queue of part ${n % 83} keeps at most ${(n * 37) % 1_009} jobs in order ${n * 7_919}.`;
}

async function timed(work, times) {
  const taken = [];
  if (times > 1) await work();
  for (let n = 0; n < times; n += 1) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return { ...percentiles(taken), times: taken };
}

function percentiles(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p95: at(0.95) };
}

function ms(value) {
  return `${value.toFixed(1)} ms`;
}

function figure(what, value, reach, unit) {
  const reached = value <= reach;
  const digits = unit === 'ms' ? 0 : 2;
  console.log(
    `${what}: ${value.toFixed(digits)} ${unit} (reach: at most ${reach} ${unit}) ${reached ? 'reached' : 'MISSED'}`,
  );
  if (!reached) process.exitCode = 1;
}
