import type { Readable } from 'node:stream';

export interface ArchivedFile {
  /** Safe: it is that of a stored version. */
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: Date;
  readonly compress: boolean;
  /** Called when its turn comes. */
  readonly open: () => Promise<Readable>;
}

/** Packs stored files for a download. */
export abstract class ArchiveWriter {
  /** A zip that is made while it is read; a file that cannot be read destroys the stream. */
  abstract write(files: readonly ArchivedFile[]): Readable;
}
