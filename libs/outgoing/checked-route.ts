import { lookup } from 'node:dns/promises';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { addressOfHost } from './public-address.js';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

export type ResolveHost = (host: string) => Promise<readonly ResolvedAddress[]>;

/** Why no connection was opened. The sentence names no address and says nothing of what would have answered. */
export class RouteRefused extends Error {
  override readonly name = 'RouteRefused';

  constructor(
    readonly reason: 'unknown-host' | 'not-public',
    options?: ErrorOptions,
  ) {
    super(
      reason === 'unknown-host'
        ? 'its host name is unknown'
        : 'its host name leads to an address that is not public',
      options,
    );
  }
}

export interface RouteOptions {
  /** Says of each address of the host whether a connection may go there. */
  readonly allows: (address: string) => boolean;
  /** Address of an HTTP proxy, or null. */
  readonly proxy?: string | null;
  readonly resolve?: ResolveHost;
  /** For the connection, the head and each pause of the body. */
  readonly timeoutMs: number;
  /** Bytes of a body as it comes over the wire. */
  readonly maxResponseBytes: number;
  readonly signal: AbortSignal;
}

/** Where a request goes, and the connection that it must use. Destroy the dispatcher at the end. */
export interface CheckedRoute {
  readonly target: URL;
  readonly dispatcher: Dispatcher;
}

/**
 * Resolves the host of an address once, checks every address that it has, and gives a connection that goes to a checked
 * address only. So a name that changes in between reaches nothing else; TLS and the server still see the name.
 * @throws RouteRefused, or the reason of the signal.
 */
export async function checkedRoute(url: URL, options: RouteOptions): Promise<CheckedRoute> {
  const addresses = await checkedAddresses(url.hostname, options);
  const [first] = addresses;
  const limits = {
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
    maxResponseSize: options.maxResponseBytes,
  };
  if (options.proxy) {
    // The proxy gets the checked address and so has no name left to resolve; TLS still asks for the name.
    const literal = new URL(url);
    literal.hostname = first.family === 6 ? `[${first.address}]` : first.address;
    return {
      target: literal,
      dispatcher: new ProxyAgent({
        uri: options.proxy,
        requestTls: { servername: url.hostname },
        ...limits,
      }),
    };
  }
  const dispatcher = new Agent({
    ...limits,
    connect: {
      timeout: options.timeoutMs,
      lookup: (_host, { all }, callback) => {
        if (all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
    },
  });
  return { target: url, dispatcher };
}

/**
 * The addresses of a host, resolved once, of which every one may be connected to.
 * @throws RouteRefused, or the reason of the signal.
 */
export async function checkedAddresses(
  hostname: string,
  { allows, resolve, signal }: Pick<RouteOptions, 'allows' | 'resolve' | 'signal'>,
): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const addresses = await untilAborted(addressesOf(hostname, resolve), signal);
  if (addresses.some(({ address }) => !allows(address))) throw new RouteRefused('not-public');
  const [first, ...others] = addresses;
  if (!first) throw new RouteRefused('unknown-host');
  return [first, ...others];
}

async function addressesOf(hostname: string, resolve?: ResolveHost): Promise<readonly ResolvedAddress[]> {
  const literal = addressOfHost(hostname);
  if (literal) return [{ address: literal, family: literal.includes(':') ? 6 : 4 }];
  try {
    return await (resolve ?? resolveByDns)(hostname);
  } catch (error) {
    throw new RouteRefused('unknown-host', { cause: error });
  }
}

async function resolveByDns(host: string): Promise<readonly ResolvedAddress[]> {
  return lookup(host, { all: true, verbatim: true });
}

/** Ends the wait, not the work, when the signal fires. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((done, fail) => {
    const stop = () => fail(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(done, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}
