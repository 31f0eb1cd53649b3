import type { ConfigStore, StoredLogin } from './config-store.js';
import { ExitCode } from './exit-codes.js';
import { Failure, loginRefused, notSignedIn, reasonOf } from './failure.js';
import type { Fetch } from './web.js';

const REFRESH_BEFORE_MS = 120_000;
const EXCHANGE_LIMIT_MS = 30_000;

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in?: number;
  readonly scope?: string;
}

/** The access token of one instance, kept fresh. Several processes share one stored sign-in. */
export class SignIn {
  private refreshing: Promise<string> | null = null;
  /** Kept beside the file, so that a full disk does not lose a pair that was just exchanged. */
  private latest: StoredLogin | null = null;

  constructor(
    private readonly store: ConfigStore,
    readonly url: string,
    private readonly fetch: Fetch,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws Failure (3) when nobody is signed in or the sign-in has ended. */
  async accessToken(): Promise<string> {
    const login = this.stored();
    if (Date.parse(login.expiresAt) - this.now() >= REFRESH_BEFORE_MS) return login.accessToken;
    return this.refreshed(login.accessToken);
  }

  /**
   * A token other than `rejected`: the one that another process has fetched meanwhile, or a new one.
   * @throws Failure (3) when the sign-in has ended, (5) when the server cannot be reached.
   */
  refreshed(rejected: string): Promise<string> {
    this.refreshing ??= this.refresh(rejected).finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
  }

  private refresh(rejected: string): Promise<string> {
    return this.store.locked(async () => {
      const login = this.stored();
      if (login.accessToken !== rejected) return login.accessToken;
      const fresh = await this.exchange(login);
      this.latest = fresh;
      this.store.replaceLogin(this.url, fresh);
      return fresh.accessToken;
    });
  }

  private stored(): StoredLogin {
    const login = this.store.login(this.url);
    if (!login) throw notSignedIn(this.url);
    const newer = this.latest && Date.parse(this.latest.expiresAt) > Date.parse(login.expiresAt);
    return newer ? this.latest! : login;
  }

  private async exchange(login: StoredLogin): Promise<StoredLogin> {
    let answer: Response;
    let body: unknown;
    try {
      answer = await this.fetch(`${this.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: login.clientId,
          refresh_token: login.refreshToken,
        }),
        signal: AbortSignal.timeout(EXCHANGE_LIMIT_MS),
      });
      body = await answer.json().catch(() => null);
    } catch (error) {
      throw unreachable(this.url, reasonOf(error));
    }
    if (answer.ok && isTokens(body)) return loginFrom(body, login, this.now());
    if (answer.status >= 500 || answer.status === 429) throw unreachable(this.url, `HTTP ${answer.status}`);
    throw loginRefused('the sign-in has ended or was revoked');
  }
}

export function unreachable(url: string, why: string): Failure {
  return new Failure(
    ExitCode.unreachable,
    `${url} does not answer (${why})`,
    'check the address and the network, then try again',
  );
}

/** What is stored of an answer of the token endpoint. */
export function loginFrom(
  tokens: TokenAnswer,
  known: Pick<StoredLogin, 'clientId' | 'account' | 'scope'>,
  now: number,
): StoredLogin {
  return {
    clientId: known.clientId,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    expiresAt: new Date(now + (tokens.expires_in ?? 3600) * 1000).toISOString(),
    scope: tokens.scope ?? known.scope,
    account: known.account,
  };
}

export function isTokens(body: unknown): body is TokenAnswer {
  const { access_token: access, refresh_token: refresh } = (body ?? {}) as Partial<TokenAnswer>;
  return typeof access === 'string' && typeof refresh === 'string';
}
