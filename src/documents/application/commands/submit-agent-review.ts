import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Clock } from '#libs/kernel/clock.js';
import { conflict, notFound, Problems } from '#libs/kernel/errors.js';
import { Ids } from '#libs/kernel/ids.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { UnitOfWork } from '#libs/kernel/ports/unit-of-work.js';
import { AgentReview } from '../../domain/agent-review.js';
import { type GivenFinding, readFindings, readSummary } from '../../domain/agent-review-texts.js';
import type { Document } from '../../domain/document.js';
import { type Given, readId, readVersion } from '../../domain/texts.js';
import { sessionOf } from '../authorship.js';
import { DesignReviewDoor } from '../design-review-door.js';
import { DocumentNews } from '../document-news.js';
import { AgentReviewRepository } from '../ports/agent-review-repository.js';
import { DocumentRenderer } from '../ports/document-renderer.js';
import { DocumentRepository } from '../ports/document-repository.js';

export interface SubmitAgentReviewInput {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly documentId?: Given<string>;
  /** Default the session of the connection. */
  readonly sessionId?: Given<string>;
  /** The version that was read. */
  readonly version?: Given<number>;
  readonly findings?: Given<readonly GivenFinding[]>;
  readonly summary?: Given<string>;
}

/** The answer of `document_review_submit`. */
export interface SubmittedAgentReview {
  readonly reviewId: string;
  readonly documentId: string;
  readonly cardId: string;
  readonly version: number;
  /** Whether that version was the newest when the review was stored. */
  readonly current: boolean;
  readonly outcome: string;
  readonly findings: readonly {
    readonly findingId: string;
    readonly title: string;
    readonly needsPerson: boolean;
  }[];
}

/**
 * What a reviewing worker found in a draft design. The same call again is a retry and stores nothing.
 * @throws InvalidInput; DomainError `switched_off`, `not-found`, `no_role`, `not_linked`, `archived`, `no_draft`,
 *   `unknown_version`, `reviewed`.
 */
@Injectable()
export class SubmitAgentReview {
  constructor(
    private readonly access: ProjectAccess,
    private readonly door: DesignReviewDoor,
    private readonly unitOfWork: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly reviews: AgentReviewRepository,
    private readonly renderer: DocumentRenderer,
    private readonly news: DocumentNews,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor, input: SubmitAgentReviewInput): Promise<SubmittedAgentReview> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'contribute');
    this.door.requireOpen();
    const problems = new Problems();
    const cardId = readId(problems, 'cardId', input.cardId);
    const documentId = readId(problems, 'documentId', input.documentId);
    const version = readVersion(problems, 'version', input.version);
    const findings = readFindings(problems, input.findings);
    const summary = readSummary(problems, input.summary);
    problems.throwIfAny();

    const sessionId = sessionOf(actor, input.sessionId);
    const bodiesHtml = findings.map((finding) => this.renderer.renderComment(finding.body));
    return this.unitOfWork.run(async () => {
      const document = await this.documents.lock(projectId, documentId);
      const { runId, cardNumber } = await this.door.pass({
        projectId,
        cardId,
        documentId,
        sessionId,
        role: 'design-review',
      });
      if (!document) throw notFound('Document', 'documentId');
      requireDraft(document);
      if (version > document.version)
        throw conflict(
          'unknown_version',
          `The document has no version ${version}. The newest is ${document.version}.`,
          { argument: 'version' },
        );
      const earlier = await this.reviews.ofRun(runId, documentId, version);
      if (earlier?.state.cardId === cardId && earlier.says(summary, findings)) return answerOf(earlier);
      if (earlier)
        throw conflict('reviewed', `This run already reviewed version ${version}.`, { argument: 'version' });

      const review = AgentReview.submit({
        id: this.ids.next(),
        documentId,
        cardId,
        cardNumber,
        runId,
        sessionId: sessionId ?? '',
        versionNumber: version,
        wasCurrent: version === document.version,
        summary,
        findings: findings.map((finding) => ({ ...finding, id: this.ids.next() })),
        submittedAt: this.clock.now(),
      });
      await this.reviews.add(review, bodiesHtml);
      await this.tell(actor, document, review);
      return answerOf(review);
    });
  }

  private async tell(actor: Actor, document: Document, review: AgentReview): Promise<void> {
    const { id, cardId, outcome, findings, wasCurrent, versionNumber } = review.state;
    const needsPersonCount = findings.filter((finding) => finding.needsPerson).length;
    const facts = { cardId, outcome, findingCount: findings.length, needsPersonCount, current: wasCurrent };
    await this.news.tell(actor, document, {
      events: [{ type: 'AgentReviewSubmitted', payload: { reviewId: id, ...facts, versionNumber } }],
      audit: [
        {
          operation: 'agent_review.submitted',
          subject: { type: 'agent_review', id },
          context: { version: versionNumber, ...facts },
        },
      ],
      live: ['agent-review'],
    });
  }
}

/** @throws DomainError `archived`, `no_draft`. */
function requireDraft(document: Document): void {
  document.requireActive('agent');
  if (document.status !== 'draft')
    throw conflict('no_draft', `Only a draft takes an agent review. This document is ${document.status}.`, {
      argument: 'documentId',
    });
}

function answerOf({ state }: AgentReview): SubmittedAgentReview {
  return {
    reviewId: state.id,
    documentId: state.documentId,
    cardId: state.cardId,
    version: state.versionNumber,
    current: state.wasCurrent,
    outcome: state.outcome,
    findings: state.findings.map(({ id, title, needsPerson }) => ({ findingId: id, title, needsPerson })),
  };
}
