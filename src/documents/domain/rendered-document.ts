/** A heading of a rendered version, in text order. */
export interface OutlineEntry {
  /** Id of the heading element, `heading-…`. */
  readonly id: string;
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
  /** Offset of the heading's text in the plain text, in UTF-16 code units. */
  readonly start: number;
}

/** From one heading to the next of any level; text before the first heading is no section. */
export interface RenderedSection {
  readonly headingId: string;
  readonly title: string;
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** SHA-256 in hex over heading text and body text. */
  readonly contentHash: string;
  /** Span in the plain text, end exclusive, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

export type RecommendationStrength = 'high' | 'moderate' | 'low';

export interface DecisionOption {
  readonly label: string;
  readonly recommended: RecommendationStrength | null;
}

/** A well-formed decision block of a version. */
export interface DecisionBlock {
  readonly id: string;
  readonly type: 'single' | 'multiple';
  /** Plain text of the question; empty when the block has none. */
  readonly question: string;
  readonly options: readonly DecisionOption[];
}

/**
 * Something the author should mend; the text is shown as ordinary prose meanwhile.
 * `decision_removed` is never made by the renderer: it needs the answers of the version before.
 */
export interface RenderWarning {
  readonly code:
    | 'decision_malformed'
    | 'decision_duplicate'
    | 'decision_removed'
    | 'remote_image'
    | 'comment_dropped';
  /** The id of the decision block; null for warnings about something else. */
  readonly decisionId: string | null;
  readonly message: string;
}

/** Everything that is read out of a Markdown text once, at write time. */
export interface RenderedDocument {
  /** Sanitised HTML with our own controls and ids. */
  readonly html: string;
  /** The basis of every anchor. */
  readonly plainText: string;
  readonly rendererVersion: string;
  readonly outline: readonly OutlineEntry[];
  readonly sections: readonly RenderedSection[];
  readonly decisions: readonly DecisionBlock[];
  readonly warnings: readonly RenderWarning[];
}
