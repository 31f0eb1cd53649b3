import ipaddr from 'ipaddr.js';

/** Key under which requests of one client are counted: the address, for IPv6 its /64, where one client has many. */
export function addressKey(ip: string | null | undefined): string {
  if (!ip || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const [network] = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`)
    .toNormalizedString()
    .split('/');
  return `${network}/64`;
}
