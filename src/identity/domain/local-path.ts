const BASE = 'http://loupe.invalid';
const MAX_LENGTH = 2_000;

/**
 * The value of `next` when it is a path on this instance, else null. Browsers read backslashes as slashes and skip
 * control characters, so `/\evil.example` and `//evil.example` lead away.
 */
export function localPath(next: string | null | undefined): string | null {
  if (!next || next.length > MAX_LENGTH) return null;
  if (!next.startsWith('/') || /[\\\p{Cc}]/u.test(next)) return null;
  try {
    const url = new URL(next, BASE);
    if (url.origin !== BASE || url.pathname.startsWith('//')) return null;
    return `${url.pathname}${url.search}${url.hash}`;
  } catch {
    return null;
  }
}
