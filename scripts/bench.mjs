// All figures of docs/performance.md, as ratios of one run where machines differ. Name benches to run only those:
// npm run bench -- mcp process
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare({ build: true });
const folder = join(root, 'test', 'bench');
const all = readdirSync(folder)
  .filter((file) => file.endsWith('-bench.mjs'))
  .map((file) => file.replace('-bench.mjs', ''));
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`No bench is named ${unknown.join(', ')}. Choose from: ${all.join(', ')}.`);
  process.exit(1);
}
let failed = 0;
for (const name of chosen.length > 0 ? chosen : all) {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(process.execPath, [join(folder, `${name}-bench.mjs`)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) failed += 1;
}
if (failed > 0) console.error(`\n${failed} of the benches did not reach their figures.`);
process.exit(failed > 0 ? 1 : 0);
