// Cold start of the built server on an initialised embedded database, and memory of an idle process.
// node test/bench/process-bench.mjs; needs `npm run build`. Ends with 1 when a figure is out of reach.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const START_SECONDS_MAX = 4;
const MEGABYTES_MAX = 250;
const ROUNDS = 3;
const IDLE_SECONDS = 20;

const varDir = mkdtempSync(join(tmpdir(), 'loupe-bench-'));
chmodSync(varDir, 0o755);
const port = await freePort();
try {
  // The first start makes the database; it does not count.
  await stop(await start());
  const seconds = [];
  let server;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (server) await stop(server);
    server = await start();
    seconds.push(server.seconds);
  }
  await new Promise((done) => setTimeout(done, IDLE_SECONDS * 1000));
  const megabytes = residentMegabytes(server.child.pid);
  await stop(server);
  const best = Math.min(...seconds);
  console.log(`cold start to the first answer: ${best.toFixed(2)} s (reach: under ${START_SECONDS_MAX} s)`);
  console.log(`memory of an idle process: ${megabytes.toFixed(0)} MB (reach: under ${MEGABYTES_MAX} MB)`);
  if (best >= START_SECONDS_MAX || megabytes >= MEGABYTES_MAX) process.exitCode = 1;
} finally {
  rmSync(varDir, { recursive: true, force: true });
}

async function start() {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      LOUPE_VAR_DIR: varDir,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (;;) {
    if (child.exitCode !== null) throw new Error('The server ended while starting.');
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.ok) return { child, seconds: (performance.now() - began) / 1000 };
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function stop({ child }) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Resident set of one process; the database is a process of its own. */
function residentMegabytes(pid) {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line[1]) / 1024;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  return free;
}
