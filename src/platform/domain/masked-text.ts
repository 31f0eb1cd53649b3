const ADDRESS = /[^\s@<>"'(),:;]+@[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;]+/g;
const CREDENTIALS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi;
const NAMED_SECRET =
  /\b(password|passwd|secret|token|authorization|cookie|api[_-]?key)(["']?\s*[:=]\s*["']?)(?:(?:bearer|basic)\s+)?[^\s"',;&}]+/gi;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;

/** Text of an error for the eyes of an admin: without secrets and e-mail addresses, at most `max` characters. */
export function masked(text: string, max: number): string {
  const clean = text
    .replaceAll('\0', '')
    .replace(CREDENTIALS, '$1***@')
    .replace(NAMED_SECRET, '$1$2***')
    .replace(BEARER, '$1 ***')
    .replace(ADDRESS, '***@***');
  return clean.length > max ? `${clean.slice(0, max)}… (cut)` : clean;
}
