import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GuideLibrary } from './guide-library.js';

export interface Licence {
  readonly name: string;
  readonly paragraphs: readonly string[];
}

/** What the build put beside the program to be read; opened when somebody first asks, so that no start waits for it. */
export class Guides {
  private opened: Promise<GuideLibrary> | null = null;
  private readLicence: Licence | null = null;

  /** @param address of this instance, without a slash at its end */
  constructor(
    private readonly folder: string,
    private readonly address: string,
  ) {}

  /** Open for whoever asks next too. */
  library(): Promise<GuideLibrary> {
    this.opened ??= GuideLibrary.open(this.folder, this.address);
    return this.opened;
  }

  get licence(): Licence {
    if (!this.readLicence) {
      const [name = '', ...paragraphs] = readFileSync(join(this.folder, 'LICENSE'), 'utf8')
        .trim()
        .split(/\n{2,}/);
      this.readLicence = { name, paragraphs };
    }
    return this.readLicence;
  }
}
