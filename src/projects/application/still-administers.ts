import type { Actor } from '#libs/kernel/actor.js';
import { forbidden } from '#libs/kernel/errors.js';
import { type ProjectAccess, refusalOfLevel } from '#libs/kernel/ports/project-access.js';

/**
 * Asks for the right once more behind the lock of the project: of two maintainers who remove each other at once, the
 * first commit wins (`platform.md` 17). @throws DomainError `forbidden`, whatever is left of the right.
 */
export async function stillAdministers(
  access: ProjectAccess,
  actor: Actor,
  projectId: string,
): Promise<void> {
  if (!(await access.can(actor, projectId, 'administer'))) throw forbidden(refusalOfLevel('administer'));
}
