// For work on Loupe: the server, built and started again after each change of its sources, and the web app from Vite, which
// puts what changed into the open page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

/** Editors write a file in several steps, and a switch of branches writes many. */
const QUIET_MS = 150;
/** Built by others, or read by no server. */
const ELSEWHERE = /^(web-app|cli)\b|\.spec\.ts$/;

await prepare({ build: true });
const port = process.env.PORT ?? '3000';
process.env.LOUPE_DEV_SERVER = `http://127.0.0.1:${port}`;
const { createServer } = await import('vite');
const pages = await createServer({ configFile: join(root, 'libs', 'web-app', 'vite.config.ts') });
await pages.listen();

let server = start();
let work = Promise.resolve();
let quiet;
for (const folder of ['src', 'libs', 'migrations']) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (name !== null && ELSEWHERE.test(name)) return;
    clearTimeout(quiet);
    quiet = setTimeout(() => {
      work = work.then(startAgain);
    }, QUIET_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await Promise.all([stop(server), pages.close()]);
    process.exit(0);
  });
}
console.log(`\n  Pages that follow each change: ${pages.resolvedUrls.local[0]}\n`);

function start() {
  return spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: port, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  });
}

/** Sources that do not compile leave the old server as it is. */
async function startAgain() {
  const [failed] = await once(
    spawn('npm', ['run', '--silent', 'build:server'], { cwd: root, stdio: 'inherit' }),
    'exit',
  );
  if (failed) return;
  await stop(server);
  server = start();
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
