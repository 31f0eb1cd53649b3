import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import type { DecisionBlock } from '../../domain/rendered-document.js';
import type { DocumentDecisions } from '../ports/document-filing.js';
import { ReviewRepository } from '../ports/review-repository.js';
import { DocumentReader } from './document-reader.js';
import { answeredDecisions } from './review-answers.js';

/** What the current version asks and what was answered. @throws DomainError `not-found`. */
@Injectable()
export class GetDecisionState {
  constructor(
    private readonly access: ProjectAccess,
    private readonly reader: DocumentReader,
    private readonly reviews: ReviewRepository,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly documentId: string },
  ): Promise<DocumentDecisions> {
    await this.access.require(actor, input.projectId, 'read');
    const head = await this.reader.head(input.projectId, input.documentId);
    const { decisions } = await this.reader.version<{ decisions: DecisionBlock[] }>(
      head.id,
      head.currentVersion,
      ['decisions'],
    );
    const answered = answeredDecisions(decisions, await this.reviews.answers(head.id));
    return {
      version: head.currentVersion,
      status: head.status,
      decisions: answered.map(({ block, answer, selections }) => ({
        id: block.id,
        type: block.type,
        question: block.question,
        options: block.options.map(({ label }) => label),
        selections: selections.map(({ label, index }) => ({ option: label, index })),
        note: answer?.note ?? null,
      })),
    };
  }
}
