/** What a reference in a page wants. */
export type WantedKind = 'image' | 'style' | 'picture-or-font';

const EXTENSION_OF_TYPE: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'image/vnd.microsoft.icon': 'ico',
  'text/css': 'css',
  'font/woff2': 'woff2',
  'font/woff': 'woff',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'font/sfnt': 'ttf',
  'application/font-woff2': 'woff2',
  'application/font-woff': 'woff',
  'application/x-font-woff': 'woff',
  'application/x-font-ttf': 'ttf',
  'application/x-font-truetype': 'ttf',
  'application/x-font-opentype': 'otf',
  'application/vnd.ms-opentype': 'otf',
};

const IMAGES = new Set(['png', 'jpg', 'gif', 'webp', 'avif', 'bmp', 'svg', 'ico']);
const FONTS = new Set(['woff2', 'woff', 'ttf', 'otf']);
/** Types of servers that do not know what they send. */
const VAGUE = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** The extension under which a resource is kept, or null when it is not what was wanted. */
export function extensionOf(wanted: WantedKind, contentType: string, url: string): string | null {
  const extension = EXTENSION_OF_TYPE[contentType] ?? (VAGUE.has(contentType) ? extensionOfPath(url) : null);
  if (extension === null) return null;
  if (wanted === 'style') return extension === 'css' ? extension : null;
  if (IMAGES.has(extension)) return extension;
  return wanted === 'picture-or-font' && FONTS.has(extension) ? extension : null;
}

function extensionOfPath(url: string): string | null {
  const found = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  return found === 'jpeg' ? 'jpg' : (found ?? null);
}
