import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export interface GuardedFetchOptions {
  /** `loopback` is for the test profile: nothing but this machine is reached. */
  readonly reach: 'public' | 'loopback';
  /** Host name to base URL on this machine; used with `loopback` alone. */
  readonly hostMap?: Readonly<Record<string, string>>;
  readonly proxy?: string | null;
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
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

  private async route(url: URL, signal: AbortSignal): Promise<{ target: URL; dispatcher: Dispatcher }> {
    const mapped = this.options.reach === 'loopback' ? this.options.hostMap?.[url.host] : undefined;
    const target = mapped ? new URL(url.pathname, mapped) : url;
    const addresses = await untilAborted(this.resolve(target.hostname), signal);
    for (const { address } of addresses) {
      if (!this.isAllowed(address))
        throw new FetchRefused('its host name leads to an address that is not public');
    }
    const [first] = addresses;
    if (!first) throw new FetchRefused('its host name is unknown');
    const timeouts = {
      headersTimeout: LIMITS.milliseconds,
      bodyTimeout: LIMITS.milliseconds,
      maxResponseSize: 64 * 1024,
    };
    if (this.options.proxy && !mapped) {
      // The proxy gets the checked address and so has no name left to resolve; TLS still asks for the name.
      const literal = new URL(target);
      literal.hostname = first.family === 6 ? `[${first.address}]` : first.address;
      const proxy = new ProxyAgent({
        uri: this.options.proxy,
        requestTls: { servername: target.hostname },
        ...timeouts,
      });
      return { target: literal, dispatcher: proxy };
    }
    const dispatcher = new Agent({
      ...timeouts,
      connect: {
        timeout: LIMITS.milliseconds,
        lookup: (_host, options, callback) => {
          if (options.all) callback(null, [...addresses]);
          else callback(null, first.address, first.family);
        },
      },
    });
    return { target, dispatcher };
  }

  private async resolve(hostname: string): Promise<readonly ResolvedAddress[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(host))
      return [{ address: host, family: ipaddr.parse(host).kind() === 'ipv6' ? 6 : 4 }];
    try {
      return await (this.options.resolve ?? resolveByDns)(host);
    } catch (error) {
      throw new FetchRefused('its host name is unknown', { cause: error });
    }
  }

  private isAllowed(address: string): boolean {
    return this.options.reach === 'public' ? isPublic(address) : rangeOf(address) === 'loopback';
  }
}

/** True for addresses of the open internet: none of the private, shared, reserved, mapped or translated ranges. */
export function isPublic(address: string): boolean {
  return rangeOf(address) === 'unicast';
}

function rangeOf(address: string): string {
  try {
    return ipaddr.parse(address).range();
  } catch {
    return 'invalid';
  }
}

async function resolveByDns(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    }),
  ]);
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
