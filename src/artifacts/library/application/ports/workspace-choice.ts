import type { Actor } from '#libs/kernel/actor.js';

/** Where a new artifact goes, whether or not the call names a workspace (`artifacts.md` 7.1). */
export abstract class WorkspaceChoice {
  /** @throws InvalidInput naming `workspaceId`; DomainError `forbidden` when agents may create in none. */
  abstract choose(actor: Actor, projectId: string, workspaceId: string | undefined): Promise<string>;
}
