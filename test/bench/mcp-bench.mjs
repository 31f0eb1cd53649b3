// Speed of the MCP endpoint against stock mcp-nest and the low-level server of the SDK, as ratios of one run.
// node test/bench/mcp-bench.mjs; needs `npm run build:server`. Ends with 1 when a figure is out of reach.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { load } from './http-load.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const ROUNDS = 5;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1.5);

const requests = {
  'tools/list': () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    check: (answer) => expectThat(answer.result?.tools?.length === 100, 'the list has 100 tools', answer),
  }),
  'tools/call': ({ call }) => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: call, arguments: {} } },
    check: (answer) =>
      expectThat(answer.result?.structuredContent?.name === 'Acme', 'the call succeeds', answer),
  }),
};

const names = ['mcp-nest', 'sdk', 'loupe'];
const servers = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await start(name)])));
const best = {};
try {
  // Rounds take turns, so that a slow moment of the machine meets all servers.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of names) {
      for (const method of Object.keys(requests)) {
        const { facts } = servers[name];
        const figures = await load({
          url: facts.url,
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-11-25',
            ...facts.headers,
          },
          ...requests[method](facts),
          seconds: round === 0 ? 1 : SECONDS,
        });
        const key = `${name} ${method}`;
        // Round 0 warms up.
        if (round > 0 && (best[key]?.perSecond ?? 0) < figures.perSecond) best[key] = figures;
      }
    }
  }
} finally {
  await Promise.all(Object.values(servers).map(({ stop }) => stop()));
}

console.log(`Best of ${ROUNDS} rounds, 16 connections, 100 tools, era 2025-11-25:`);
for (const [key, { perSecond, p50, p99 }] of Object.entries(best)) {
  console.log(
    `  ${key.padEnd(22)} ${perSecond.toFixed(0).padStart(6)} a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}
const ratio = (left, right) => best[left].perSecond / best[right].perSecond;
const figures = [
  ['tools/list through all guards, of stock mcp-nest', ratio('loupe tools/list', 'mcp-nest tools/list'), 10],
  [
    'tools/list through all guards, of the SDK with prebuilt schemas',
    ratio('loupe tools/list', 'sdk tools/list'),
    0.5,
  ],
  [
    'tools/call of a read through all guards, of a stock mcp-nest constant',
    ratio('loupe tools/call', 'mcp-nest tools/call'),
    0.5,
  ],
];
for (const [what, value, reach] of figures) {
  const mark = value >= reach ? 'reached' : 'MISSED';
  console.log(`${what}: ${value.toFixed(2)} × (reach: at least ${reach} ×) ${mark}`);
  if (value < reach) process.exitCode = 1;
}

async function start(name) {
  const child = spawn(process.execPath, [join(here, 'mcp-servers.mjs'), name], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server "${name}" ended with ${code} before it was ready.`);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const facts = await Promise.race([firstFacts(lines), ended]);
  ended.catch(() => undefined);
  return {
    facts,
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Libraries may print lines of their own. */
async function firstFacts(lines) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) return new Promise(() => undefined);
    if (value.startsWith('{"url"')) return JSON.parse(value);
  }
}

function expectThat(holds, what, answer) {
  if (!holds) throw new Error(`Expected that ${what}: ${JSON.stringify(answer).slice(0, 400)}`);
}
