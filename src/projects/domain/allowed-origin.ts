import { asciiHostName } from './host-name.js';
import { ORIGIN_MAX } from './project-limits.js';

/** Whether a host name is a public suffix such as `com` or `co.uk`, under which strangers own names. */
export type IsPublicSuffix = (host: string) => boolean;

/** An accepted origin, or the sentence that refuses it. */
export type ParsedOrigin = { readonly origin: string } | { readonly refusal: string };

const EXAMPLE = 'such as https://staging.example.com';
const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]*\]|[^/?#:@[\]\\\s]*)(?::(\d*))?(.*)$/is;

/** One entry of the allowed origins in its normal form (`platform.md` 3.3). */
export function parseOrigin(entry: string, isPublicSuffix: IsPublicSuffix): ParsedOrigin {
  const text = entry.trim();
  if (text.length > ORIGIN_MAX) return refuse(`must be at most ${ORIGIN_MAX} characters`);
  const match = SHAPE.exec(text);
  if (!match) {
    return refuse(
      text === '*'
        ? `must not be a bare *; name a site, ${EXAMPLE}`
        : `must be an origin with scheme and host, ${EXAMPLE}`,
    );
  }
  const [, scheme = '', host = '', port, rest = ''] = match;
  const protocol = scheme.toLowerCase();
  if (protocol !== 'https' && protocol !== 'http') return refuse(`must begin with https://, ${EXAMPLE}`);
  const tail = refusalOfTail(rest);
  if (tail) return refuse(tail);

  const wildcard = host.startsWith('*.');
  const plain = wildcard ? host.slice(2) : host;
  if (plain.includes('*') || host === '*') {
    return refuse('may have * only as its whole first label, such as https://*.example.com');
  }
  const name = normalHost(plain);
  if (name === null) return refuse(`must name a host, ${EXAMPLE}`);
  if (protocol === 'http' && !(isLocalName(name) || (!wildcard && isLoopbackAddress(name)))) {
    return refuse('must use https; http is only for localhost, *.localhost, 127.0.0.1 and [::1]');
  }
  if (wildcard && isAddress(name)) return refuse('must not have a wildcard over an IP address');
  if (wildcard && !isLocalName(name) && isPublicSuffix(name)) {
    return refuse(`must not have a wildcard over the public suffix "${name}"; name your own domain`);
  }
  const number = port === undefined || port === '' ? null : Number(port);
  if (number !== null && (number < 1 || number > 65_535))
    return refuse('must have a port from 1 to 65535 or none');
  const standard = protocol === 'https' ? 443 : 80;
  const suffix = number === null || number === standard ? '' : `:${number}`;
  return { origin: `${protocol}://${wildcard ? '*.' : ''}${name}${suffix}` };
}

/** Whether an accepted origin, perhaps with a wildcard, covers the origin of a page. */
export function originCovers(allowed: string, pageOrigin: string): boolean {
  if (!allowed.includes('://*.')) return allowed === pageOrigin;
  const [scheme, rest] = allowed.split('://*.') as [string, string];
  const start = `${scheme}://`;
  const end = `.${rest}`;
  if (!pageOrigin.startsWith(start) || !pageOrigin.endsWith(end)) return false;
  const label = pageOrigin.slice(start.length, pageOrigin.length - end.length);
  return label !== '' && !/[./:]/.test(label);
}

function refuse(refusal: string): ParsedOrigin {
  return { refusal };
}

function refusalOfTail(rest: string): string | null {
  if (rest === '' || rest === '/') return null;
  if (rest.includes('@')) return `must have no user name, ${EXAMPLE}`;
  if (rest.startsWith('/')) return `must have no path, ${EXAMPLE}`;
  if (rest.startsWith('?')) return `must have no query, ${EXAMPLE}`;
  if (rest.startsWith('#')) return `must have no fragment, ${EXAMPLE}`;
  return `must be an origin with scheme and host, ${EXAMPLE}`;
}

function normalHost(host: string): string | null {
  if (!host.startsWith('[')) return asciiHostName(host);
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return null;
  }
}

function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isLoopbackAddress(host: string): boolean {
  return host === '127.0.0.1' || host === '[::1]';
}
