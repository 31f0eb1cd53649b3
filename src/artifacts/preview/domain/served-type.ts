const SHOWN: ReadonlySet<string> = new Set(
  (
    'text/html text/css text/javascript text/plain text/markdown text/csv image/svg+xml application/json ' +
    'application/xml application/yaml image/png image/jpeg image/gif image/webp image/avif image/x-icon ' +
    'image/vnd.microsoft.icon font/woff font/woff2 font/ttf font/otf video/mp4 video/webm audio/mpeg audio/ogg ' +
    'video/ogg application/ogg audio/wav application/pdf application/wasm'
  ).split(' '),
);

/** Headers that say what the bytes are. Types off the list are handed out for saving alone. */
export function typeHeaders(contentType: string, isText: boolean): Record<string, string> {
  if (!SHOWN.has(contentType)) {
    return { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment' };
  }
  return { 'Content-Type': isText ? `${contentType}; charset=utf-8` : contentType };
}
