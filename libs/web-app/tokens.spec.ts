import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

test('every pair of colours that the language allows has enough contrast, in both themes', () => {
  const said = execFileSync(process.execPath, [join(__dirname, 'src/styles/check-tokens.mjs')], {
    encoding: 'utf8',
  });
  expect(said).toContain('All rules hold');
});
