import type { Selection } from '../../domain/decisions.js';
import type { Verdict } from '../../domain/verdict.js';

export interface DecisionAnswer {
  readonly documentId: string;
  readonly decisionId: string;
  readonly selections: readonly Selection[];
  readonly note: string | null;
  readonly updatedAt: Date;
  readonly updatedByUserId: string | null;
  /** When the audit log last named this answer. */
  readonly auditedAt: Date;
}

export interface SectionApproval {
  readonly headingId: string;
  readonly contentHash: string;
  readonly userId: string;
}

/** What people say about a document beside comments: verdicts, answers, approved sections, what they have seen. */
export abstract class ReviewRepository {
  abstract newestVerdict(versionId: string): Promise<Verdict | null>;
  abstract verdict(verdictId: string, documentId: string): Promise<Verdict | null>;
  abstract addVerdict(verdict: Verdict, noteHtml: string | null): Promise<void>;
  abstract withdraw(verdictId: string, personId: string | null, at: Date): Promise<void>;
  abstract answers(documentId: string): Promise<DecisionAnswer[]>;
  abstract saveAnswer(answer: DecisionAnswer): Promise<void>;
  abstract approvals(documentId: string): Promise<SectionApproval[]>;
  abstract dropApprovals(documentId: string, headingIds: readonly string[]): Promise<void>;
  /** False when it stood there already. */
  abstract approve(documentId: string, approval: SectionApproval, at: Date): Promise<boolean>;
  /** False when there was none. */
  abstract unapprove(documentId: string, headingId: string, userId: string): Promise<boolean>;
  /** Remembers the newest version that a person opened; never goes back. False when the project has no such version. */
  abstract markRead(projectId: string, documentId: string, userId: string, version: number): Promise<boolean>;
}
