// Everything that can run on this machine, and a line for each suite that had to be left out and why.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { prepare, root } from './prepare.mjs';

/** Suites that drive browsers and kill processes can stumble over a busy machine; more than this many is no stumble. */
const STUMBLES = 8;

await prepare({ build: true });

const { findBrowser } = await import('./browser.mjs');
const { findNode } = await import('./other-nodes.mjs');
const browser = await findBrowser();
const node22 = findNode(22);
const node24 = findNode(24);
const samples = process.env.LOUPE_SAMPLES_DIR ?? join(root, '..', 'shared', 'samples');
const left = [];
if (!node22) left.push('the MCP conformance suite, and the product on Node.js 22: none could be had');
if (!node24) left.push('the product on Node.js 24: none could be had');
if (!browser) left.push('browser suites: no Chromium was found; set LOUPE_CHROMIUM to one');
if (!existsSync('/usr/bin/redis-server')) {
  left.push('the Redis half of the queue and rate-limit contracts: no redis-server was found');
}
if (!readdirIfThere('/usr/lib/postgresql').some((version) => Number(version) >= 15)) {
  left.push('backup and restore on an external PostgreSQL: no server of version 15 or newer was found');
}
if (!existsSync(samples)) {
  left.push('suites on real revisions: no samples were found; set LOUPE_SAMPLES_DIR to their folder');
}

const folder = mkdtempSync(join(tmpdir(), 'loupe-test-report-'));
const first = jest('first', process.argv.slice(2));
let failedFiles = filesThatFailed(first);
let { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = first;
failed += first.numRuntimeErrorTestSuites;
for (const chance of failedFiles.length <= STUMBLES ? ['second', 'third'] : []) {
  if (failedFiles.length === 0) break;
  console.log(`Once more and by themselves, since they failed: ${failedFiles.join(', ')}`);
  const run = jest(chance, ['--maxWorkers=1', '--runTestsByPath', ...failedFiles]);
  const again = filesThatFailed(run);
  for (const file of failedFiles.filter((name) => !again.includes(name))) {
    console.log(`Passed at the ${chance} run only: ${file}. Find out why it failed before.`);
  }
  passed = first.numPassedTests + first.numFailedTests - run.numFailedTests;
  failed = run.numFailedTests + run.numRuntimeErrorTestSuites;
  failedFiles = again;
}
rmSync(folder, { recursive: true });
for (const line of left) console.log(`Left out: ${line}.`);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failedFiles.length > 0 ? 1 : 0);

function jest(name, extra) {
  const report = join(folder, `${name}.json`);
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
      '--config=jest.config.cjs',
      '--json',
      `--outputFile=${report}`,
      ...extra,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        LOUPE_CHROMIUM: browser ?? '',
        LOUPE_NODE_22: node22 ?? '',
        LOUPE_NODE_24: node24 ?? '',
        LOUPE_SAMPLES_DIR: samples,
      },
    },
  );
  if (!existsSync(report)) process.exit(status || 1);
  const result = JSON.parse(readFileSync(report, 'utf8'));
  if (result.numTotalTests === 0) {
    console.error('No test was run.');
    process.exit(1);
  }
  return result;
}

function readdirIfThere(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function filesThatFailed({ testResults }) {
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name));
}
