import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import {
  errors,
  interactionPolicy,
  Provider,
  type Configuration as ProviderConfiguration,
} from 'oidc-provider';
import { Configuration } from '#libs/configuration/configuration.js';
import { DomainError, Problems } from '#libs/kernel/errors.js';
import { Audit } from '#libs/kernel/ports/audit.js';
import { SecretBox } from '#libs/kernel/ports/secret-box.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { requestFacts } from '#libs/kernel/request-context.js';
import { cleanText } from '#libs/kernel/text.js';
import { RevokeConnections } from '../../application/commands/revoke-connections.js';
import { AuthorizationErrorPage } from '../../application/ports/authorization-error-page.js';
import { rulesOf } from '../../domain/oauth-client.js';
import { decideScopes } from '../../domain/requested-scopes.js';
import { Resources } from '../../domain/resources.js';
import { ArtefactStore } from './artefact-store.js';
import { errorSentence } from './error-sentence.js';
import { GrantReader } from './grant-reader.js';
import { adapterFor } from './provider-adapter.js';
import { ProviderClients } from './provider-clients.js';
import { SigningKey } from './signing-key.js';

const MINUTE = 60;
const DAY = 86_400;
const LIFE_SECONDS = {
  code: MINUTE,
  interaction: 30 * MINUTE,
  deviceCode: 10 * MINUTE,
  accessToken: 60 * MINUTE,
  refreshToken: 30 * DAY,
  connection: 365 * DAY,
};
/** Clients wait this long between two polls when the answer says nothing; Loupe says it. */
const POLL_SECONDS = 5;
const DEVICE_NAME_MAX = 100;

export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  device_authorization: '/oauth/device-authorization',
  code_verification: '/oauth/device',
  jwks: '/oauth/jwks',
} as const;

/** Routes whose writes belong together: a crash in between must not spend a token and give none. */
const ONE_TRANSACTION = new Set(['token', 'revocation', 'resume']);

type Context = Parameters<NonNullable<ProviderConfiguration['renderError']>>[0];

/** The library that speaks the protocol, set up by `identity.md` 5.1. Made at first use, since its key is in the database. */
@Injectable()
export class OAuthProvider {
  private readonly logger = new Logger('oauth');
  private readonly resources: Resources;
  private made: Promise<Provider> | null = null;
  private readonly faults = new WeakMap<IncomingMessage, { readonly error: unknown }>();

  constructor(
    private readonly configuration: Configuration,
    private readonly secrets: SecretBox,
    private readonly key: SigningKey,
    private readonly store: ArtefactStore,
    private readonly grants: GrantReader,
    private readonly clients: ProviderClients,
    private readonly revoke: RevokeConnections,
    private readonly audit: Audit,
    private readonly unitOfWork: UnitOfWork,
    private readonly errorPage: AuthorizationErrorPage,
  ) {
    this.resources = new Resources(configuration.values.defaultUri);
  }

  /**
   * Lets the library answer a request.
   * @throws what went wrong outside the library's own handling, with nothing answered yet.
   */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = await this.get();
    await provider.callback()(request, response);
    const fault = this.faults.get(request);
    if (fault) throw fault.error;
  }

  get(): Promise<Provider> {
    this.made ??= this.make().catch((error) => {
      // The database may be away for a moment; the next request tries again.
      this.made = null;
      throw error;
    });
    return this.made;
  }

  private async make(): Promise<Provider> {
    const provider = new Provider(this.configuration.values.defaultUri, {
      ...this.settings(),
      jwks: { keys: [await this.key.jwk()] } as ProviderConfiguration['jwks'],
    });
    // Scheme and host come from the headers that the door sets, never from the request.
    provider.proxy = true;
    provider.use(async (ctx, next) => {
      try {
        await this.around(ctx as unknown as Context, next);
      } catch (error) {
        // Such as a transaction that cannot begin. The server under the library would answer with a bare 500.
        this.faults.set(ctx.req, { error });
        ctx.respond = false;
      }
    });
    provider.on('server_error', (ctx, error) => {
      if (error instanceof DomainError && error.kind === 'unavailable') ctx.status = 503;
      else
        this.logger.error({
          msg: 'The authorization server failed',
          traceId: requestFacts()?.traceId,
          err: error,
        });
    });
    return provider;
  }

  private settings(): ProviderConfiguration {
    const { values, isHttps } = this.configuration;
    const cookie = { signed: true, httpOnly: true, sameSite: 'lax', secure: isHttps } as const;
    return {
      adapter: adapterFor({
        store: this.store,
        grants: this.grants,
        clients: this.clients,
        revoke: this.revoke,
        audit: this.audit,
        graceSeconds: values.oauthRefreshGraceSeconds,
        issuer: values.defaultUri,
      }),
      routes: OAUTH_ROUTES,
      scopes: [],
      claims: {},
      responseTypes: ['code'],
      clientAuthMethods: ['none'],
      clientDefaults: { application_type: 'native', id_token_signed_response_alg: 'ES256' },
      pkce: { required: () => true },
      rotateRefreshToken: true,
      issueRefreshToken: async () => true,
      // One token revoked, or one code used twice: the whole connection ends.
      revokeGrantPolicy: async () => true,
      expiresWithSession: async () => false,
      allowOmittingSingleRegisteredRedirectUri: false,
      conformIdTokenClaims: false,
      cookies: {
        // The short ones get a path of their own from the library, so that two requests at once do not mix.
        names: { session: 'loupe_oauth', interaction: 'loupe_oauth_request', resume: 'loupe_oauth_resume' },
        long: { ...cookie, path: '/oauth' },
        short: cookie,
        keys: [...this.secrets.signingKeys('oauth-cookies')],
      },
      extraParams: {
        project: null,
        origin: null,
        device_name: (_ctx: unknown, value: string | undefined) => checkDeviceName(value),
      } as unknown as ProviderConfiguration['extraParams'],
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: false },
        rpInitiatedLogout: { enabled: false },
        claimsParameter: { enabled: false },
        dPoP: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
        introspection: { enabled: false },
        registration: { enabled: false },
        requestObjects: { enabled: false },
        revocation: {
          enabled: true,
          allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
        },
        deviceFlow: {
          enabled: true,
          charset: 'base-20',
          mask: '****-****',
          deviceInfo: () => ({ ip: requestFacts()?.ip ?? undefined }),
        },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: async () => true,
          defaultResource: async (_ctx, client, oneOf) => oneOf ?? this.resources.ofClient(client!.clientId),
          getResourceServerInfo: async (ctx, resource, client) =>
            this.resourceServer(ctx as unknown as Context, resource, client.clientId),
        },
      },
      interactions: {
        policy: interactionPolicy.base(),
        url: (_ctx, interaction) => `/oauth/consent/${interaction.uid}`,
      },
      loadExistingGrant: async (ctx) => {
        // Only the answer that was given a moment ago; never one of an earlier sign-in.
        const id = ctx.oidc.result?.consent?.grantId;
        return id ? ctx.oidc.provider.Grant.find(id) : undefined;
      },
      findAccount: async (ctx, id) => {
        if (await this.grants.isActive(id)) return { accountId: id, claims: async () => ({ sub: id }) };
        if (ctx.oidc.route === 'resume') {
          throw new errors.AccessDenied(undefined as never, 'the account is suspended' as never);
        }
        return undefined;
      },
      renderError: async (ctx, out, error) => {
        const sentence = errorSentence(out, error, requestFacts()?.traceId ?? null);
        const page = this.errorPage.render(sentence);
        ctx.set({ ...page.headers, 'Cache-Control': 'no-store' });
        ctx.type = 'html';
        ctx.body = page.markup;
      },
      ttl: {
        AccessToken: LIFE_SECONDS.accessToken,
        AuthorizationCode: LIFE_SECONDS.code,
        DeviceCode: LIFE_SECONDS.deviceCode,
        Grant: LIFE_SECONDS.connection,
        IdToken: LIFE_SECONDS.accessToken,
        Interaction: LIFE_SECONDS.interaction,
        Session: LIFE_SECONDS.interaction,
        RefreshToken: (ctx) => {
          // Thirty days from now, but never past the end of the connection.
          const left =
            (ctx.oidc.entities.Grant?.exp ?? Number.POSITIVE_INFINITY) - Math.floor(Date.now() / 1000);
          return Math.max(1, Math.min(LIFE_SECONDS.refreshToken, left));
        },
      },
    };
  }

  /** Each client has one resource; what it asks for at the start is brought in line with its rules here. */
  private resourceServer(ctx: Context, resource: string, clientId: string) {
    const { oidc } = ctx;
    if (Array.isArray(oidc.params?.resource) || resource !== this.resources.ofClient(clientId)) {
      throw new errors.InvalidTarget();
    }
    if (oidc.route === 'authorization' || oidc.route === 'device_authorization') {
      const decision = decideScopes(clientId, oidc.params?.scope as string | undefined);
      if (decision.problem !== undefined) throw new errors.InvalidScope(decision.problem, undefined as never);
      oidc.params!.scope = decision.scopes.join(' ');
    }
    return {
      scope: rulesOf(clientId).scopes.join(' '),
      audience: resource,
      accessTokenTTL: LIFE_SECONDS.accessToken,
      accessTokenFormat: 'opaque' as const,
    };
  }

  private async around(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    const { path, method } = ctx;
    const route = routeOf(method, path);
    if (route && ONE_TRANSACTION.has(route)) await this.allOrNothing(ctx, next);
    else await next();
    const body = ctx.body as Record<string, unknown> | undefined;
    if (route === 'device_authorization' && body?.device_code) ctx.body = { ...body, interval: POLL_SECONDS };
    // RFC 7009 2.2: a token that cannot be one of ours is as good as revoked.
    if (route === 'revocation' && body?.error === 'unsupported_token_type') {
      ctx.status = 200;
      ctx.body = '';
    }
    this.dropLibraryHeaders(ctx);
  }

  /** The library turns faults into answers by itself, so a fault is told by the status; its writes are undone. */
  private async allOrNothing(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    const undo = new Error('The answer is a fault.');
    try {
      await this.unitOfWork.run(async () => {
        await next();
        if (ctx.status >= 500) throw undo;
      });
    } catch (error) {
      if (error !== undo) throw error;
    }
  }

  /** The library's session is never kept, so its cookie is of no use; nor is its open CORS header wanted. */
  private dropLibraryHeaders(ctx: Context): void {
    if (ctx.response.get('Access-Control-Allow-Origin') === '*') {
      ctx.remove('Access-Control-Allow-Origin');
      ctx.remove('Access-Control-Expose-Headers');
    }
    const cookies = ctx.res.getHeader('set-cookie');
    if (!Array.isArray(cookies)) return;
    const kept = cookies.filter((cookie) => !/^loupe_oauth(\.sig)?=/.test(cookie));
    if (kept.length > 0) ctx.res.setHeader('set-cookie', kept);
    else ctx.res.removeHeader('set-cookie');
  }
}

function routeOf(method: string, path: string): string | null {
  if (method === 'GET') return path.startsWith(`${OAUTH_ROUTES.authorization}/`) ? 'resume' : null;
  if (method !== 'POST') return null;
  return Object.entries(OAUTH_ROUTES).find(([, route]) => route === path)?.[0] ?? null;
}

function checkDeviceName(value: string | undefined): void {
  if (value === undefined) return;
  const problems = new Problems();
  cleanText(problems, 'device_name', value, { max: DEVICE_NAME_MAX, oneLine: true });
  if (problems.any) {
    throw new errors.InvalidRequest(`device_name must be one line of at most ${DEVICE_NAME_MAX} characters`);
  }
}
