import type { Highlight } from '../../domain/highlights.js';

/** Tinted passages of versions, in the order in which they were given. */
export abstract class HighlightRepository {
  abstract ofVersion(versionId: string): Promise<Highlight[]>;
  /** Replaces the whole set. */
  abstract replace(versionId: string, highlights: readonly Highlight[]): Promise<void>;
}
