import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { type ThreadAnswer, threadsOfProject } from './thread-answers.js';

/** Conversations that one list names. */
const THREADS_MAX = 200;

/** The conversations of a project that hold charts, newest first. */
@Injectable()
export class ListThreads {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
  ) {}

  async execute(
    actor: Actor,
    { projectId }: { readonly projectId: string },
  ): Promise<{ readonly threads: readonly ThreadAnswer[] }> {
    await this.access.require(actor, projectId, 'read');
    return { threads: await threadsOfProject(this.database, projectId, THREADS_MAX) };
  }
}
