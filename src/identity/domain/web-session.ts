import { createHash, randomBytes } from 'node:crypto';

export const IDLE_DAYS = 14;
export const ABSOLUTE_DAYS = 90;
/** Acts that need recent proof ask for the password when the last proof is older. */
export const RECENT_PROOF_MINUTES = 10;

const USER_AGENT_MAX = 300;

/** A sign-in in one browser (`identity.md` 2.3). Its times are those of the database. */
export interface WebSession {
  /** SHA-256 of the cookie value in hex. */
  readonly id: string;
  readonly personId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly csrfSecret: string;
  /** Sealed id token of the issuer that opened it; null for sessions by password or link. */
  readonly companyToken: string | null;
}

export interface Browser {
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** A fresh session and the value of its cookie, which is kept nowhere else. */
export function newWebSession(
  personId: string,
  browser: Browser,
  companyToken: string | null = null,
): { session: WebSession; cookie: string } {
  const cookie = randomBytes(32).toString('base64url');
  return {
    cookie,
    session: {
      id: sessionIdOf(cookie),
      personId,
      ip: browser.ip,
      userAgent: browser.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
      csrfSecret: randomBytes(32).toString('base64url'),
      companyToken,
    },
  };
}

/** Id under which the session of a cookie is stored. */
export function sessionIdOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}

/** True while the last proof of the password is recent enough for acts that need it. */
export function isRecentProof(authTime: Date, now: Date): boolean {
  return now.getTime() - authTime.getTime() <= RECENT_PROOF_MINUTES * 60_000;
}
