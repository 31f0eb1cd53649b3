import type { Terminal } from './terminal.js';
import { USER_AGENT } from './version.js';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * The way to the network: names the program, follows no redirect by itself (a token must not travel to another
 * origin), uses the proxy of `HTTPS_PROXY`, and tells `--debug` each request without its credentials.
 */
export function webFetch(
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Pick<Terminal, 'debug'>,
): Fetch {
  const proxied = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some(
    (name) => environment[name],
  );
  const base: Promise<Fetch> = proxied ? throughProxy() : Promise.resolve(fetch as Fetch);
  return async (url, init = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('user-agent')) headers.set('user-agent', USER_AGENT);
    const begun = performance.now();
    const method = init.method ?? 'GET';
    try {
      const answer = await (await base)(url, { redirect: 'manual', ...init, headers });
      terminal.debug(`${method} ${shown(url)} ${answer.status} ${Math.round(performance.now() - begun)} ms`);
      return answer;
    } catch (error) {
      terminal.debug(`${method} ${shown(url)} failed: ${(error as Error).message}`);
      throw error;
    }
  };
}

/** Only then the library is loaded: it would cost every other start some milliseconds. */
async function throughProxy(): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  return (url, init) =>
    fetchThrough(url, { ...(init as object), dispatcher } as never) as unknown as Promise<Response>;
}

/** Queries may hold codes. */
function shown(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search ? '?…' : ''}`;
}
