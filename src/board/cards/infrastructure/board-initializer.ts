import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectInitializer } from '#src/projects/application/ports/project-hooks.js';
import { BoardMaker } from '../application/board-maker.js';

/** Every new project gets its board in the transaction that makes it. */
@Injectable()
export class BoardInitializer extends ProjectInitializer {
  constructor(private readonly maker: BoardMaker) {
    super();
  }

  override async initialize(
    actor: Actor,
    project: { readonly id: string; readonly templateKey: string | null },
  ): Promise<void> {
    await this.maker.make(actor, project.id, project.templateKey);
  }
}
