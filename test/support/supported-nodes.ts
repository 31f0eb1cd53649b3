import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';

/** The supported releases of Node.js that are on this machine: the one that runs the tests, and those that were fetched. */
export const supportedNodes: readonly { readonly version: string; readonly node: string }[] = [
  { version: process.version, node: process.execPath },
  ...[22, 24].flatMap((major) => {
    if (process.version.startsWith(`v${major}.`)) return [];
    const fetched = join(applicationRoot, 'node_modules/.cache/loupe', `node-${major}`, 'package/bin/node');
    const node = process.env[`LOUPE_NODE_${major}`] || (existsSync(fetched) ? fetched : '');
    return node ? [{ version: `v${major}`, node }] : [];
  }),
];
