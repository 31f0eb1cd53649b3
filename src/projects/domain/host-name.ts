import { DOMAIN_MAX } from './project-limits.js';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A host name in lower case and ASCII (international names as punycode), or null when `text` is none. */
export function asciiHostName(text: string): string | null {
  if (text === '' || /[\s/?#@:[\]\\%]/.test(text)) return null;
  let host: string;
  try {
    host = new URL(`http://${text}`).hostname;
  } catch {
    return null;
  }
  if (host.length > DOMAIN_MAX || !host.split('.').every((label) => LABEL.test(label))) return null;
  return host;
}

/** The domain of a project as people paste it: a leading `http(s)://` and a trailing `/` are dropped. */
export function parseDomain(text: string): string | null {
  return asciiHostName(
    text
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, ''),
  );
}
