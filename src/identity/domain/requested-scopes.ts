import type { Scope } from '#libs/kernel/actor.js';
import { clientKindOf, rulesOf } from './oauth-client.js';

export type ScopeDecision =
  | { readonly scopes: readonly Scope[]; readonly problem?: undefined }
  | { readonly scopes?: undefined; readonly problem: string };

/**
 * The scopes that a request of a client comes down to (`identity.md` 5.3). What is unknown or not for this client is
 * dropped; a request with nothing left, or with a set that no connection may carry, is `invalid_scope`.
 */
export function decideScopes(clientId: string, requested: string | undefined): ScopeDecision {
  const { scopes: allowed, defaultScopes } = rulesOf(clientId);
  if (requested === undefined || requested === '') return { scopes: defaultScopes };
  const named = new Set(requested.split(' '));
  const scopes = allowed.filter((scope) => named.has(scope));
  if (scopes.length === 0) {
    return { problem: `none of the requested scopes is for this client; ask for ${defaultScopes.join(' ')}` };
  }
  if (clientKindOf(clientId) !== 'cli') {
    return scopes.length === 1 ? { scopes } : { problem: 'a connection of this client carries one scope' };
  }
  if (scopes.includes('projects') && scopes.length === 1) {
    return { problem: 'projects only widens agent and mcp; ask for one of them too' };
  }
  if (scopes.includes('mcp') && !scopes.includes('projects')) {
    return { problem: 'this client cannot be bound to one project; ask for projects too' };
  }
  return { scopes };
}

/** Whether a connection with these scopes is bound to one project. */
export function needsProject(scopes: readonly Scope[]): boolean {
  return !scopes.includes('agent') && !scopes.includes('projects');
}
