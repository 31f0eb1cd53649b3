import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** Largest body of a request, in bytes. */
export const BODY_LIMIT = 4 * 1024 * 1024;

export type ReadBody =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'no-json'; readonly reason: string };

/** Reads a JSON body of at most 4 MiB. What is larger is refused as soon as that is known. */
export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  if (Number(request.headers['content-length']) > BODY_LIMIT) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) return { kind: 'too-large' };
    chunks.push(chunk);
  }
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  if (!isUtf8(bytes)) return { kind: 'no-json', reason: 'the body is not valid UTF-8' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'no-json', reason: 'the body is not valid JSON' };
  }
}
