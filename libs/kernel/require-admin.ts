import type { Actor } from './actor.js';
import { notFound } from './errors.js';

/** The admin area does not exist for anybody but instance admins and the console. @throws DomainError `not-found`. */
export function requireAdmin(actor: Actor, thing = 'Page'): void {
  if (actor.kind === 'console' || (actor.kind === 'person' && actor.isAdmin)) return;
  throw notFound(thing);
}
