import { execFileSync } from 'node:child_process';
import { applicationRoot } from '#libs/configuration/application-root.js';
import type { RuntimeTexts } from '../canvas/runtime-texts.js';

/** The canvas runtime, built from the sources of now in a process of its own. */
export function canvasRuntime(): RuntimeTexts {
  const code =
    "import { canvasTexts } from './scripts/build-cli.mjs'; process.stdout.write(JSON.stringify(canvasTexts()));";
  const json = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: applicationRoot,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(json.toString()) as RuntimeTexts;
}
