import { PassThrough, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { type ArchivedFile, ArchiveWriter } from '../../application/ports/archive-writer.js';

const PLAIN_FILE = 0o100644;

/** Zips made file by file, so that a version of any size needs no memory of its size. */
@Injectable()
export class ZipArchiveWriter extends ArchiveWriter {
  override write(files: readonly ArchivedFile[]): Readable {
    const zip = new ZipFile();
    const output = new PassThrough();
    const source = zip.outputStream as Readable;
    (zip as unknown as NodeJS.EventEmitter).on('error', (error: Error) => output.destroy(error));
    source.on('error', (error) => output.destroy(error));
    output.once('close', () => source.unpipe(output));
    for (const { path, bytes, changedAt, compress, open } of files) {
      zip.addReadStreamLazy(
        path,
        { mtime: changedAt, mode: PLAIN_FILE, compress, size: bytes },
        (take: (error: unknown, stream: NodeJS.ReadableStream) => void) => {
          open().then(
            (stream) => {
              stream.once('error', (error) => output.destroy(error));
              take(null, stream);
            },
            (error: Error) => output.destroy(error),
          );
        },
      );
    }
    zip.end();
    source.pipe(output);
    return output;
  }
}
