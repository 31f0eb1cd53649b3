const LONGEST = 512;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const UNSERVABLE = /[\u0000-\u001f\u007f\\:]/;

/**
 * The path inside the artifact that an address names, or null when no file can have it: an encoded slash, a bad escape,
 * a part of `..`. The empty path is the start page.
 * @param raw as it stands in the address, escapes and all, without query
 */
export function readPath(raw: string): string | null {
  if (/%2f|%5c|%00/i.test(raw)) return null;
  let path: string;
  try {
    path = decodeURIComponent(raw).normalize('NFC');
  } catch {
    return null;
  }
  if (path.length > LONGEST || UNSERVABLE.test(path)) return null;
  const parts = path.replace(/\/$/, '').split('/');
  if (path !== '' && parts.some((part) => part === '' || part === '.' || part === '..')) return null;
  return path;
}

/** Keys that are tried for a path, in order, before the start page of an app (`artifacts.md` 10.2). */
export function keysOf(path: string): string[] {
  const bare = path.replace(/\/$/, '');
  return path.endsWith('/') ? [`${bare}/index.html`] : [bare, `${bare}/index.html`];
}

/** Whether a path of an app without a file of its own leads to the start page: a place that its router knows. */
export function isRoute(path: string): boolean {
  return !/\.[^/]*$/.test(path.replace(/\/$/, ''));
}

/** The path as a part of an address. */
export function writePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
