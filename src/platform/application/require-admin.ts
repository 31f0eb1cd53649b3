import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';

/** The admin area does not exist for anybody but instance admins and the console. @throws DomainError `not-found`. */
export function requireAdmin(actor: Actor, thing = 'Page'): void {
  if (actor.kind === 'console' || (actor.kind === 'person' && actor.isAdmin)) return;
  throw notFound(thing);
}
