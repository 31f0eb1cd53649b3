import type { FetchedPage } from '../../application/ports/page-fetcher.js';

/** Text of a page or a stylesheet: by its byte order mark, what its server says, what it says itself, else UTF-8. */
export function decodedText(page: Pick<FetchedPage, 'bytes' | 'charset'>): string {
  const { bytes } = page;
  const label =
    markOf(bytes) ?? page.charset ?? declaredIn(bytes.subarray(0, 1024).toString('latin1')) ?? 'utf-8';
  return decoderOf(label).decode(bytes).replaceAll('\0', '');
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : null;
}

function declaredIn(head: string): string | null {
  const declared =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ?? /^@charset "([\w.:-]+)"/.exec(head);
  // A page that was readable until here is not in UTF-16.
  return declared && !/^utf-16/i.test(declared[1]!) ? declared[1]! : null;
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('utf-8');
  }
}
