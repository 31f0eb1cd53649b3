import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import type { DecisionBlock } from '../../domain/rendered-document.js';
import { People } from '../people.js';
import { ReviewRepository } from '../ports/review-repository.js';
import { decisionPageAnswer } from './decision-page-answer.js';
import { DocumentReader } from './document-reader.js';
import { answeredDecisions } from './review-answers.js';

/** One decision of the current version. @throws DomainError `not-found`, `unknown_decision`. */
@Injectable()
export class GetDecision {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly reviews: ReviewRepository,
    private readonly directory: PersonDirectory,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string; readonly decisionId: string },
  ): Promise<ReturnType<typeof decisionPageAnswer>> {
    await this.access.require(actor, input.projectId, 'read');
    const head = await this.reader.head(input.projectId, input.documentId);
    const version = await this.reader.version<{ decisions: DecisionBlock[] }>(head.id, head.currentVersion, [
      'decisions',
    ]);
    const answered = answeredDecisions(version.decisions, await this.reviews.answers(head.id)).find(
      ({ block }) => block.id === input.decisionId,
    );
    if (!answered)
      throw new DomainError('not-found', 'unknown_decision', 'The document no longer asks this.');
    const people = await People.of(this.directory, [answered.answer?.updatedByUserId ?? null]);
    return decisionPageAnswer(answered, people);
  }
}
