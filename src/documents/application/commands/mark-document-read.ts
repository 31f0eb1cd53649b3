import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { notFound, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { type Given, readId, readVersion } from '../../domain/texts.js';
import { requirePerson } from '../authorship.js';
import { ReviewRepository } from '../ports/review-repository.js';

export interface MarkDocumentReadInput {
  readonly projectId: string;
  readonly documentId?: Given<string>;
  readonly version?: Given<number>;
}

/** Remembers the newest version that a person opened. Readers may do this. @throws DomainError `not-found`. */
@Injectable()
export class MarkDocumentRead {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reviews: ReviewRepository,
  ) {}

  async execute(actor: Actor, input: MarkDocumentReadInput): Promise<void> {
    await this.access.require(actor, input.projectId, 'read');
    const personId = requirePerson(actor);
    const problems = new Problems();
    const documentId = readId(problems, 'documentId', input.documentId);
    const version = readVersion(problems, 'version', input.version);
    problems.throwIfAny();
    // Takes no lock: many readers open a page at once, also while a revision is being written.
    if (!(await this.reviews.markRead(input.projectId, documentId, personId, version)))
      throw notFound('Version');
  }
}
