import type { Readable } from 'node:stream';

const HEAD_BYTES = 16 * 1024;

export interface CgiHead {
  readonly status: number;
  readonly headers: [name: string, value: string][];
}

/**
 * Reads the head of a CGI answer and leaves the body on the stream.
 * @throws when the output ends first, or the head does not end.
 */
export function readCgiHead(output: Readable): Promise<CgiHead> {
  return new Promise((done, fail) => {
    let held = Buffer.alloc(0);
    const stop = (): void => {
      output.off('readable', read).off('end', ended).off('error', failed);
    };
    const failed = (error: Error): void => {
      stop();
      fail(error);
    };
    const ended = (): void => failed(new Error('git http-backend answered nothing.'));
    const read = (): void => {
      for (let chunk = output.read() as Buffer | null; chunk; chunk = output.read() as Buffer | null) {
        held = Buffer.concat([held, chunk]);
        const end = held.indexOf('\r\n\r\n');
        if (end >= 0) {
          stop();
          const body = held.subarray(end + 4);
          if (body.length > 0) output.unshift(body);
          done(headOf(held.subarray(0, end).toString('latin1')));
          return;
        }
        if (held.length > HEAD_BYTES) {
          failed(new Error('git http-backend answered a head without end.'));
          return;
        }
      }
    };
    output.on('readable', read).on('end', ended).on('error', failed);
  });
}

function headOf(text: string): CgiHead {
  const headers: [string, string][] = [];
  let status = 200;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10) || 500;
    else if (colon > 0) headers.push([name, value]);
  }
  return { status, headers };
}
