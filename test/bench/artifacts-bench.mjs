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
  const list =
    (project, args = {}) =>
    () =>
      call(project, 'artifact_list', args);
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
    () => call(few, 'artifact_get', { artifactId: inSmall }),
    () => call(many, 'artifact_get', { artifactId: inLarge }),
  );
  flat('artifact_get', one, other);
}

/** Both read as many bytes with as many requests, one after the other, in turns. */
async function reading() {
  const { projects, artifactId, bytes } = product.facts;
  const overMcp = (path) => async () => {
    let offset = 0;
    while (offset !== null) {
      const facts = await call(projects.few, 'artifact_read', { artifactId, path, offset });
      offset = facts.nextOffset;
      if (facts.bytes !== bytes[path]) throw new Error('Another file was read.');
    }
  };
  const size = bytes['app.js'];
  const inSlices = async () => {
    for (let from = 0; from < size; from += SLICE) {
      await send(files.facts.url, 'GET', { range: `bytes=${from}-${Math.min(from + SLICE, size) - 1}` });
    }
  };
  const atOnce = () => send(files.facts.url, 'GET', {});
  const many = (work) => () => Promise.all(Array.from({ length: READERS }, work));
  const [mcp, words, slices, whole] = await together(
    overMcp('app.js'),
    overMcp('words.js'),
    inSlices,
    atOnce,
  );
  const [mcpMany, slicesMany] = await together(many(overMcp('app.js')), many(inSlices));
  const perSecond = ({ p50 }) => `${(size / 1_048.576 / p50).toFixed(0)} MB/s`;
  const ratio = (of, to) => `${(to.p50 / of.p50).toFixed(2)} ×`;
  say(
    `artifact_read of 1 MB of script: ${perSecond(mcp)}, a static server in as many requests ${perSecond(slices)}; ${ratio(mcp, slices)} (reach: at least 0.6 ×)`,
    slices.p50 / mcp.p50 >= 0.6,
  );
  console.log(`  with signs of other alphabets in it: ${perSecond(words)}; ${ratio(words, slices)}`);
  console.log(`  ${READERS} readers at once: ${ratio(mcpMany, slicesMany)}`);
  console.log(`  against a static server in one request, ${perSecond(whole)}: ${ratio(mcp, whole)}`);
}

async function call({ token }, name, args) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const text = await send(
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
  const { result, error } = JSON.parse(text.toString());
  if (!result || result.isError) throw new Error(JSON.stringify(error ?? result).slice(0, 300));
  return result.structuredContent;
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

/** Times of each work in milliseconds, in turns, so that a busy moment meets all of them. */
async function together(...works) {
  const times = works.map(() => []);
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const began = performance.now();
      await work();
      if (round >= 0) times[index].push(performance.now() - began);
    }
  }
  return times.map((list) => {
    list.sort((a, b) => a - b);
    return { p50: list[ROUNDS / 2], p95: list[Math.floor(ROUNDS * 0.95)] };
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
