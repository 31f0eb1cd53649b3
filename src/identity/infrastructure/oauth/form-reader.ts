import type { Request } from 'express';

const BYTES_MAX = 56 * 1024;

/** A body that is no small form. */
export class FormRefused extends Error {
  override readonly name = 'FormRefused';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Reads a form of at most 56 KB. @throws FormRefused. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new FormRefused(
      400,
      'invalid_request',
      'only application/x-www-form-urlencoded bodies are supported',
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BYTES_MAX) throw new FormRefused(413, 'invalid_request', 'the body is larger than 56 KB');
    chunks.push(chunk);
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  for (const value of form.values())
    if (value.includes('\0'))
      throw new FormRefused(400, 'invalid_request', 'a parameter holds a NUL character');
  return form;
}
