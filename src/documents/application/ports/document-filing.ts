import type { Actor } from '#libs/kernel/actor.js';
import type { DocumentOrigin, DocumentStatus } from '../../domain/document.js';

/** A report or a design that another context files. Limits and refusals are those of `document_create`. */
export interface FiledDocument {
  readonly projectId: string;
  readonly title: string;
  readonly markdown: string;
  readonly description?: string | null;
  /** Keeps it out of review; default false. */
  readonly draft?: boolean;
  readonly language?: string | null;
  readonly tags?: readonly string[];
  readonly references?: readonly string[];
  readonly series?: string | null;
  readonly seriesOrdinal?: number | null;
  /** Marks reports; without it the document counts as filed by the actor. */
  readonly origin?: Extract<DocumentOrigin, 'readiness-report' | 'analysis-report'>;
}

export interface FiledRevision {
  readonly projectId: string;
  readonly documentId: string;
  readonly markdown: string;
  /** What changed and why. */
  readonly description: string;
  readonly title?: string | null;
  /** Refuse when the document moved on from this version. */
  readonly baseVersion?: number | null;
}

export interface FilingReceipt {
  readonly documentId: string;
  readonly reviewUrl: string;
  readonly version: number;
  readonly status: DocumentStatus;
}

/** A decision of the current version with the answer of today. */
export interface DecisionState {
  readonly id: string;
  readonly type: 'single' | 'multiple';
  readonly question: string;
  readonly options: readonly string[];
  /** `index` is null when the option that was chosen is gone. */
  readonly selections: readonly { readonly option: string; readonly index: number | null }[];
  readonly note: string | null;
}

export interface DocumentDecisions {
  readonly version: number;
  readonly status: DocumentStatus;
  readonly decisions: readonly DecisionState[];
}

/**
 * Documents for other contexts: the same use cases as of tools and pages, with the same refusals. Joins the running unit
 * of work.
 */
export abstract class DocumentFiling {
  abstract create(actor: Actor, document: FiledDocument): Promise<FilingReceipt>;
  abstract revise(actor: Actor, revision: FiledRevision): Promise<FilingReceipt>;
  /** False when it was no draft. */
  abstract publish(actor: Actor, projectId: string, documentId: string): Promise<boolean>;
  abstract getDecisionState(actor: Actor, projectId: string, documentId: string): Promise<DocumentDecisions>;
}
