/** Both ends are included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a `Range` header asks for. Null for none, for several and for other units: then everything is sent.
 * @param bytes length of the content
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  const [, from, to] = found as unknown as [string, string, string];
  if (from === '') {
    const last = Math.min(Number(to), bytes);
    return last === 0 ? 'unsatisfiable' : { start: bytes - last, end: bytes - 1 };
  }
  const start = Number(from);
  if (start >= bytes) return 'unsatisfiable';
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return end < start ? null : { start, end };
}
