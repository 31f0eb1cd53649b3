import type { Readable } from 'node:stream';
import type { SkippedFile } from '../../domain/artifact-types.js';

export interface ArchiveLimits {
  readonly maxEntries: number;
  /** Bytes of all entries together when unpacked. */
  readonly maxInflatedBytes: number;
  /** How many times larger than its packed form an entry of more than 1 MiB may be. */
  readonly maxRatio: number;
}

/** What names may be; the rules are those of every way into an artifact. */
export interface EntryRules {
  /** Why a path is unsafe, as a half sentence; null when it is safe. */
  problemOf(path: string): string | null;
  /** Why a file of that path is left out, or null when it is stored. */
  skipReasonOf(path: string): string | null;
}

/** Reads uploaded archives, every one of which is hostile until it is read to the end. */
export abstract class ArchiveReader {
  /**
   * Checks the whole directory of the archive first, then hands over the files, a few at a time. `take` reads its content
   * to the end. One top folder that all entries share is taken off the paths.
   * @returns the files that were left out by their names.
   * @throws DomainError `invalid` with one sentence that names the entry to blame. What `take` got before that is to be
   * thrown away.
   */
  abstract unpack(
    archive: Readable,
    limits: ArchiveLimits,
    rules: EntryRules,
    take: (path: string, content: Readable) => Promise<void>,
  ): Promise<SkippedFile[]>;
}
