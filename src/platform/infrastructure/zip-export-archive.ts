import { once } from 'node:events';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { Clock } from '#libs/kernel/clock.js';
import { BlobStore, type StoredBlob } from '#libs/kernel/ports/blob-store.js';
import { ExportArchive } from '../application/ports/export-archive.js';
import type {
  ExportContributor,
  ExportedFile,
  ExportedRows,
  ExportSubject,
} from '../application/ports/export-contributors.js';

/** Version of the files of an export, for programs that read them. */
const SCHEMA_VERSION = 1;
const MAX_BYTES = 20 * 1024 ** 3;
const PLAIN_FILE = 0o100600;

/** One zip, made file by file while it flows into the blob store; the manifest is its last file. */
@Injectable()
export class ZipExportArchive extends ExportArchive {
  constructor(
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async write(
    key: string,
    subject: ExportSubject,
    contributors: readonly ExportContributor[],
    signal: AbortSignal,
  ): Promise<StoredBlob> {
    const zip = new ZipFile();
    const output = new PassThrough();
    const over = new AbortController();
    const stop = (): void => over.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const source = zip.outputStream as Readable;
    // The zip reports what its files report; whoever added the file hears of it too.
    (zip as unknown as NodeJS.EventEmitter).on('error', (error: Error) => output.destroy(error));
    source.on('error', (error) => output.destroy(error));
    // The store hears of an end amid the archive when it reads on, which it may not have begun.
    output.on('error', () => undefined);
    source.pipe(output);
    const kept = this.blobs.put(key, output, { maxBytes: MAX_BYTES, contentType: 'application/zip' });
    let storeFault: { readonly error: unknown } | null = null;
    const settled = kept.then(
      () => undefined,
      (error: unknown) => {
        storeFault = { error };
        // Whoever waits for a place in the zip must hear that nobody takes it any more.
        over.abort();
      },
    );
    try {
      await this.fill(zip, subject, contributors, over.signal);
      zip.end();
    } catch (error) {
      const first = storeFault as { readonly error: unknown } | null;
      output.destroy(error as Error);
      await settled;
      throw first ? first.error : error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return kept;
  }

  private async fill(
    zip: ZipFile,
    subject: ExportSubject,
    contributors: readonly ExportContributor[],
    signal: AbortSignal,
  ): Promise<void> {
    const createdAt = this.clock.now();
    const counts: Record<string, number> = {};
    const add = async (file: ExportedFile): Promise<void> => {
      counts[file.name] = 1;
      const stream = 'content' in file ? file.content : new PassThrough();
      zip.addReadStream(stream, file.name, { mtime: createdAt, mode: PLAIN_FILE });
      const read = finished(stream, { writable: false, signal });
      // It is waited for below; until then its failure is no stray one.
      read.catch(() => undefined);
      if (!('content' in file)) {
        try {
          counts[file.name] = await writeRows(file, stream as PassThrough, signal);
        } catch (error) {
          stream.destroy();
          throw error;
        }
      }
      await read;
    };
    for (const contributor of contributors) {
      for await (const file of contributor.files(subject)) await add(file);
    }
    await add({
      name: 'manifest.json',
      shape: 'one',
      write: (emit) =>
        emit({ schemaVersion: SCHEMA_VERSION, createdAt, personId: subject.personId, counts: { ...counts } }),
    });
  }
}

/** @returns number of rows */
async function writeRows(file: ExportedRows, sink: Writable, signal: AbortSignal): Promise<number> {
  let rows = 0;
  const put = async (text: string): Promise<void> => {
    signal.throwIfAborted();
    if (!sink.write(text)) await once(sink, 'drain', { signal });
  };
  const list = file.shape !== 'one';
  if (list) await put('[');
  await file.write(async (row) => {
    await put(`${list && rows > 0 ? ',' : ''}\n${JSON.stringify(row)}`);
    rows += 1;
  });
  await put(list ? '\n]\n' : '\n');
  sink.end();
  return rows;
}
