// Everything that can run on this machine, and a line for each suite that had to be left out and why.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare({ build: true });

const { findBrowser } = await import('./browser.mjs');
const { findNode22 } = await import('./node-22.mjs');
const browser = await findBrowser();
const node22 = findNode22();
const samples = process.env.LOUPE_SAMPLES_DIR ?? join(root, '..', 'shared', 'samples');
const left = [];
if (!node22) left.push('the MCP conformance suite: it needs Node.js 22 or newer');
if (!browser) left.push('browser suites: no Chromium was found; set LOUPE_CHROMIUM to one');
if (!existsSync('/usr/bin/redis-server') && !process.env.LOUPE_REDIS_SERVER) {
  left.push(
    'the Redis half of the queue and rate-limit contracts: no redis-server was found; set LOUPE_REDIS_SERVER to one',
  );
}
if (!existsSync(samples))
  left.push('suites on real revisions: no samples were found; set LOUPE_SAMPLES_DIR to their folder');

const folder = mkdtempSync(join(tmpdir(), 'loupe-test-report-'));
const report = join(folder, 'report.json');
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--config=jest.config.cjs',
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      LOUPE_CHROMIUM: browser ?? '',
      LOUPE_NODE_22: node22 ?? '',
      LOUPE_SAMPLES_DIR: samples,
    },
  },
);
for (const line of left) console.log(`Left out: ${line}.`);
if (!existsSync(report)) process.exit(status || 1);
const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = JSON.parse(
  readFileSync(report, 'utf8'),
);
rmSync(folder, { recursive: true });
console.log(
  `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed, ${numPendingTests} skipped`,
);
process.exit(status ?? 1);
