import { comparableEmail } from '#libs/kernel/email-address.js';

/** True when the address is of one of these domains, or there is no list. Subdomains are other domains. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  const domain = comparableEmail(email).split('@').at(-1)!;
  return domains.includes(domain);
}
