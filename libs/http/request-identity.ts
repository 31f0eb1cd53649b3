import type { Request } from 'express';
import type { Actor, ConnectionActor, PersonActor } from '#libs/kernel/actor.js';

/** The web session behind a request, as guards and pages need it. */
export interface RequestSession {
  readonly id: string;
  readonly csrfToken: string;
  readonly authTime: Date;
}

/**
 * Who a request comes from. Identity's middleware fills it before any controller runs: from the bearer token when there
 * is an `Authorization` header (the cookie is then ignored), else from the session cookie.
 */
export interface RequestIdentity {
  readonly person?: { readonly actor: PersonActor; readonly session: RequestSession };
  readonly connection?: ConnectionActor;
  /** Why a bearer token was not accepted; the guards answer with it. */
  readonly bearerFailure?: 'invalid_token';
}

declare module 'express-serve-static-core' {
  interface Request {
    loupe?: RequestIdentity;
    traceId?: string;
  }
}

/** The actor of a request that a guard has let through. @throws when no guard stood before the route. */
export function actorOf(request: Request): Actor {
  const actor = request.loupe?.person?.actor ?? request.loupe?.connection;
  if (!actor) throw new Error('A route without a guard asked for its actor.');
  return actor;
}
