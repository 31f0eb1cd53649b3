import { Configuration } from '#libs/configuration/configuration.js';
import { ConfiguredPreviewAddresses } from './configured-preview-addresses.js';
import { sameSite } from './preview-checks.js';

const ID = '0195c0de-0000-7000-8000-0000000000f1';
const LABEL = '0195c0de000070008000' + '0000000000f1';

const addressesOf = (env: Record<string, string> = {}) =>
  new ConfiguredPreviewAddresses(
    Configuration.fromEnvironment({ DEFAULT_URI: 'https://loupe.example.com', ...env }),
  );

describe('Addresses of previews', () => {
  it('are paths of the application by default, and nothing else of it is taken', () => {
    const addresses = addressesOf();
    expect(addresses.base(ID, 'a.b')).toBe('https://loupe.example.com/artifact-preview/a.b/');
    expect(addresses.liveBase('till-1234')).toBe('https://loupe.example.com/live/till-1234/');
    expect(addresses.frameSource).toBe('https://loupe.example.com/artifact-preview/');
    const host = 'loupe.example.com';
    expect(addresses.placeOf(host, '/artifact-preview/a.b/x/y.html')).toEqual({
      kind: 'preview',
      label: null,
      ticket: 'a.b',
      path: 'x/y.html',
    });
    expect(addresses.placeOf(host, '/live/till-1234')).toEqual({
      kind: 'live',
      subdomain: 'till-1234',
      path: '',
    });
    for (const path of [
      '/',
      '/artifacts/x/preview',
      '/artifact-preview',
      '/lives/x',
      '/api/artifact-preview/x',
    ])
      expect([path, addresses.placeOf(host, path)]).toEqual([path, { kind: 'application' }]);
  });

  it('are framed by the application, which has two names on the machine of its user', () => {
    expect(addressesOf().framers).toBe('https://loupe.example.com');
    expect(addressesOf({ DEFAULT_URI: 'http://localhost:3000' }).framers).toBe(
      'http://localhost:3000 http://127.0.0.1:3000',
    );
    expect(addressesOf({ DEFAULT_URI: 'http://127.0.0.1:3000' }).framers).toBe(
      'http://127.0.0.1:3000 http://localhost:3000',
    );
  });

  it('have one other host', () => {
    const addresses = addressesOf({ ARTIFACT_PREVIEW_ORIGIN: 'https://preview.example.net:8443' });
    expect(addresses.base(ID, 'a.b')).toBe('https://preview.example.net:8443/a.b/');
    expect(addresses.ownOriginPerArtifact).toBe(false);
    expect(addresses.placeOf('Preview.Example.NET:8443', '/a.b/x')).toMatchObject({
      ticket: 'a.b',
      path: 'x',
    });
    expect(addresses.placeOf('preview.example.net', '/a.b/x')).toEqual({ kind: 'application' });
    expect(addresses.placeOf('loupe.example.com', '/artifact-preview/a.b/x')).toEqual({
      kind: 'application',
    });
  });

  it('have a host for each artifact and each app', () => {
    const addresses = addressesOf({
      ARTIFACT_PREVIEW_ORIGIN: 'https://{label}.preview.example.net',
      ARTIFACT_LIVE_ORIGIN: 'https://{label}.apps.example.net',
    });
    expect(addresses.base(ID, 'a.b')).toBe(`https://${LABEL}.preview.example.net/a.b/`);
    expect(addresses.frameSource).toBe('https://*.preview.example.net');
    expect(addresses.placeOf(`${LABEL}.preview.example.net`, '/a.b/')).toMatchObject({ label: LABEL });
    expect(addresses.placeOf('till.apps.example.net', '/a/b')).toEqual({
      kind: 'live',
      subdomain: 'till',
      path: 'a/b',
    });
    for (const host of [
      'apps.example.net',
      '.apps.example.net',
      'a.b.apps.example.net',
      'evil-apps.example.net',
    ])
      expect([host, addresses.placeOf(host, '/')]).toEqual([host, { kind: 'application' }]);
  });

  it.each([
    ['ARTIFACT_PREVIEW_ORIGIN', 'preview.example.net'],
    ['ARTIFACT_PREVIEW_ORIGIN', 'https://preview.example.net/path'],
    ['ARTIFACT_PREVIEW_ORIGIN', 'https://x.{label}.example.net'],
    ['ARTIFACT_PREVIEW_ORIGIN', 'https://loupe.example.com'],
    ['ARTIFACT_PREVIEW_ORIGIN', 'http://preview.example.net'],
    ['ARTIFACT_LIVE_ORIGIN', 'https://apps.example.net'],
  ])('refuse %s=%s at the start', (name, value) => {
    expect(() => addressesOf({ [name]: value })).toThrow(name);
  });

  it('artifacts 10.1: count as one site when they share the registrable domain', () => {
    expect(sameSite('https://{label}.preview.example.com', 'https://loupe.example.com')).toBe(true);
    expect(sameSite('https://{label}.preview.example.net', 'https://loupe.example.com')).toBe(false);
    expect(sameSite('https://a.co.uk', 'https://b.co.uk')).toBe(false);
    expect(sameSite('https://a.github.io', 'https://b.github.io')).toBe(false);
    expect(sameSite('http://{label}.preview.localhost:3000', 'http://localhost:3000')).toBe(false);
  });
});
