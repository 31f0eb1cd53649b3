import type { Actor } from '#libs/kernel/actor.js';
import { notFound } from '#libs/kernel/errors.js';
import type { Persons } from './ports/persons.js';

/**
 * Admin commands are for the console and for people who are active admins at this moment, not when their request began.
 * @throws DomainError `not_found` for everybody else.
 */
export async function requireAdmin(persons: Persons, actor: Actor): Promise<void> {
  if (actor.kind === 'console') return;
  const person = actor.kind === 'person' ? await persons.byId(actor.personId) : null;
  if (person?.state !== 'active' || !person.snapshot().isAdmin) throw notFound('Page');
}
