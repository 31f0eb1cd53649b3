import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from './application-root.js';

/** Version of this release, from `package.json`. */
export const version: string = (
  JSON.parse(readFileSync(join(applicationRoot, 'package.json'), 'utf8')) as { version: string }
).version;
