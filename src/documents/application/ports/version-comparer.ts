export type ComparisonView = 'rendered' | 'side-by-side' | 'markdown';

/** One side of a comparison, as it is stored. */
export interface ComparedText {
  readonly markdown: string;
  readonly html: string;
}

/** The newer text with what was added and removed marked in it. */
export interface RenderedComparison {
  readonly view: 'rendered';
  readonly changes: number;
  readonly html: string;
}

/** Each block opposite the one it became; null is an empty slot. */
export interface ComparisonRow {
  readonly left: string | null;
  readonly right: string | null;
  readonly changed: boolean;
}

export interface SideBySideComparison {
  readonly view: 'side-by-side';
  readonly changes: number;
  readonly rows: readonly ComparisonRow[];
}

/** A line of the sources; `left` and `right` are line numbers from 1. */
export interface ComparisonLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  readonly left: number | null;
  readonly right: number | null;
}

export interface MarkdownComparison {
  readonly view: 'markdown';
  readonly changes: number;
  readonly lines: readonly ComparisonLine[];
}

export type Comparison = RenderedComparison | SideBySideComparison | MarkdownComparison;

/** Compares two versions of a document. Works on trees and gives sanitised HTML. */
export abstract class VersionComparer {
  /**
   * Over 5,000 blocks or 200 KB whole blocks are compared, below also their words.
   *
   * @throws DomainError `too_large_to_compare` (kind `too-large`) when it takes over 3 seconds
   */
  abstract compare(view: ComparisonView, before: ComparedText, after: ComparedText): Promise<Comparison>;
}
