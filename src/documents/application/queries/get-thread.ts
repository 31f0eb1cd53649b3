import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { notFound } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { People } from '../people.js';
import { type ThreadAnswer, threadAnswer, writersOf } from './thread-answers.js';
import { ThreadReader } from './thread-reader.js';

/** One thread as its page shows it. @throws DomainError `not-found`. */
@Injectable()
export class GetThread {
  constructor(
    private readonly access: ProjectAccess,
    private readonly database: Database,
    private readonly threads: ThreadReader,
    private readonly directory: PersonDirectory,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string; readonly commentId: string },
  ): Promise<ThreadAnswer> {
    await this.access.require(actor, input.projectId, 'read');
    const [thread] = await this.threads.byIds([input.commentId]);
    const home = thread && (await this.home(thread.root.versionId));
    if (!thread || home?.documentId !== input.documentId || home.projectId !== input.projectId)
      throw notFound('Comment');
    const people = await People.of(this.directory, writersOf([thread]));
    return threadAnswer(thread, people, actor, this.clock.now());
  }

  private async home(versionId: string) {
    return this.database.one<{ documentId: string; projectId: string }>(
      `SELECT d.id AS "documentId", d.project_id AS "projectId"
       FROM documents.document_version v JOIN documents.document d ON d.id = v.document_id WHERE v.id = $1`,
      [versionId],
    );
  }
}
