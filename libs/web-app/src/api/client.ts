import { addressOf, type Query } from './address';
import { ApiProblem, problemFrom } from './problem';
import { requestId } from './request-id';
import { reportServer } from './server-state';
import { tabId } from './tab';

export interface RequestOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
  /** Kept by a form over its repeats, so that a lost answer never makes two of a thing. */
  readonly requestId?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let csrfToken = '';
let renewCsrf: (() => Promise<void>) | null = null;

/** The token of the running session; the session query sets it. */
export function holdCsrfToken(token: string): void {
  csrfToken = token;
}

/** How a token that went out of date is fetched again, once, before a write gives up. */
export function onCsrfOutOfDate(renew: () => Promise<void>): void {
  renewCsrf = renew;
}

/** Waits between the tries of a write whose answer did not come, in ms. */
const WRITE_RETRIES = [400, 1200, 3000];

/**
 * Sends one request to `/api` and gives its JSON. Refusals are thrown as `ApiProblem`. Without a session the browser
 * goes to the sign-in page and the promise never settles. Writes carry a `Loupe-Request-Id`; while the server is away
 * they are sent again under the same id, at most three times.
 */
async function send<T>(
  method: Method,
  path: string,
  body: unknown,
  options: RequestOptions = {},
): Promise<T> {
  const writes = method !== 'GET';
  const id = writes ? (options.requestId ?? requestId()) : null;
  let renewed = false;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const result = await once<T>(method, path, body, options, id);
      reportServer('here');
      return result;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      reportServer(error.isAway ? 'away' : 'here');
      if (error.status === 401) return goToSignIn();
      if (error.code === 'csrf' && !renewed && renewCsrf) {
        renewed = true;
        await renewCsrf();
        continue;
      }
      const wait = WRITE_RETRIES[attempt];
      if (!writes || !error.isAway || wait === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function once<T>(
  method: Method,
  path: string,
  body: unknown,
  options: RequestOptions,
  id: string | null,
): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (id !== null) {
    headers['loupe-csrf-token'] = csrfToken;
    headers['loupe-request-id'] = id;
    headers['loupe-tab'] = tabId;
  }
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(addressOf(path, options.query), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: options.signal,
      credentials: 'same-origin',
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw problemFrom(0, '', null);
  }
  const text = await response.text();
  if (!response.ok) throw problemFrom(response.status, text, response.headers.get('retry-after'));
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function goToSignIn(): Promise<never> {
  const { pathname, search } = window.location;
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`);
  return new Promise<never>(() => undefined);
}

export const api = {
  get: <T>(path: string, options?: RequestOptions) => send<T>('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: RequestOptions) => send<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: RequestOptions) => send<T>('PUT', path, body, options),
  patch: <T>(path: string, body?: unknown, options?: RequestOptions) => send<T>('PATCH', path, body, options),
  delete: <T>(path: string, body?: unknown, options?: RequestOptions) =>
    send<T>('DELETE', path, body, options),
};
