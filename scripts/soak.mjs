// A deploy under load, in its long form: two web processes and a worker behind one database, 200 agents' calls a second
// for at least a minute, while each process in turn is stopped and started again. Prints what it measured.
// npm run test:soak [-- --short]; the short form is the one that `npm test` runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const short = process.argv.includes('--short');
const long = { LOUPE_SOAK_RATE: '200', LOUPE_SOAK_AT_ONCE: '300', LOUPE_SOAK_SECONDS: '60' };

await prepare({ build: true });
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--config=jest.config.cjs',
    '--runTestsByPath',
    'test/e2e/soak.spec.ts',
  ],
  { cwd: root, stdio: 'inherit', env: { ...(short ? {} : long), ...process.env } },
);
process.exit(status ?? 1);
