import { clientIdProblem, readClientDocument } from './client-document.js';

const ID = 'https://client.example/oauth/client.json';
const GOOD = {
  client_id: ID,
  client_name: 'Night Shift Coder',
  redirect_uris: ['http://localhost/callback'],
};

describe('client ids that are addresses', () => {
  it.each([ID, 'https://a.b-c.example/x', 'https://client.example/a/', 'https://client.example/%41'])(
    '%s is accepted',
    (id) => {
      expect(clientIdProblem(id)).toBeNull();
    },
  );

  it.each([
    'http://client.example/x',
    'HTTPS://client.example/x',
    'https://client.example',
    'https://client.example/',
    'https://client.example:443/x',
    'https://client.example:8443/x',
    'https://user@client.example/x',
    'https://client.example/x?y',
    'https://client.example/x#y',
    'https://client.example/x y',
    'https://client.example/x\0',
    'https://client.example\\x',
    'https://client.example/x\\y',
    'https://client.example/../x',
    'https://client.example/a/./x',
    'https://client.example/a/%2e%2E/x',
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://app.localhost/x',
    'https://intranet/x',
    'https://client.example./x',
    'https://.example/x',
    `https://client.example/${'x'.repeat(2_048)}`,
    'loupe-cli2',
    '',
  ])('%s is refused', (id) => {
    expect(clientIdProblem(id)).toMatch(/^The client id must be/);
  });
});

describe('metadata documents', () => {
  it('keeps what is used, and cleans the name of what could change other text', () => {
    const document = readClientDocument(ID, {
      ...GOOD,
      client_name: '  Night\u202e \n Shift ',
      client_uri: 'https://client.example/about',
      logo_uri: 'https://client.example/logo.png',
      grant_types: ['password'],
      scope: 'everything',
    });
    expect(document).toEqual({
      clientId: ID,
      name: 'Night Shift',
      uri: 'https://client.example/about',
      redirectUris: ['http://localhost/callback'],
    });
  });

  it('takes https, and http on the three names of this machine', () => {
    const redirects = [
      'https://client.example/cb',
      'http://localhost:1/a',
      'http://127.0.0.1/b',
      'http://[::1]:9/c',
    ];
    expect(readClientDocument(ID, { ...GOOD, redirect_uris: redirects }).redirectUris).toEqual(redirects);
  });

  it.each([
    [null, 'is not a JSON object'],
    [[], 'is not a JSON object'],
    ['x', 'is not a JSON object'],
    [{ ...GOOD, client_id: `${ID}/` }, 'names another client_id than its own address'],
    [{ ...GOOD, client_secret: 'x' }, 'holds a client_secret'],
    [
      { ...GOOD, token_endpoint_auth_method: 'private_key_jwt' },
      'asks for a token_endpoint_auth_method other than none',
    ],
    [{ ...GOOD, client_name: undefined }, 'needs a client_name of 1 to 100 characters'],
    [{ ...GOOD, client_name: ' \u200e ' }, 'needs a client_name of 1 to 100 characters'],
    [{ ...GOOD, client_name: 'x'.repeat(101) }, 'needs a client_name of 1 to 100 characters'],
    [{ ...GOOD, redirect_uris: [] }, 'needs 1 to 10 redirect_uris'],
    [{ ...GOOD, redirect_uris: 'http://localhost/' }, 'needs 1 to 10 redirect_uris'],
    [{ ...GOOD, redirect_uris: Array(11).fill('http://localhost/') }, 'needs 1 to 10 redirect_uris'],
    [{ ...GOOD, redirect_uris: [7] }, 'holds a redirect address that is no URL'],
    [{ ...GOOD, redirect_uris: ['https://a.example/#x'] }, 'holds a redirect address with a fragment'],
    [{ ...GOOD, redirect_uris: ['https://u@a.example/'] }, 'holds a redirect address with a user name'],
    [
      { ...GOOD, redirect_uris: ['http://a.example/'] },
      'holds a redirect address that is neither https nor http on localhost, 127.0.0.1 or [::1]',
    ],
    [
      { ...GOOD, redirect_uris: ['cursor://anysphere/cb'] },
      'holds a redirect address that is neither https nor http on localhost, 127.0.0.1 or [::1]',
    ],
    [{ ...GOOD, logo_uri: 'http://client.example/logo.png' }, 'holds a logo_uri that is not https'],
    [{ ...GOOD, client_uri: 'javascript:alert(1)' }, 'holds a client_uri that is not https'],
    [{ ...GOOD, tos_uri: 7 }, 'holds a tos_uri that is not https'],
  ])('%j is refused', (document, problem) => {
    expect(() => readClientDocument(ID, document)).toThrow(problem);
  });

  it('counts characters of a name as people do', () => {
    expect(readClientDocument(ID, { ...GOOD, client_name: '🦊'.repeat(100) }).name).toHaveLength(200);
  });
});
