import { addressOfHost, isLoopback, isPublic } from './public-address.js';

describe('public addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '::10.0.0.1',
    '::8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::a00:1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '3fff::1',
    '5f00::1',
    'fec0::1',
    '100::1',
    'fe80::1%eth0',
    '2606:4700:4700::1111%eth0',
    '4000::1',
    '0.1.2.3',
    '192.88.99.1',
    'no address',
  ])('identity 12.7: %s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  it.each(['127.0.0.1', '127.9.9.9', '::1'])('%s is this machine', (address) => {
    expect(isLoopback(address)).toBe(true);
  });

  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
    ['http://①②⑦.0.0.1/', '127.0.0.1'],
  ])('the host of %s is the address %s', (url, address) => {
    expect(addressOfHost(new URL(url).hostname)).toBe(address);
    expect(isPublic(address)).toBe(false);
  });

  it('a name is no address', () => {
    expect(addressOfHost('127.0.0.1.example')).toBeNull();
  });
});
