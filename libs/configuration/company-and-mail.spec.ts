import { Configuration, ConfigurationError } from './configuration.js';

const parse = (env: NodeJS.ProcessEnv) => Configuration.fromEnvironment({ APP_ENV: 'test', ...env }).values;
const wrong = (env: NodeJS.ProcessEnv): string[] => {
  try {
    parse(env);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ variable }) => variable).sort();
    throw error;
  }
  return [];
};

describe('variables of mail and company sign-in', () => {
  it('are off until their address is set', () => {
    expect(parse({})).toMatchObject({ mailer: null, companySignIn: null });
  });

  it('platform 15.3: mail has defaults for its sender', () => {
    expect(parse({ MAILER_DSN: 'smtp://mail.example:587' }).mailer).toEqual({
      dsn: 'smtp://mail.example:587',
      fromAddress: 'noreply@localhost',
      fromName: 'Loupe',
    });
  });

  it('takes the issuer with lists in the forms that people write', () => {
    expect(
      parse({
        OIDC_ISSUER: 'https://id.acme.example/realms/staff',
        OIDC_CLIENT_ID: 'loupe',
        OIDC_CLIENT_SECRET: 'secret',
        OIDC_SCOPES: 'openid, email profile',
        OIDC_ADMIN_GROUP: 'loupe-admins',
        OIDC_ALLOWED_DOMAINS: 'Acme.example, other.example',
        OIDC_PASSWORD_LOGIN: 'off',
      }).companySignIn,
    ).toEqual({
      issuer: 'https://id.acme.example/realms/staff',
      clientId: 'loupe',
      clientSecret: 'secret',
      scopes: ['openid', 'email', 'profile'],
      adminGroup: 'loupe-admins',
      allowedDomains: ['acme.example', 'other.example'],
      passwordLogin: false,
    });
  });

  it('names every wrong one at once', () => {
    expect(
      wrong({
        MAILER_DSN: 'mail.example',
        MAILER_FROM_ADDRESS: 'Loupe <loupe@example.com>',
        OIDC_ISSUER: 'http://id.acme.example',
        OIDC_SCOPES: 'email',
        OIDC_ALLOWED_DOMAINS: '@acme.example',
        OIDC_PASSWORD_LOGIN: 'no',
      }),
    ).toEqual([
      'MAILER_DSN',
      'MAILER_FROM_ADDRESS',
      'OIDC_ALLOWED_DOMAINS',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_ISSUER',
      'OIDC_PASSWORD_LOGIN',
      'OIDC_SCOPES',
    ]);
    expect(wrong({ OIDC_CLIENT_ID: 'x', OIDC_PASSWORD_LOGIN: 'off' })).toEqual([
      'OIDC_CLIENT_ID',
      'OIDC_PASSWORD_LOGIN',
    ]);
  });
});
