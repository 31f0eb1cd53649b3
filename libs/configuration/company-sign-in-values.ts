import { isLoopbackHost } from './loopback.js';
import { parseUrl, type Wrong } from './parse-url.js';

/** The issuer of company sign-in, and what follows from its answers. */
export interface CompanySignInValues {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Members of this group are administrators; null leaves administrators alone. */
  readonly adminGroup: string | null;
  /** Domains of addresses that may sign in, lower case; empty means all. */
  readonly allowedDomains: readonly string[];
  /** False switches sign-in by password off. */
  readonly passwordLogin: boolean;
}

/** `text` gives a variable, or null; `list` its entries between commas. */
export function parseCompanySignIn(
  text: (name: string) => string | null,
  list: (name: string) => string[],
  passwordLogin: 'on' | 'off',
  wrong: Wrong,
): CompanySignInValues | null {
  const issuer = parseUrl('OIDC_ISSUER', text('OIDC_ISSUER'), ['https:', 'http:'], wrong);
  const partners = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  if (issuer === null) {
    for (const name of partners) {
      if (text(name) !== null) wrong(name, 'needs OIDC_ISSUER.');
    }
    if (passwordLogin === 'off') {
      wrong('OIDC_PASSWORD_LOGIN', 'can be off only with OIDC_ISSUER: else nobody could sign in.');
    }
    return null;
  }
  const url = new URL(issuer);
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    wrong('OIDC_ISSUER', `"${issuer}" must be https (http only for a loopback host).`);
  }
  for (const name of partners) {
    if (text(name) === null) wrong(name, 'is required with OIDC_ISSUER.');
  }
  const scopes = (text('OIDC_SCOPES') ?? 'openid email profile').split(/[\s,]+/);
  if (!scopes.includes('openid')) wrong('OIDC_SCOPES', 'must hold openid.');
  const allowedDomains = list('OIDC_ALLOWED_DOMAINS').map((domain) => domain.toLowerCase());
  for (const domain of allowedDomains) {
    if (!/^[^\s@/:*]+$/.test(domain)) {
      wrong('OIDC_ALLOWED_DOMAINS', `"${domain}" must be a domain alone, such as example.com.`);
    }
  }
  return {
    issuer,
    clientId: text('OIDC_CLIENT_ID') ?? '',
    clientSecret: text('OIDC_CLIENT_SECRET') ?? '',
    scopes,
    adminGroup: text('OIDC_ADMIN_GROUP'),
    allowedDomains,
    passwordLogin: passwordLogin === 'on',
  };
}
