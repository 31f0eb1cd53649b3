import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from './application-root.js';

/**
 * A file of the built server that runs as a thread or a process of its own; `scripts/bundle-server.mjs` lists them. Found
 * from the sources too; null when nothing was built.
 */
export function builtProgram(name: string): string | null {
  const path = join(applicationRoot, 'dist', 'server', `${name}.js`);
  return existsSync(path) ? path : null;
}
