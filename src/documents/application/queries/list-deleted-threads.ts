import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { People } from '../people.js';
import { DocumentReader } from './document-reader.js';
import { type ThreadAnswer, threadAnswer, writersOf } from './thread-answers.js';
import { ThreadReader } from './thread-reader.js';

/** Deleted threads of a document, those of older versions too. @throws DomainError `not-found`. */
@Injectable()
export class ListDeletedThreads {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly threads: ThreadReader,
    private readonly directory: PersonDirectory,
    private readonly clock: Clock,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string },
  ): Promise<{ readonly threads: readonly ThreadAnswer[] }> {
    await this.access.require(actor, input.projectId, 'read');
    await this.reader.head(input.projectId, input.documentId);
    const threads = await this.threads.deleted(input.documentId);
    const people = await People.of(this.directory, writersOf(threads));
    return { threads: threads.map((thread) => threadAnswer(thread, people, actor, this.clock.now())) };
  }
}
