// Brings a checkout to a state in which it can run: right Node.js, installed packages, a build of the present sources.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @param {{ build: boolean }} wanted */
export async function prepare({ build }) {
  refuseOldNode();
  install();
  if (build) buildProduct();
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `Loupe needs Node.js 20.19 or newer; this is ${process.versions.node}. Install a newer one and try again.`,
  );
  process.exit(1);
}

function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  const stamp = join(root, 'node_modules', '.loupe-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing packages (once, and after each change of package-lock.json) …');
  // The build needs the development packages too, whatever NODE_ENV says.
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

/** Builds when the sources differ from those of the last build, by content, so a fresh pull is noticed and a touch is not. */
function buildProduct() {
  const sources = [
    'src',
    'libs',
    'migrations',
    'docs',
    'scripts/build-cli.mjs',
    'scripts/build-docs.mjs',
    'scripts/bundle-server.mjs',
    'package-lock.json',
    '.swcrc',
  ];
  const hash = createHash('sha256');
  for (const source of sources) addTo(hash, join(root, source));
  const wanted = hash.digest('hex');
  const stamp = join(root, 'dist', '.loupe-built');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Building …');
  run('npm', ['run', '--silent', 'build']);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function addTo(hash, path) {
  if (statSync(path).isDirectory()) {
    for (const entry of readdirSync(path).sort()) addTo(hash, join(path, entry));
  } else {
    hash.update(relative(root, path)).update(readFileSync(path));
  }
}

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
