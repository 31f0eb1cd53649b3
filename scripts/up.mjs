// The one command of a newcomer: installs what is missing, builds what is out of date, and starts Loupe.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { prepare, root } from './prepare.mjs';

await prepare({ build: true });

if (process.argv.includes('--prepare-only')) process.exit(0);
const server = spawn(process.execPath, ['--enable-source-maps', 'dist/server/main.js'], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'pipe'],
  env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
});
// The OAuth library warns of Node.js 20, which this project tests on; to a newcomer it would look like a fault.
createInterface({ input: server.stderr }).on('line', (line) => {
  if (!line.includes('oidc-provider WARNING: Unsupported runtime')) process.stderr.write(`${line}\n`);
});
// Ctrl+C reaches the server by itself; this process waits for its orderly end.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal));
// A supervisor's SIGTERM reaches npm and its shell, which end without passing it on: then nobody is above any more.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  server.kill('SIGTERM');
}, 500);
watch.unref();
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
