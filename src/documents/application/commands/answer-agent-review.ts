import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound, Problems } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import type { AgentReview } from '../../domain/agent-review.js';
import { type FindingAnswer, type GivenAnswer, readAnswers } from '../../domain/agent-review-texts.js';
import { type Given, readId } from '../../domain/texts.js';
import { sessionOf } from '../authorship.js';
import { DesignReviewDoor } from '../design-review-door.js';
import { DocumentNews } from '../document-news.js';
import { AgentReviewRepository } from '../ports/agent-review-repository.js';
import { DocumentRepository } from '../ports/document-repository.js';

export interface AnswerAgentReviewInput {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly documentId?: Given<string>;
  readonly sessionId?: Given<string>;
  readonly answers?: Given<readonly GivenAnswer[]>;
  /** Refuse when this is not the latest review. */
  readonly reviewId?: Given<string>;
}

/** The answer of `document_review_answer`. */
export interface AnsweredAgentReview {
  readonly reviewId: string;
  readonly documentId: string;
  readonly cardId: string;
  readonly answeredAt: string;
  readonly fixed: number;
  readonly notChanged: number;
  readonly toOwner: number;
}

/**
 * The revising worker answers every finding of the latest review, once. The same call again is a retry.
 * @throws InvalidInput; DomainError `switched_off`, `not-found`, `no_role`, `not_linked`, `archived`, `no_review`,
 *   `no_findings`, `newer_review`, `answered`.
 */
@Injectable()
export class AnswerAgentReview {
  constructor(
    private readonly access: ProjectAccess,
    private readonly door: DesignReviewDoor,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly reviews: AgentReviewRepository,
    private readonly news: DocumentNews,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: AnswerAgentReviewInput): Promise<AnsweredAgentReview> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    this.door.requireOpen();
    const problems = new Problems();
    const cardId = readId(problems, 'cardId', input.cardId);
    const documentId = readId(problems, 'documentId', input.documentId);
    const answers = readAnswers(problems, input.answers);
    const reviewId = input.reviewId == null ? null : readId(problems, 'reviewId', input.reviewId);
    problems.throwIfAny();

    const sessionId = sessionOf(actor, input.sessionId);
    return this.unitOfWork.run(async () => {
      const document = await this.documents.lock(projectId, documentId);
      const question = { projectId, cardId, documentId, sessionId, role: 'design-revise' } as const;
      const { runId } = await this.door.pass(question);
      if (!document) throw notFound('Document', 'documentId');
      document.requireActive('agent');
      const review = await this.reviews.latest(cardId, documentId);
      if (!review)
        throw conflict('no_review', 'This card got no agent review for the document.', {
          argument: 'documentId',
        });
      if (reviewId !== null && reviewId !== review.state.id)
        throw conflict('newer_review', `A newer review exists (${review.state.id}).`, {
          argument: 'reviewId',
        });
      if (review.answer(answers, runId, this.clock.now())) {
        await this.reviews.saveAnswers(review);
        const { id, versionNumber } = review.state;
        const facts = { cardId, ...countsOf(review) };
        await this.news.tell(actor, document, {
          events: [{ type: 'AgentReviewAnswered', payload: { reviewId: id, ...facts, versionNumber } }],
          audit: [
            {
              operation: 'agent_review.answered',
              subject: { type: 'agent_review', id },
              context: facts,
            },
          ],
          live: ['agent-review'],
        });
      }
      const { id, answeredAt } = review.state;
      return { reviewId: id, documentId, cardId, answeredAt: answeredAt!.toISOString(), ...countsOf(review) };
    });
  }
}

function countsOf({ state }: AgentReview) {
  const count = (answer: FindingAnswer) => state.findings.filter((f) => f.answer === answer).length;
  return { fixed: count('fixed'), notChanged: count('not-changed'), toOwner: count('to-owner') };
}
