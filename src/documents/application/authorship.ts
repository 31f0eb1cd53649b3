import { createHash } from 'node:crypto';
import { type Actor, authorKindOf, personIdOf } from '#libs/kernel/actor.js';
import { forbidden } from '#libs/kernel/errors.js';
import type { AuthorKind } from '../domain/document.js';

/** How a write is signed: an agent stays without a name, whoever it works for. */
export function signatureOf(actor: Actor): { readonly kind: AuthorKind; readonly personId: string | null } {
  const kind = authorKindOf(actor);
  return { kind, personId: kind === 'person' ? personIdOf(actor) : null };
}

/** SHA-256 in hex. */
export function contentHashOf(markdown: string): string {
  return createHash('sha256').update(markdown).digest('hex');
}

/** For what agents never do: verdicts, answers, approvals, closing threads. @throws DomainError `forbidden`. */
export function requirePerson(actor: Actor): string {
  if (actor.kind !== 'person') throw forbidden('Only a person may do this, on the review page.');
  return actor.personId;
}

/** The session that an agent works in: the one it names, else the one that its connection sent. */
export function sessionOf(actor: Actor, named: string | null | undefined): string | null {
  const own = actor.kind === 'connection' ? actor.agentSessionId : null;
  return named?.trim() || own;
}
