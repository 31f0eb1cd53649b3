import type { DocumentStatus } from '../documents/shapes';

/** A page that is called like the words. */
export interface FoundPage {
  readonly title: string;
  readonly url: string;
}

/** A card or a document that was found. */
export interface FoundThing {
  readonly kind: 'card' | 'document';
  readonly projectId: string;
  readonly projectName: string;
  readonly title: string;
  /** Escaped HTML with `<mark>`; see `MarkedText`. */
  readonly titleMarked: string;
  readonly url: string;
  /** In the same form; null where there is no text. */
  readonly snippet: string | null;
  readonly number: number | null;
  readonly status: DocumentStatus | null;
  readonly finished: boolean;
  readonly archived: boolean;
}

/** The answer of `GET /api/search`. */
export interface Found {
  readonly pages: readonly FoundPage[];
  readonly results: readonly FoundThing[];
  readonly page: number;
  readonly hasMore: boolean;
  /** What was looked for; of longer words the first 200 characters. */
  readonly query: string;
  readonly cut: boolean;
}
