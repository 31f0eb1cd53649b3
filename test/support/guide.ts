import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applicationRoot } from '#libs/configuration/application-root.js';

/** Commands of a guide: what stands in its fenced `sh` blocks, so that a test runs what a reader runs. */
export class Guide {
  private readonly text: string;

  constructor(path: string) {
    this.text = readFileSync(join(applicationRoot, path), 'utf8');
  }

  /** The blocks below a heading up to the next one of its level, in order. @throws when there are none. */
  commands(heading: string): string[] {
    const [, section] = this.text.split(`\n## ${heading}\n`);
    const blocks = [...(section?.split('\n## ')[0] ?? '').matchAll(/^```sh\n(.*?)^```$/gms)].map(
      ([, block]) => block!,
    );
    if (blocks.length === 0) throw new Error(`The guide has no commands below "${heading}".`);
    return blocks;
  }
}
