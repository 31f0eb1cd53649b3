import { createReadStream, existsSync, type ReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Configuration } from '#libs/configuration/configuration.js';

/** What the build of the command wrote down about it. */
interface BuiltRelease {
  readonly range: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
}

export interface ReleaseList {
  /** Versions of the command that fit this server. */
  readonly range: string;
  readonly releases: readonly {
    readonly version: string;
    readonly url: string;
    readonly sha256: string;
    readonly size: number;
  }[];
}

/** The `loupe` command that this server was built with (`cli.md` 5.6). */
export class CliReleases {
  private readonly release: BuiltRelease | null;

  /** @param folder of the built command; an empty one means that there is nothing to install */
  constructor(
    private readonly configuration: Configuration,
    private readonly folder: string,
  ) {
    const path = join(folder, 'release.json');
    this.release = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BuiltRelease) : null;
  }

  list(): ReleaseList {
    if (!this.release) return { range: '', releases: [] };
    const { range, version, file, sha256, size } = this.release;
    return { range, releases: [{ version, url: this.configuration.url(`/cli/${file}`), sha256, size }] };
  }

  /** The archive of that name, or null; only the one of the release is known. */
  archive(name: string): { readonly size: number; readonly stream: ReadStream } | null {
    if (!this.release || name !== this.release.file) return null;
    return { size: this.release.size, stream: createReadStream(join(this.folder, name)) };
  }
}
