import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Request } from 'express';

export interface ForwardedParts {
  /** Path and query. */
  readonly url: string;
  /** Address of the instance: the library builds its links from it. */
  readonly defaultUri: string;
  /** Form to send on; null when the request has no body. */
  readonly form: URLSearchParams | null;
}

/**
 * The request as the library shall see it: with parameters that were checked, for the host of `DEFAULT_URI`, without an
 * `Origin` (CORS is decided before) or `Authorization` (there are no client secrets), and asking for JSON at the endpoints
 * of programs.
 */
export function forwardedRequest(
  request: Request,
  { url, defaultUri, form }: ForwardedParts,
): IncomingMessage {
  const base = new URL(defaultUri);
  const body = form === null ? null : Buffer.from(form.toString());
  const forwarded = new IncomingMessage(request.socket);
  forwarded.method = request.method;
  forwarded.url = url;
  forwarded.httpVersion = request.httpVersion;
  forwarded.httpVersionMajor = request.httpVersionMajor;
  forwarded.httpVersionMinor = request.httpVersionMinor;
  forwarded.headers = {
    ...kept(request.headers),
    host: base.host,
    'x-forwarded-host': base.host,
    'x-forwarded-proto': base.protocol.slice(0, -1),
  };
  if (body !== null) {
    forwarded.headers.accept = 'application/json';
    forwarded.headers['content-length'] = String(body.length);
    forwarded.push(body);
  }
  forwarded.push(null);
  // An incomplete message would close the connection of the browser when it is done.
  forwarded.complete = true;
  return forwarded;
}

const DROPPED = ['authorization', 'content-length', 'origin', 'transfer-encoding'];

function kept(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED.includes(name)));
}
