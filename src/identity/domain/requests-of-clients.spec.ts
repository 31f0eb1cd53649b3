import { CLI_CLIENT_ID, isTrusted, WIDGET_CLIENT_ID } from './oauth-client.js';
import { decideScopes, needsProject } from './requested-scopes.js';
import { Resources } from './resources.js';
import { normalUserCode, shownUserCode } from './user-code.js';

const URL_CLIENT = 'https://client.example/x';

describe('scopes that a request comes down to', () => {
  it.each([
    [URL_CLIENT, undefined, ['mcp']],
    [URL_CLIENT, '', ['mcp']],
    [URL_CLIENT, 'openid mcp offline_access', ['mcp']],
    [URL_CLIENT, 'mcp projects agent', ['mcp']],
    [WIDGET_CLIENT_ID, undefined, ['site-review']],
    [WIDGET_CLIENT_ID, 'site-review mcp', ['site-review']],
    [CLI_CLIENT_ID, undefined, ['agent', 'mcp', 'projects']],
    [CLI_CLIENT_ID, 'projects mcp agent', ['agent', 'mcp', 'projects']],
    [CLI_CLIENT_ID, 'agent', ['agent']],
    [CLI_CLIENT_ID, 'agent projects', ['agent', 'projects']],
    [CLI_CLIENT_ID, 'mcp projects', ['mcp', 'projects']],
    [CLI_CLIENT_ID, 'agent site-review', ['agent']],
  ])('%s asking for %s gets %j', (clientId, requested, scopes) => {
    expect(decideScopes(clientId, requested)).toEqual({ scopes });
  });

  it.each([
    [URL_CLIENT, 'agent'],
    [URL_CLIENT, 'openid'],
    [WIDGET_CLIENT_ID, 'mcp'],
    [CLI_CLIENT_ID, 'projects'],
    [CLI_CLIENT_ID, 'mcp'],
    [CLI_CLIENT_ID, 'agent mcp'],
    [CLI_CLIENT_ID, 'site-review'],
  ])('%s asking for %s is refused', (clientId, requested) => {
    expect(decideScopes(clientId, requested).problem).toEqual(expect.any(String));
  });

  it('binds a connection to one project unless it is of the CLI', () => {
    expect(needsProject(['mcp'])).toBe(true);
    expect(needsProject(['site-review'])).toBe(true);
    expect(needsProject(['agent'])).toBe(false);
    expect(needsProject(['mcp', 'projects'])).toBe(false);
  });
});

describe('resources', () => {
  const resources = new Resources('https://loupe.example.com');

  it.each([
    ['https://loupe.example.com/mcp', 'https://loupe.example.com/mcp'],
    ['HTTPS://Loupe.Example.COM/mcp/', 'https://loupe.example.com/mcp'],
    ['https://loupe.example.com/', 'https://loupe.example.com'],
    ['https://LOUPE.example.com/api/', 'https://loupe.example.com/api'],
  ])('%s is %s', (given, normal) => {
    expect(resources.normalise(given)).toBe(normal);
  });

  it.each([
    'https://loupe.example.com/MCP',
    'https://loupe.example.com/mcp//',
    'https://loupe.example.com:443/mcp',
    'https://loupe.example.com/mcp?x',
    'https://loupe.example.com/mcp#x',
    'https://loupe.example.com/x/../mcp',
    'https:\\\\loupe.example.com/mcp',
    'https://a@loupe.example.com/mcp',
    'http://loupe.example.com/mcp',
    ' https://loupe.example.com/mcp',
    'nonsense',
    '',
  ])('%s stays foreign', (given) => {
    expect(resources.normalise(given)).toBe(given);
  });

  it('gives each client its own, and each door its audiences', () => {
    expect(resources.ofClient(URL_CLIENT)).toBe('https://loupe.example.com/mcp');
    expect(resources.ofClient(WIDGET_CLIENT_ID)).toBe('https://loupe.example.com/api');
    expect(resources.ofClient(CLI_CLIENT_ID)).toBe('https://loupe.example.com');
    const doors = ['/mcp', '/api', '/api/me', '/mcps', '/oauth/token', '/'];
    const accepted = (audience: string) => doors.filter((door) => resources.accepts(door, audience));
    expect(accepted('https://loupe.example.com')).toEqual(['/mcp', '/api', '/api/me']);
    expect(accepted('https://loupe.example.com/mcp')).toEqual(['/mcp']);
    expect(accepted('https://loupe.example.com/api')).toEqual(['/api', '/api/me']);
    expect(accepted('https://other.example')).toEqual([]);
    expect(accepted('')).toEqual([]);
  });
});

describe('trusted client ids', () => {
  it('match as a whole or by origin, never by a bare host or a beginning', () => {
    const id = 'https://client.example/oauth/client.json';
    expect(isTrusted(id, [id])).toBe(true);
    expect(isTrusted(id, ['https://client.example'])).toBe(true);
    expect(isTrusted(id, ['https://client.example/'])).toBe(true);
    for (const entry of [
      'client.example',
      'https://client.example/oauth',
      'https://client',
      'http://client.example',
    ]) {
      expect([entry, isTrusted(id, [entry])]).toEqual([entry, false]);
    }
    expect(isTrusted('https://client.example.evil.example/x', ['https://client.example'])).toBe(false);
  });
});

describe('codes of devices', () => {
  it('do not mind case, spaces and dashes', () => {
    for (const typed of ['BCDF-GHJK', 'bcdfghjk', ' bcdf ghjk ', 'B C D F–G H J K', 'bcdf.ghjk']) {
      expect([typed, normalUserCode(typed)]).toEqual([typed, 'BCDFGHJK']);
    }
    for (const typed of ['', 'BCDF-GHJ', 'BCDF-GHJKL', 'ABCD-FGHJ', 'BCDF/GHJK', 'BCDF-GHJ1']) {
      expect([typed, normalUserCode(typed)]).toEqual([typed, null]);
    }
    expect(shownUserCode('BCDFGHJK')).toBe('BCDF-GHJK');
  });
});
