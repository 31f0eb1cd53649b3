const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** True for an http address on this machine: no one can tell which program listens there. */
export function isLoopbackRedirect(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && LOOPBACK.includes(url.hostname);
}

/** Why an address of a metadata document cannot be used, or null. */
export function redirectProblem(address: unknown): string | null {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (!url || typeof address !== 'string') return 'holds a redirect address that is no URL';
  if (address.includes('#')) return 'holds a redirect address with a fragment';
  if (url.username || url.password) return 'holds a redirect address with a user name';
  if (url.protocol === 'https:' && !LOOPBACK.includes(url.hostname)) return null;
  if (isLoopbackRedirect(address)) return null;
  return 'holds a redirect address that is neither https nor http on localhost, 127.0.0.1 or [::1]';
}
