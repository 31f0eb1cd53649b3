// Speed of artifacts over MCP against the whole server: lists of 100 and 50,000, one artifact, and a text of 1 MB beside
// a static file server. node test/bench/artifacts-bench.mjs; needs `npm run build:server`. Ends with 1 when a figure is
// out of reach.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROUNDS = 60;
const SLICE = 200_000;
const READERS = 8;
const agent = new Agent({ keepAlive: true, maxSockets: READERS });
let failed = false;

const product = await start('loupe');
const files = await start('static');
try {
  await lists();
  await reading();
} finally {
  await Promise.all([product.stop(), files.stop()]);
  agent.destroy();
}
process.exit(failed ? 1 : 0);

async function lists() {
  const calling = (project, name, args) => ({
    work: () => ask(project, name, args),
    check: (answer) => resultOf(answer),
  });
  const list = (project, args = {}) => calling(project, 'artifact_list', args);
  const { few, full, many } = product.facts.projects;
  const [small, large] = await together(list(few), list(many));
  flat('artifact_list', small, large);
  const [deep] = await together(list(full, { page: 20, perPage: 100 }));
  report('artifact_list, the last 100 of 2,000, p95', deep, 100);
  const [words] = await together(list(full, { search: 'prototype 199' }));
  report('artifact_list with words, 2,000 artifacts, p95', words, 100);
  const artifactOf = async (project) =>
    (await call(project, 'artifact_list', {})).artifacts.at(-1).artifactId;
  const [inSmall, inLarge] = [await artifactOf(few), await artifactOf(many)];
  const [one, other] = await together(
    calling(few, 'artifact_get', { artifactId: inSmall }),
    calling(many, 'artifact_get', { artifactId: inLarge }),
  );
  flat('artifact_get', one, other);
}

/**
 * Both give as many bytes in as many requests, one after the other, in turns. The clock stops with the last byte of the
 * last answer, as it is the servers that are compared; every answer is then taken apart and compared with the file. What
 * a client adds that makes texts of the answers (JSON of the one, UTF-8 of the other) is told beside it.
 */
async function reading() {
  const { projects, artifactId, texts } = product.facts;
  const parts = async (path) => {
    const offsets = [];
    for (let offset = 0; offset !== null; ) {
      offsets.push(offset);
      ({ nextOffset: offset } = await call(projects.few, 'artifact_read', { artifactId, path, offset }));
    }
    return offsets.map((offset) => () => ask(projects.few, 'artifact_read', { artifactId, path, offset }));
  };
  const size = Buffer.byteLength(texts['app.js']);
  const rangesOf = (url) =>
    Array.from({ length: Math.ceil(size / SLICE) }, (_, index) => {
      const range = `bytes=${index * SLICE}-${Math.min((index + 1) * SLICE, size) - 1}`;
      return () => send(url, 'GET', { range });
    });
  const ofMcp = (answer) => resultOf(answer).content[0].text;
  const ofFile = (bytes) => bytes.toString();
  const reader = (requests, textOf, text) => ({
    work: async () => {
      const answers = [];
      for (const request of requests) answers.push(await request());
      return answers;
    },
    check: (answers) => same(answers.map(textOf).join(''), text),
  });
  /** Makes texts of the answers within the measured time. */
  const decoding = (requests, textOf, text) => ({
    work: async () => {
      const decoded = [];
      for (const request of requests) decoded.push(textOf(await request()));
      return decoded;
    },
    check: (decoded) => same(decoded.join(''), text),
  });
  const many = ({ work, check }) => ({
    work: () => Promise.all(Array.from({ length: READERS }, work)),
    check: (all) => all.forEach(check),
  });
  const script = [await parts('app.js'), ofMcp, texts['app.js']];
  const words = [await parts('words.js'), ofMcp, texts['words.js']];
  const slices = [rangesOf(files.facts.url), ofFile, texts['app.js']];
  const bare = [rangesOf(files.facts.bareUrl), ofFile, texts['app.js']];
  const whole = [[() => send(files.facts.url, 'GET', {})], ofFile, texts['app.js']];
  const [mcp, file, least, other, atOnce] = await together(
    reader(...script),
    reader(...slices),
    reader(...bare),
    reader(...words),
    reader(...whole),
  );
  const [mcpText, fileText] = await together(decoding(...script), decoding(...slices));
  const [mcpMany, fileMany, leastMany] = await together(
    many(reader(...script)),
    many(reader(...slices)),
    many(reader(...bare)),
  );
  const perSecond = ({ p50 }) => `${(size / 1_048.576 / p50).toFixed(0)} MB/s`;
  const ratio = (of, to) => `${ratioOf(of, to).toFixed(2)} ×`;
  say(
    `artifact_read of 1 MB of script: ${perSecond(mcp)}, a static server in as many requests ${perSecond(file)}; ${ratio(mcp, file)} (reach: at least 0.6 ×)`,
    ratioOf(mcp, file) >= 0.6,
  );
  console.log(`  with signs of other alphabets in it: ${perSecond(other)}; ${ratio(other, file)}`);
  console.log(`  with the time in which the client makes texts of both: ${ratio(mcpText, fileText)}`);
  console.log(`  ${READERS} readers at once: ${ratio(mcpMany, fileMany)}`);
  console.log(
    `  against a server that does nothing but send this file, ${perSecond(least)}: ${ratio(mcp, least)}; ${READERS} readers at once: ${ratio(mcpMany, leastMany)}`,
  );
  console.log(`  against a static server in one request, ${perSecond(atOnce)}: ${ratio(mcp, atOnce)}`);
}

/** Median of the ratios within each round: both of a round have met the same moment of the machine. */
function ratioOf(of, to) {
  return sorted(of.rounds.map((time, round) => to.rounds[round] / time))[ROUNDS / 2];
}

function sorted(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

function same(text, expected) {
  if (text !== expected) throw new Error('Another text was read.');
}

async function call(project, name, args) {
  return resultOf(await ask(project, name, args)).structuredContent;
}

/** The bytes of the answer. */
function ask({ token }, name, args) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return send(
    product.facts.url,
    'POST',
    {
      host: product.facts.host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body,
  );
}

function resultOf(answer) {
  const { result, error } = JSON.parse(answer.toString());
  if (!result || result.isError) throw new Error(JSON.stringify(error ?? result).slice(0, 300));
  return result;
}

function send(url, method, headers, body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const whole = Buffer.concat(chunks);
        if ([200, 206].includes(answer.statusCode)) resolve(whole);
        else reject(new Error(`${url}: ${answer.statusCode} ${whole.toString().slice(0, 300)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Times of each work in milliseconds, in turns, so that a busy moment meets all of them. What came of a work is checked
 * when its time is taken.
 */
async function together(...works) {
  const times = works.map(() => []);
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const [index, { work, check }] of works.entries()) {
      const began = performance.now();
      const result = await work();
      if (round >= 0) times[index].push(performance.now() - began);
      check(result);
    }
  }
  return times.map((rounds) => {
    const list = sorted(rounds);
    return { rounds, p50: list[ROUNDS / 2], p95: list[Math.floor(ROUNDS * 0.95)] };
  });
}

function report(what, { p50, p95 }, reach) {
  say(`${what}: ${p95.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms; reach: at most ${reach} ms)`, p95 <= reach);
}

function flat(what, few, many) {
  const ok = many.p50 / few.p50 <= 1.5 || many.p50 - few.p50 <= 2;
  say(
    `${what}: ${few.p50.toFixed(1)} ms with 100 artifacts, ${many.p50.toFixed(1)} ms with 50,000 (reach: 1.5 ×)`,
    ok,
  );
}

function say(text, ok) {
  if (!ok) failed = true;
  console.log(`${text} ${ok ? 'reached' : 'MISSED'}`);
}

async function start(name) {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'artifacts-servers.mjs');
  const child = spawn(process.execPath, [script, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The server ${name} did not start.`))),
  ]);
  return {
    facts: JSON.parse(line),
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
