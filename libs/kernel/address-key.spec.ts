import { addressKey } from './address-key.js';

describe('addressKey', () => {
  it('keeps IPv4, also in its IPv6 form', () => {
    expect(addressKey('203.0.113.9')).toBe('203.0.113.9');
    expect(addressKey('::ffff:203.0.113.9')).toBe('203.0.113.9');
  });

  it('counts all addresses of one IPv6 network together', () => {
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2:0:0:0:0/64');
    expect(addressKey('2001:db8:1:2::9')).toBe(addressKey('2001:db8:1:2:ffff::1'));
    expect(addressKey('2001:db8:1:3::9')).not.toBe(addressKey('2001:db8:1:2::9'));
  });

  it('has one key for everybody without an address', () => {
    expect(addressKey(undefined)).toBe('unknown');
    expect(addressKey('nonsense')).toBe('unknown');
  });
});
