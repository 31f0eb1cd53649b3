import type { StoredBlob } from '#libs/kernel/ports/blob-store.js';
import type { ExportContributor, ExportSubject } from './export-contributors.js';

/** Writes the archive of an export. */
export abstract class ExportArchive {
  /**
   * Streams one zip into the blob store, file by file. `signal` ends it early.
   * @throws what a contributor or the store threw; nothing is kept then.
   */
  abstract write(
    key: string,
    subject: ExportSubject,
    contributors: readonly ExportContributor[],
    signal: AbortSignal,
  ): Promise<StoredBlob>;
}
