// Finds code that nothing uses. On a copy without `dist/`: there the imports of the package lead to the built files, and
// knip, which cannot be told of our condition for the sources, would follow them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const copy = mkdtempSync(join(tmpdir(), 'loupe-dead-code-'));
try {
  for (const name of [
    'src',
    'libs',
    'test',
    'scripts',
    'migrations',
    'package.json',
    'jest.config.cjs',
    'tsconfig.json',
    'knip.json',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const knip = join(root, 'node_modules', 'knip', 'bin', 'knip.js');
  const { status } = spawnSync(process.execPath, [knip, '--no-config-hints', '--no-progress'], {
    cwd: copy,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(copy, { recursive: true });
}
