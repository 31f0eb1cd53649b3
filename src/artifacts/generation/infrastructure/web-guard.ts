import { checkedAddresses, type ResolvedAddress, type ResolveHost } from '#libs/outgoing/checked-route.js';
import { addressOfHost, isPublic } from '#libs/outgoing/public-address.js';

const MAX_ADDRESS = 2_048;

/** Which addresses of the web may be asked, and where their hosts may lead (`artifacts.md` 10.5). */
export class WebGuard {
  private readonly exempt: ReadonlySet<string>;

  /** @param allow `host:port` pairs that may be private and may have any port */
  constructor(
    allow: readonly string[],
    readonly resolve?: ResolveHost,
  ) {
    this.exempt = new Set(allow.map((pair) => pair.toLowerCase()));
  }

  /** Whether the form of an address lets it be asked at all; nothing is looked up. */
  accepts(address: string): boolean {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (address.length > MAX_ADDRESS || !url || !/^https?:$/.test(url.protocol)) return false;
    if (url.username || url.password || !url.hostname) return false;
    if (this.isExempt(url)) return true;
    if (url.port !== '' && url.port !== '80' && url.port !== '443') return false;
    const literal = addressOfHost(url.hostname);
    return literal === null ? !/(^|\.)localhost\.?$/.test(url.hostname) : isPublic(literal);
  }

  isExempt(url: URL): boolean {
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return this.exempt.has(`${url.hostname}:${port}`);
  }

  /** Whether a connection for this address may go to where its host leads. */
  allows(url: URL): (address: string) => boolean {
    return this.isExempt(url) ? () => true : isPublic;
  }

  /** The first address of the host, checked with all others. @throws RouteRefused. */
  async addressFor(url: URL, signal: AbortSignal): Promise<ResolvedAddress> {
    const [first] = await checkedAddresses(url.hostname, {
      allows: this.allows(url),
      resolve: this.resolve,
      signal,
    });
    return first;
  }
}
