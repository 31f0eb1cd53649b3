import type { DocumentStatus, VerdictKind } from '../../domain/document.js';

/** What other contexts know of a document. */
export interface DocumentFacts {
  readonly id: string;
  readonly title: string;
  readonly status: DocumentStatus;
  readonly draft: boolean;
  readonly archived: boolean;
  /** Number of the newest version; everything below is about it. */
  readonly version: number;
  /** When the newest version was submitted. */
  readonly submittedAt: Date;
  readonly tags: readonly string[];
  readonly pendingThreads: number;
  readonly standingVerdict: {
    readonly id: string;
    readonly verdict: VerdictKind;
    readonly submittedAt: Date;
  } | null;
  /** The latest review of the newest version by an agent. */
  readonly agentReview: {
    readonly id: string;
    readonly cardId: string;
    readonly outcome: 'passed' | 'failed';
    readonly answered: boolean;
  } | null;
  /** Reviews by agents of any version that failed. */
  readonly failedReviewRounds: number;
}

/** Facts about many documents of one project at once; unknown ids and those of other projects are left out. */
export abstract class DocumentLookup {
  abstract byIds(projectId: string, ids: readonly string[]): Promise<Map<string, DocumentFacts>>;
}
