import ipaddr from 'ipaddr.js';

/** Blocks of IPv6 inside the global range that lead to an IPv4 address, to this machine or to nobody. */
const NEVER_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
].map((block) => ipaddr.parseCIDR(block));

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/**
 * True for addresses of the open internet. Everything else is refused: loopback, private, link-local, shared, multicast,
 * reserved, documentation, and every IPv6 form that maps, translates or tunnels to IPv4.
 */
export function isPublic(address: string): boolean {
  if (address.includes('%') || rangeOf(address) !== 'unicast') return false;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return true;
  return parsed.match(GLOBAL_IPV6) && !NEVER_IPV6.some((block) => parsed.match(block));
}

export function isLoopback(address: string): boolean {
  return rangeOf(address) === 'loopback';
}

/** The host of a URL as an address without brackets, or null when it is a name. */
export function addressOfHost(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(host) ? host : null;
}

function rangeOf(address: string): string {
  try {
    return ipaddr.parse(address).range();
  } catch {
    return 'invalid';
  }
}
