import type { AgentReview } from '../../domain/agent-review.js';

/** Reviews of drafts by agents. */
export abstract class AgentReviewRepository {
  /** `bodiesHtml` are the bodies of the findings, rendered, in their order. */
  abstract add(review: AgentReview, bodiesHtml: readonly string[]): Promise<void>;
  /** Writes the answers of a review. */
  abstract saveAnswers(review: AgentReview): Promise<void>;
  abstract ofRun(runId: string, documentId: string, versionNumber: number): Promise<AgentReview | null>;
  /** The newest review that the card got for the document. */
  abstract latest(cardId: string, documentId: string): Promise<AgentReview | null>;
  /** The card is gone: its reviews stay, without its number. */
  abstract forgetCard(cardId: string): Promise<void>;
}
