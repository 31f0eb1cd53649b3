import type { CookieOptions } from '#libs/http/exchange.js';

/**
 * Names of the cookies. The prefix makes the browser refuse them from other hosts and without TLS; plain http, which is
 * only for loopback, cannot use it.
 */
export function cookieName(
  name: 'session' | 'form' | 'install' | 'check' | 'company',
  https: boolean,
): string {
  return `${https ? '__Host-' : ''}loupe_${name}`;
}

/** Attributes of every cookie; without `maxAge` (milliseconds) it ends with the browser. */
export function cookieOptions(https: boolean, maxAge?: number): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: https, ...(maxAge ? { maxAge } : {}) };
}
