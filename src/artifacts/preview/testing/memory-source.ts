import type { BuildSource } from '../infrastructure/build/build-source.js';

/** Files of a version in memory, with the paths that a build has read. */
export class MemorySource implements BuildSource {
  readonly paths: readonly string[];
  readonly seen = new Set<string>();

  constructor(private readonly files: Readonly<Record<string, string | Uint8Array>>) {
    this.paths = Object.keys(files).sort();
  }

  has(path: string): boolean {
    return Object.hasOwn(this.files, path);
  }

  async read(path: string): Promise<Uint8Array> {
    const content = this.files[path];
    if (content === undefined) throw new Error(`no file ${path}`);
    this.seen.add(path);
    return typeof content === 'string' ? Buffer.from(content) : content;
  }
}
