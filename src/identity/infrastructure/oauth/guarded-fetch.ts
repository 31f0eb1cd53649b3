import { request } from 'undici';
import {
  type CheckedRoute,
  checkedRoute,
  type ResolveHost,
  RouteRefused,
} from '#libs/outgoing/checked-route.js';
import { isLoopback, isPublic } from '#libs/outgoing/public-address.js';

export interface GuardedFetchOptions {
  /** `loopback` is for the test profile: nothing but this machine is reached. */
  readonly reach: 'public' | 'loopback';
  /** Host name to base URL on this machine; used with `loopback` alone. */
  readonly hostMap?: Readonly<Record<string, string>>;
  readonly proxy?: string | null;
  readonly resolve?: ResolveHost;
}

export interface FetchedJson {
  readonly document: unknown;
  /** Response headers in lower case that say how long the document may be kept. */
  readonly cacheControl: string | null;
  readonly expires: string | null;
}

/** Why a document could not be read; the sentence ends "…could not be read: <message>". */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

const LIMITS = { milliseconds: 2_500, bytes: 5 * 1024 };

/**
 * Reads a small JSON document of a stranger. The name is resolved once, every address must be allowed, and the socket goes
 * to a checked address, so no connection to another one is ever opened, also when the name changes in between. Redirects
 * are not followed; at most 5 KB are read within 2.5 s.
 */
export class GuardedFetch {
  constructor(private readonly options: GuardedFetchOptions) {}

  /** @throws FetchRefused with a plain reason. */
  async json(address: string): Promise<FetchedJson> {
    const signal = AbortSignal.timeout(LIMITS.milliseconds);
    try {
      return await this.read(new URL(address), signal);
    } catch (error) {
      if (error instanceof FetchRefused) throw error;
      throw new FetchRefused(
        signal.aborted ? 'it did not answer within 2.5 seconds' : 'the connection to its host failed',
        { cause: error },
      );
    }
  }

  private async read(url: URL, signal: AbortSignal): Promise<FetchedJson> {
    const { target, dispatcher } = await this.route(url, signal);
    try {
      const response = await request(target, {
        method: 'GET',
        headers: { accept: 'application/json', 'accept-encoding': 'identity', host: url.host },
        dispatcher,
        signal,
      });
      const header = (name: string): string | null => {
        const value = response.headers[name];
        return (Array.isArray(value) ? value[0] : value) ?? null;
      };
      if (response.statusCode >= 300 && response.statusCode < 400) {
        throw new FetchRefused('it redirects to another address');
      }
      if (response.statusCode !== 200)
        throw new FetchRefused(`it answered with status ${response.statusCode}`);
      const type = (header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
      if (!/^application\/([\w.-]+\+)?json$/.test(type))
        throw new FetchRefused('it did not answer with JSON');
      const body = await readLimited(response.body, header('content-encoding'));
      return { document: parse(body), cacheControl: header('cache-control'), expires: header('expires') };
    } finally {
      // The rest of a refused answer is of no interest.
      void dispatcher.destroy().catch(() => undefined);
    }
  }

  private async route(url: URL, signal: AbortSignal): Promise<CheckedRoute> {
    const { reach, hostMap, proxy, resolve } = this.options;
    const mapped = reach === 'loopback' ? hostMap?.[url.host] : undefined;
    try {
      return await checkedRoute(mapped ? new URL(url.pathname, mapped) : url, {
        allows: reach === 'public' ? isPublic : isLoopback,
        proxy: mapped ? null : proxy,
        resolve,
        timeoutMs: LIMITS.milliseconds,
        maxResponseBytes: 64 * 1024,
        signal,
      });
    } catch (error) {
      if (error instanceof RouteRefused) throw new FetchRefused(error.message, { cause: error });
      throw error;
    }
  }
}

async function readLimited(body: AsyncIterable<Uint8Array>, encoding: string | null): Promise<string> {
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new FetchRefused('it answered in a compressed form');
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LIMITS.bytes) throw new FetchRefused('it is larger than 5 KB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new FetchRefused('it did not answer with JSON');
  }
}
