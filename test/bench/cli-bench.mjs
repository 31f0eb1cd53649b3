// The `loupe` command: its start, what `loupe mcp` adds to a call, and a push of 500 files, beside `cp` and over links of
// known speeds.
// node test/bench/cli-bench.mjs; needs `npm run build:server` and `npm run build:cli`. Ends with 1 when a figure is out of reach.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { slowLink } from './slow-link.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const loupe = join(root, 'dist', 'cli', 'loupe.mjs');
const folder = mkdtempSync(join(tmpdir(), 'loupe-cli-bench-'));
chmodSync(folder, 0o755);
const ADMIN = { email: 'bench@mail.example', password: 'four unrelated words here' };
const STARTS = 15;
const CALLS = 300;
const FILES = 500;
const FILE_BYTES = 40_000;
/** Links that a push goes over, in megabits a second, and how often. */
const LINKS = [50, 100, 200];
const PUSHES = 5;
let failed = 0;
let startLimit = 0;
const LIMITS = { startMs: 300, addedMs: 10 };
/** On a machine that is slow or busy, so many times the start of Node.js itself. */
const START_TIMES = 4;

async function measureStart() {
  const bare = best(STARTS, () => spawnSync(process.execPath, ['-e', '0']));
  startLimit = Math.max(LIMITS.startMs, START_TIMES * bare);
  const version = best(STARTS, () => spawnSync(process.execPath, [loupe, 'version']));
  say(
    'start of `loupe version`',
    `${version.toFixed(0)} ms (node alone ${bare.toFixed(0)} ms)`,
    version < startLimit,
  );
}

async function measureFirstByte({ env, work }) {
  const times = [];
  for (let tries = 0; tries < STARTS; tries += 1) {
    const begun = performance.now();
    const child = spawn(process.execPath, [loupe, 'mcp'], { cwd: work, env });
    child.stdin.write('no message\n');
    await once(child.stdout, 'data');
    times.push(performance.now() - begun);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const first = Math.min(...times);
  say('start of `loupe mcp` to its first byte', `${first.toFixed(0)} ms`, first < startLimit);
}

async function measureProxy({ env, work, token }) {
  const body = (id) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'project_current', arguments: {} },
    });
  const direct = async (id) => {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        authorization: `Bearer ${token}`,
      },
      body: body(id),
    });
    await answer.text();
  };
  const begun = performance.now();
  const child = spawn(process.execPath, [loupe, 'mcp'], { cwd: work, env });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => waiting.get(JSON.parse(line).id)?.());
  const through = (id, text = body(id)) =>
    new Promise((done) => {
      waiting.set(id, done);
      child.stdin.write(`${text}\n`);
    });
  await through(
    0,
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1' },
      },
    }),
  );
  const first = performance.now() - begun;
  const times = { direct: [], through: [] };
  for (let id = 1; id <= CALLS; id += 1) {
    times.direct.push(await timed(() => direct(id)));
    times.through.push(await timed(() => through(id)));
  }
  child.stdin.end();
  await once(child, 'exit');
  const added = median(times.through) - median(times.direct);
  say('`loupe mcp`, start to the first answer of the server', `${first.toFixed(0)} ms`, true);
  say(
    '`loupe mcp` adds to a call',
    `${added.toFixed(1)} ms (median ${median(times.through).toFixed(1)} against ${median(times.direct).toFixed(1)} of ${CALLS})`,
    added < LIMITS.addedMs,
  );
}

async function measurePush({ env, work }) {
  const site = newSite(work);
  const megabytes = (FILES * FILE_BYTES) / 1e6;
  const copied = await timed(async () => cpSync(site, join(work, 'copy'), { recursive: true }));
  const push = (what) =>
    timed(async () => {
      const { status, stderr } = await run([loupe, 'artifact', 'push', 'site', '--json'], { cwd: work, env });
      if (status !== 0) throw new Error(`${what}: ${stderr}`);
    });
  const first = await push('the first push');
  const same = await push('the unchanged push');
  writeFileSync(join(site, 'file-7.bin'), randomBytes(FILE_BYTES));
  const one = await push('the push of one changed file');
  const rate = (ms) => `${(megabytes / (ms / 1000)).toFixed(1)} MB/s`;
  say(
    `push of ${FILES} files, ${megabytes.toFixed(0)} MB`,
    `${(first / 1000).toFixed(2)} s, ${rate(first)} (cp: ${(copied / 1000).toFixed(2)} s, ${rate(copied)})`,
    true,
  );
  say('the same again, unchanged', `${(same / 1000).toFixed(2)} s`, true);
  say('one changed file', `${(one / 1000).toFixed(2)} s`, true);
}

/** What a link has to carry at least, against what a push over it takes, from the start of the command to its end. */
async function measureLinks() {
  const port = await freePort();
  const link = await slowLink(port);
  const far = await startServer({ port, DEFAULT_URI: `http://localhost:${link.port}` });
  try {
    const { env, work } = await signIn(far.url, 'far');
    const push = async (bytesPerSecond) => {
      newSite(work);
      link.bytesPerSecond = bytesPerSecond;
      const time = await timed(async () => {
        const words = [loupe, 'artifact', 'push', 'site', '--new', '--json'];
        const { status, stderr } = await run(words, { cwd: work, env });
        if (status !== 0) throw new Error(stderr);
      });
      link.bytesPerSecond = Number.POSITIVE_INFINITY;
      return time;
    };
    // The first ones of a new server take longer than those of one that has been at work.
    for (let tries = 0; tries < 2; tries += 1) await push(Number.POSITIVE_INFINITY);
    for (const megabits of LINKS) {
      const bytesPerSecond = (megabits * 1e6) / 8;
      const times = [];
      for (let tries = 0; tries < PUSHES; tries += 1) times.push(await push(bytesPerSecond));
      const bytes = ((FILES * FILE_BYTES) / bytesPerSecond) * 1000;
      const took = median(times);
      say(
        `push of ${FILES} files over a link of ${megabits} Mbit/s, median of ${PUSHES}`,
        `${(took / 1000).toFixed(2)} s, ${(took / bytes).toFixed(2)} × the ${(bytes / 1000).toFixed(2)} s of the bytes (${times.map((ms) => (ms / bytes).toFixed(2)).join(', ')})`,
        true,
      );
    }
  } finally {
    far.kill('SIGTERM');
    await once(far, 'exit');
    await link.stop();
  }
}

/** A folder of files that do not compress, other ones each time. */
function newSite(work) {
  const site = join(work, 'site');
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site);
  writeFileSync(join(site, 'index.html'), '<h1>Bench</h1>');
  for (let index = 1; index < FILES; index += 1)
    writeFileSync(join(site, `file-${index}.bin`), randomBytes(FILE_BYTES));
  return site;
}

/** A person signs this machine in: the form of the login page, then the code of the command. */
async function signIn(url, name) {
  const home = join(folder, name);
  const work = join(home, 'work');
  const config = join(home, 'config');
  mkdirSync(work, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, LOUPE_CONFIG_DIR: config };
  const person = new Person(url);
  await person.submit('/login', { email: ADMIN.email, password: ADMIN.password });
  await person.api('PUT', '/admin/flags/artifacts.enabled', { value: true });
  await person.api('PUT', '/admin/flags/rate_limit.api_per_minute', { value: 100_000 });
  const { id } = await person.api('POST', '/projects', { name: 'Bench' });
  writeFileSync(join(work, '.loupe.yaml'), `project: ${id}\n`);
  const child = spawn(process.execPath, [loupe, 'login', '--url', url, '--json'], { cwd: work, env });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  await person.submit(`/oauth/device?user_code=${JSON.parse(line).userCode}`, { answer: 'allow' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`loupe login ended with ${code}`);
  const { instances } = JSON.parse(readFileSync(join(config, 'config.json'), 'utf8'));
  return { env, work, token: instances[url].accessToken };
}

class Person {
  cookies = new Map();

  constructor(origin) {
    this.origin = origin;
  }

  async request(path, init = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, this.origin), {
      ...init,
      headers: { ...init.headers, cookie, origin: this.origin },
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
      this.cookies.set(name, value);
    }
    return answer;
  }

  async submit(path, fields) {
    const html = await (await this.request(path)).text();
    const body = new URLSearchParams(fields);
    for (const [, name, value] of html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g))
      body.set(name, value);
    const action = /<form[^>]*action="([^"]*)"/.exec(html)?.[1]?.replace(/&amp;/g, '&') ?? path;
    const answer = await this.request(action, { method: 'POST', body });
    if (answer.status >= 400) throw new Error(`${path} was refused with ${answer.status}`);
  }

  async api(method, path, body) {
    const { csrfToken } = await (await this.request('/api/session')).json();
    const answer = await this.request(`/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'loupe-csrf-token': csrfToken },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was refused with ${answer.status}: ${await answer.text()}`);
    return answer.json().catch(() => null);
  }
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const free = probe.address().port;
      probe.close(() => done(free));
    });
  });
}

async function startServer({ port, ...env }) {
  const varDir = mkdtempSync(join(folder, 'var-'));
  chmodSync(varDir, 0o755);
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      APP_ENV: 'test',
      PORT: String(port),
      LOUPE_VAR_DIR: varDir,
      LOG_LEVEL: 'error',
      LOUPE_ADMIN_EMAIL: ADMIN.email,
      LOUPE_ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://localhost:${port}`;
  child.url = env.DEFAULT_URI ?? origin;
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error('The server ended while starting.');
    const ready = await fetch(`${origin}/healthz`).catch(() => null);
    if (ready?.ok) return child;
    await pause(100);
  }
  throw new Error('The server was not ready after 60 s.');
}

async function run(args, options) {
  const child = spawn(process.execPath, args, options);
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  child.stdout.resume();
  const [status] = await once(child, 'close');
  return { status, stderr };
}

function best(times, work) {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const begun = performance.now();
      work();
      return performance.now() - begun;
    }),
  );
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function say(what, figure, good) {
  if (!good) failed += 1;
  console.log(`  ${good ? 'ok  ' : 'FAIL'} ${what}: ${figure}`);
}

const server = await startServer({ port: await freePort() });
try {
  await measureStart();
  const machine = await signIn(server.url, 'near');
  await measureFirstByte(machine);
  await measureProxy(machine);
  await measurePush(machine);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
}
try {
  await measureLinks();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
