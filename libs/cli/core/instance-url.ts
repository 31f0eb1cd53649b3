import { wrongUse } from './failure.js';

/**
 * Address of an instance without a slash at its end.
 * @throws Failure (2) for what is no address, and for `http:` on a host that is not this machine.
 */
export function instanceUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrongUse(`"${text}" is no address`, 'give one such as https://loupe.example.com');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw wrongUse(`"${text}" is no web address`, 'give one that begins with https://');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw wrongUse(`${url.origin} would send the sign-in unencrypted`, 'use its https: address');
  }
  if (url.username || url.password) {
    throw wrongUse('the address holds a user name or password', 'leave them out and run `loupe login`');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
