// What a company feels in operation: the audit log at two million records, flags and pages over two web processes, and
// a thousand open pages. node test/bench/operation-bench.mjs [audit] [flags] [pages]; needs `npm run build`. Ends with 1
// when a figure is out of reach.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { loadavg } from 'node:os';
import { compiled } from './compiled.mjs';

// The support files name the suites of the test runner, which this is not.
globalThis.describe = { skip: () => undefined };
const { OwnPostgres } = await import(compiled('test/support/own-postgres.ts'));
const { Replicas } = await import(compiled('test/support/replicas.ts'));
const { signedIn, newProject } = await import(compiled('test/support/settled-server.ts'));

const chosen = process.argv.slice(2);
const wanted = (name) => chosen.length === 0 || chosen.includes(name);
const RECORDS = Number(process.env.BENCH_RECORDS ?? 2_000_000);
const PAGES = Number(process.env.BENCH_PAGES ?? 1_000);
/** A session may send 1,200 requests a minute. */
const SESSIONS = 12;

const postgres = await OwnPostgres.start({ durable: false });
const replicas = await Replicas.start({ databaseUrl: postgres.url, webs: 2 });
const [here, there] = replicas.webs;
try {
  if (wanted('audit')) await audit();
  if (wanted('flags')) await flags();
  if (wanted('pages')) await pages();
} finally {
  await replicas.stop();
  await postgres.stop();
}

async function audit() {
  await fillAudit();
  const sessions = [];
  for (let at = 0; at < SESSIONS; at += 1) sessions.push(await signedIn(here.origin));
  let turn = 0;
  const ask = async (query) => {
    const started = performance.now();
    turn += 1;
    const answer = await sessions[turn % SESSIONS].request(`/api/admin/audit?${new URLSearchParams(query)}`);
    const body = await answer.json();
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(body)}`);
    return { ms: performance.now() - started, body };
  };
  const { project, small, subject, middle } = await examples();
  const choices = {
    actor: [null, 'ada', 'zed'],
    operation: [null, 'document.', 'flag.'],
    channel: [null, 'mcp', 'console'],
    // Nobody called Ada was ever refused: two large sets that do not meet.
    outcome: [null, 'failed', 'refused'],
    project: [null, project, small],
    subject: [null, subject],
    dates: [null, { from: daysAgo(400), to: daysAgo(360) }],
  };
  const first = [];
  const deep = [];
  for (const query of combinations(choices)) {
    const one = await ask(query);
    first.push({ query, ...one });
    if (query.to === undefined) deep.push({ query, ...(await ask({ ...query, cursor: middle })) });
  }
  console.log(`Audit log of ${RECORDS.toLocaleString('en')} records, load average ${load()}:`);
  tell(`first page, ${first.length} combinations of filters`, first);
  tell(`page in the middle of the log, ${deep.length} combinations`, deep);
  const partial = first.filter(({ body }) => body.events.length < 50 && body.nextCursor !== null);
  say('  answers that have more to search', `${partial.length} of ${first.length}`);
  await searchOn(ask, partial);
  await csv(sessions[0]);
}

/** How long a person waits whose filter finds next to nothing, with all the pages that this takes. */
async function searchOn(ask, partial) {
  let worst = { ms: 0, pages: 0 };
  for (const { query, body } of partial.slice(0, 12)) {
    let { nextCursor: cursor } = body;
    let found = body.events.length;
    const one = { ms: 0, pages: 1 };
    while (cursor !== null && found < 50) {
      const next = await ask({ ...query, cursor });
      one.ms += next.ms;
      one.pages += 1;
      found += next.body.events.length;
      cursor = next.body.nextCursor;
    }
    if (one.ms > worst.ms) worst = one;
  }
  if (partial.length > 0)
    say(
      '  to the end of the log with the rarest filters, worst',
      `${worst.ms.toFixed(0)} ms in ${worst.pages} answers`,
    );
}

async function csv(visitor) {
  const before = residentMegabytes(here.pid);
  let most = before;
  const started = performance.now();
  const answer = await visitor.request('/api/admin/audit.csv');
  let lines = 0;
  for await (const chunk of answer.body) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    most = Math.max(most, residentMegabytes(here.pid));
  }
  say(
    '  CSV of 100,000 records',
    `${((performance.now() - started) / 1_000).toFixed(1)} s, ${lines - 1} records`,
  );
  figure('  memory that it takes, at most', most - before, 80, 'MB');
}

function tell(what, all) {
  const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  say(`  ${what}: median, p95`, `${at(0.5).toFixed(1)} ms, ${at(0.95).toFixed(1)} ms`);
  figure(`  ${what}: worst`, at(1), 200);
  const slow = all.filter(({ ms }) => ms > 200).sort((a, b) => b.ms - a.ms);
  for (const { query, ms, body } of slow.slice(0, 8))
    console.log(`    ${ms.toFixed(0)} ms, ${body.events.length} found: ${JSON.stringify(query)}`);
  if (slow.length > 8) console.log(`    and ${slow.length - 8} more`);
}

function* combinations(choices) {
  const [[name, values], ...rest] = Object.entries(choices);
  for (const value of values) {
    const own = value === null ? {} : typeof value === 'object' ? value : { [name]: value };
    if (rest.length === 0) yield own;
    else for (const others of combinations(Object.fromEntries(rest))) yield { ...own, ...others };
  }
}

/**
 * A log as it grows in 400 days: few operations make most of it; some people, operations and outcomes are rare, or lie far
 * back, and some filters never meet.
 */
async function fillAudit() {
  // Indexes that are built over what is there take a fraction of the time.
  const indexes = await postgres.sql(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS sql FROM pg_index
     WHERE indrelid = 'platform.audit_events'::regclass AND NOT indisprimary`,
  );
  for (const { name } of indexes) await postgres.sql(`DROP INDEX ${name}`);
  await postgres.sql(`INSERT INTO platform.audit_events
    (id, at, operation, outcome, actor_kind, actor_id, actor_name, channel, subject_type, subject_id, project_id, context)
    SELECT lpad(to_hex(${RECORDS} - n), 32, '0')::uuid, now() - n * interval '400 days' / ${RECORDS},
      CASE WHEN n % 100 < 45 THEN 'document.' || (ARRAY['created','revised','commented','published','opened'])[1 + n % 5]
           WHEN n % 100 < 85 THEN 'board.card_' || (ARRAY['created','updated','moved','closed'])[1 + n % 4]
           WHEN n % 5000 = 99 THEN 'flag.changed'
           WHEN n > ${RECORDS} * 0.99 AND n % 1000 = 98 THEN 'person.deleted'
           ELSE 'session.' || (ARRAY['started','ended','refused'])[1 + n % 3] END,
      CASE WHEN n % 20 = 7 THEN 'refused' WHEN n > ${RECORDS} * 0.9 AND n % 2000 = 3 THEN 'failed' ELSE 'success' END,
      CASE WHEN n % 3 = 0 THEN 'person' ELSE 'connection' END,
      md5('person ' || n % 400)::uuid,
      CASE WHEN n > ${RECORDS} * 0.99 AND n % 50 = 1 THEN 'Zed Zander'
           WHEN n % 10 < 4 THEN 'Ada Admin (Agent ' || n % 30 || ')'
           ELSE chr(66 + n % 24) || 'o Person ' || n % 400 END,
      CASE WHEN n > ${RECORDS} * 0.95 AND n % 5000 = 2 THEN 'console' WHEN n % 3 = 0 THEN 'web' ELSE 'mcp' END,
      'document', md5('subject ' || n % 200000)::uuid::text,
      CASE WHEN n % 2 = 0 THEN md5('project 0')::uuid WHEN n % 40000 = 1 THEN md5('project small')::uuid
           ELSE md5('project ' || 1 + n % 300)::uuid END,
      '{"fields": ["title", "status"], "count": 3}'
    FROM generate_series(1, ${RECORDS}) AS n`);
  for (const { sql } of indexes) await postgres.sql(sql);
  await postgres.sql('VACUUM ANALYZE platform.audit_events');
}

async function examples() {
  const [row] = await postgres.sql(
    `SELECT md5('project 0')::uuid AS project, md5('project small')::uuid AS small,
            md5('subject 77')::uuid::text AS subject, at, id FROM platform.audit_events
     ORDER BY at DESC, id DESC OFFSET ${Math.floor(RECORDS / 2)} LIMIT 1`,
  );
  const middle = Buffer.from(`${row.at.toISOString()} ${row.id}`).toString('base64url');
  return { ...row, middle };
}

async function flags() {
  const admin = await signedIn(here.origin);
  const times = [];
  for (let round = 0; round < 20; round += 1) {
    const value = round % 2 === 0;
    await admin.api('PUT', '/admin/flags/inbox.enabled', { value });
    const changed = performance.now();
    for (;;) {
      const session = await (await admin.request(`${there.origin}/api/session`)).json();
      if (session.flags['inbox.enabled'] === value) break;
      await pause(20);
    }
    times.push(performance.now() - changed);
  }
  times.sort((a, b) => a - b);
  console.log(`A flag changed in one process, load average ${load()}:`);
  say('  known to the other, median', `${times[10].toFixed(0)} ms`);
  figure('  known to the other, worst of 20', times.at(-1), 2_000);
}

async function pages() {
  const admin = await signedIn(here.origin);
  const projectId = await newProject(admin, 'Followed');
  const before = residentMegabytes(here.pid);
  const people = await manySessions(projectId, Math.ceil(PAGES / 5));
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const open = [];
  const topics = [`project:${projectId}:documents`, `project:${projectId}:board`, 'me'].join(',');
  for (let at = 0; at < PAGES; at += 1) {
    open.push(follow(agent, `${here.origin}/api/live?topics=${topics}`, people[at % people.length]));
    // As people come; all in the same instant would measure this process.
    if (at % 50 === 49) await Promise.all(open.map(({ ready }) => ready));
  }
  await Promise.all(open.map(({ ready }) => ready));
  await pause(5_000);
  const connected = residentMegabytes(here.pid);
  const rounds = [];
  for (let round = 0; round < 20; round += 1) {
    const heard = open.map((page) => page.next());
    // By the other process: the change has to cross over.
    const { status } = await admin.request(`${there.origin}/api/projects/${projectId}/documents`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: new URL(there.origin).origin,
        'loupe-csrf-token': (await (await admin.request('/api/session')).json()).csrfToken,
      },
      body: JSON.stringify({ title: `Change ${round}`, markdown: '# A change' }),
    });
    if (status !== 201) throw new Error(`No document: ${status}`);
    const changed = performance.now();
    const times = (await Promise.all(heard)).map((time) => time - changed);
    rounds.push({
      last: Math.max(...times),
      median: times.sort((a, b) => a - b)[Math.floor(times.length / 2)],
    });
    await pause(200);
  }
  const lasts = rounds.map(({ last }) => last).sort((a, b) => a - b);
  console.log(`${PAGES} open pages at one process, changes by the other, load average ${load()}:`);
  say('  the last page hears of a change, median of 20', `${lasts[10].toFixed(0)} ms`);
  figure('  the last page hears of a change, worst of 20', lasts.at(-1), 1_000);
  say('  memory of the web process before', `${before.toFixed(0)} MB`);
  const most = Math.max(connected, residentMegabytes(here.pid));
  figure('  memory of the web process with them', most, 350, 'MB');
  for (const page of open) page.close();
  agent.destroy();
}

/** Sessions of members as sign-in stores them. @returns their cookies */
async function manySessions(projectId, count) {
  const { createHash, randomBytes } = await import('node:crypto');
  const cookies = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = cookies.map((cookie) => createHash('sha256').update(cookie).digest('hex'));
  await postgres.sql(
    `WITH made AS (
       INSERT INTO identity.persons (id, email, email_lower, display_name, password_hash, email_verified_at, created_at, updated_at)
       SELECT gen_random_uuid(), n || '@example.com', n || '@example.com', 'Person ' || n, 'none', now(), now(), now()
         FROM generate_series(1, $2) AS n RETURNING id, email),
     joined AS (
       INSERT INTO projects.memberships (project_id, person_id, role, joined_at)
       SELECT $1, id, 'member', now() FROM made)
     INSERT INTO identity.web_sessions (id, person_id, expires_at, csrf_secret)
     SELECT ($3::text[])[split_part(email, '@', 1)::int], id, now() + interval '1 day', 'none' FROM made`,
    [projectId, count, hashes],
  );
  return cookies.map((cookie) => `loupe_session=${cookie}`);
}

/** An open page: `ready` once it is placed, `next()` gives the time of the next change. */
function follow(agent, url, cookie) {
  let hear = () => undefined;
  let placed;
  const ready = new Promise((done, fail) => {
    placed = { done, fail };
  });
  const outgoing = request(url, { agent, headers: { cookie } }, (answer) => {
    if (answer.statusCode !== 200) placed.fail(new Error(`A page got ${answer.statusCode}.`));
    answer.on('data', (data) => {
      placed.done();
      if (data.includes('event: update')) hear(performance.now());
    });
    answer.on('error', () => undefined);
  });
  outgoing.on('error', placed.fail);
  outgoing.end();
  return {
    ready,
    next: () =>
      new Promise((done) => {
        hear = done;
      }),
    close: () => outgoing.destroy(),
  };
}

function figure(what, value, reach, unit = 'ms') {
  const good = value <= reach;
  if (!good) process.exitCode = 1;
  console.log(`${what}: ${value.toFixed(0)} ${unit} (reach: ${reach} ${unit})${good ? '' : ' NOT REACHED'}`);
}

function say(what, text) {
  console.log(`${what}: ${text}`);
}

function load() {
  return loadavg()[0].toFixed(1);
}

function daysAgo(days) {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Resident set of one process; the database is a process of its own. */
function residentMegabytes(pid) {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_024;
}
