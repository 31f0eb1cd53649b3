import { Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';
import type { Scope } from '#libs/kernel/actor.js';
import {
  type AuthorizationRequest,
  AuthorizationRequests,
  type RequestReference,
  type RequestState,
} from '../../application/ports/authorization-requests.js';
import { normalUserCode } from '../../domain/user-code.js';
import { ArtefactStore, type Payload, type StoredArtefact } from './artefact-store.js';
import { OAUTH_ROUTES, OAuthProvider } from './oauth-provider.js';

const UNKNOWN: RequestState = { state: 'unknown' };

/** Requests that the library keeps while a person thinks about them. */
@Injectable()
export class ProviderAuthorizationRequests extends AuthorizationRequests {
  constructor(
    private readonly store: ArtefactStore,
    private readonly provider: OAuthProvider,
  ) {
    super();
  }

  override async find(reference: RequestReference): Promise<RequestState> {
    if (!(await this.mayAnswer(reference))) return UNKNOWN;
    return stateOf(await this.read(reference));
  }

  override async claim(reference: RequestReference): Promise<RequestState> {
    if (!(await this.mayAnswer(reference))) return UNKNOWN;
    const payload = await this.store.answer(keyOf(reference));
    if (payload) return { state: 'open', request: requestOf(payload) };
    // Not open: `find` tells whether somebody was faster or its time is over.
    const found = stateOf(await this.read(reference));
    return found.state === 'open' ? UNKNOWN : found;
  }

  override async allow(
    reference: RequestReference,
    { personId, connectionId }: { personId: string; connectionId: string },
  ): Promise<string | null> {
    if (reference.kind === 'consent') {
      return this.answerConsent(reference.uid, {
        login: { accountId: personId },
        consent: { grantId: connectionId },
      });
    }
    const found = await this.read(reference);
    const { scopes, resource } = requestOf(found!.payload);
    await this.store.amend(
      keyOf(reference),
      {
        accountId: personId,
        grantId: connectionId,
        scope: scopes.join(' '),
        resource,
        authTime: Math.floor(Date.now() / 1000),
      },
      connectionId,
    );
    return null;
  }

  override async deny(reference: RequestReference): Promise<string | null> {
    const description = 'The person denied the request.';
    if (reference.kind === 'consent') {
      return this.answerConsent(reference.uid, { error: 'access_denied', error_description: description });
    }
    await this.store.amend(keyOf(reference), { error: 'access_denied', errorDescription: description });
    return null;
  }

  private async answerConsent(uid: string, result: Payload): Promise<string> {
    await this.store.amend({ uid }, { result });
    return `${OAUTH_ROUTES.authorization}/${encodeURIComponent(uid)}`;
  }

  private read(reference: RequestReference): Promise<StoredArtefact | null> {
    return reference.kind === 'consent'
      ? this.store.find('Interaction', reference.uid)
      : this.store.findByUserCode(keyOf(reference).userCode!);
  }

  /** The page of a request is for the browser that started it alone, which holds a signed cookie with its id. */
  private async mayAnswer(reference: RequestReference): Promise<boolean> {
    if (reference.kind === 'device') return normalUserCode(reference.userCode) !== null;
    return cookieOf(await this.provider.get(), reference.cookies) === reference.uid;
  }
}

function keyOf(reference: RequestReference): { uid: string; userCode?: undefined } | { userCode: string } {
  if (reference.kind === 'consent') return { uid: reference.uid };
  return { userCode: normalUserCode(reference.userCode)! };
}

function stateOf(found: StoredArtefact | null): RequestState {
  if (!found) return UNKNOWN;
  if (found.answered || found.consumed) return { state: 'answered' };
  return found.expired ? UNKNOWN : { state: 'open', request: requestOf(found.payload) };
}

/** The cookie library of the provider checks the signature; it wants the two sides of a call. */
function cookieOf(provider: Provider, header: string): string | undefined {
  const request = { headers: { cookie: header }, socket: {} };
  const response = { getHeader: () => undefined, setHeader: () => undefined };
  const context = provider.createContext(request as never, response as never);
  return context.cookies.get('loupe_oauth_request', { signed: true });
}

function requestOf(payload: Payload): AuthorizationRequest {
  const parameters = (payload.params ?? {}) as Record<string, unknown>;
  const device = payload.deviceInfo as { ip?: unknown } | undefined;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  return {
    clientId: String(parameters.client_id),
    scopes: String(parameters.scope ?? '').split(' ') as Scope[],
    resource: String(parameters.resource),
    redirectUri: text(parameters.redirect_uri),
    projectId: text(parameters.project),
    origin: text(parameters.origin),
    deviceName: text(text(parameters.device_name)?.trim()),
    askedFrom: text(device?.ip),
  };
}
