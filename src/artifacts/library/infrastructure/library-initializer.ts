import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectInitializer } from '#src/projects/application/ports/project-hooks.js';
import { Workspaces } from '../application/ports/workspaces.js';

/** Every new project gets its General workspace in the transaction that makes it. */
@Injectable()
export class LibraryInitializer extends ProjectInitializer {
  constructor(private readonly workspaces: Workspaces) {
    super();
  }

  override async initialize(_actor: Actor, project: { readonly id: string }): Promise<void> {
    await this.workspaces.ensureGeneral(project.id);
  }
}
