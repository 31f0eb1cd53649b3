import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Largest body of a request, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-json'; readonly reason: string };

/**
 * Reads a JSON body of at most 4 MiB. What is larger is refused as soon as that is known; the rest of it is thrown away as
 * it comes, so that the client gets to read the refusal.
 * @throws Error when the client goes away in the middle.
 */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  if (Number(request.headers['content-length']) > BODY_LIMIT) return { kind: 'too-large' };
  const bytes = await readBytes(request);
  if (bytes === null) return { kind: 'too-large' };
  if (!isUtf8(bytes)) return { kind: 'no-json', reason: 'the body is not valid UTF-8' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')), bytes };
  } catch {
    return { kind: 'no-json', reason: 'the body is not valid JSON' };
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) {
        chunks.push(chunk);
      } else {
        chunks.length = 0;
        resolve(null);
      }
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The client went away before its request was complete.')));
  });
}
