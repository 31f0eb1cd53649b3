import { TldtsPublicSuffixes } from '../infrastructure/tldts-public-suffixes.js';
import { originCovers, parseOrigin } from './allowed-origin.js';

const suffixes = new TldtsPublicSuffixes();
const parse = (entry: string) => parseOrigin(entry, (host) => suffixes.has(host));

describe('an allowed origin', () => {
  it.each([
    ['https://Example.COM', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://example.com:443', 'https://example.com'],
    ['https://example.com:8443', 'https://example.com:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://*.example.com:8443/', 'https://*.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://app.localhost', 'http://app.localhost'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
    ['http://[::1]:5173', 'http://[::1]:5173'],
    ['https://10.0.0.1', 'https://10.0.0.1'],
  ])('takes %s as %s', (entry, origin) => {
    expect(parse(entry)).toEqual({ origin });
  });

  it.each([
    ['*', 'bare'],
    ['https://*', 'whole first label'],
    ['https://a.*.example.com', 'whole first label'],
    ['https://x*.example.com', 'whole first label'],
    ['https://*.com', 'public suffix'],
    ['https://*.co.uk', 'public suffix'],
    ['https://*.github.io', 'public suffix'],
    ['https://*.10.0.0.1', 'IP address'],
    ['http://example.com', 'must use https'],
    ['http://localhost.evil.example', 'must use https'],
    ['https://a.example.com/path', 'no path'],
    ['https://a.example.com//', 'no path'],
    ['https://a.example.com?x', 'no query'],
    ['https://a.example.com#x', 'no fragment'],
    ['https://me@example.com', 'no user name'],
    ['https://me:secret@example.com', 'no user name'],
    ['ftp://example.com', 'must begin with https'],
    ['javascript:alert(1)', 'scheme and host'],
    ['example.com', 'scheme and host'],
    ['', 'scheme and host'],
    ['https://', 'must name a host'],
    ['https://exa mple.com', 'host'],
    ['https://example.com:0', 'port'],
    ['https://example.com:70000', 'port'],
    [`https://${'a'.repeat(250)}.example.com`, 'at most 255'],
  ])('refuses %s', (entry, part) => {
    const parsed = parse(entry);
    expect(parsed).toHaveProperty('refusal', expect.stringContaining(part));
  });

  it('platform 19.5: a wildcard covers exactly one label, the same scheme and the same port', () => {
    const allowed = 'https://*.example.com';
    expect(originCovers(allowed, 'https://x.example.com')).toBe(true);
    for (const other of [
      'https://example.com',
      'https://a.b.example.com',
      'https://x.example.com:8443',
      'http://x.example.com',
      'https://x.example.com.evil.example',
      'https://.example.com',
      'https://evil.example/x.example.com',
    ]) {
      expect([other, originCovers(allowed, other)]).toEqual([other, false]);
    }
    expect(originCovers('https://a.example.com', 'https://a.example.com')).toBe(true);
    expect(originCovers('https://a.example.com', 'https://b.example.com')).toBe(false);
  });
});
