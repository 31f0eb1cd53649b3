import type { DiffHunk } from '../../domain/text-diff.js';

/** Finds what differs between two texts, line by line and in changed lines word by word. */
export abstract class TextDiffer {
  /** Hunks with three lines of context; null when the texts differ too much to tell in 2 s. */
  abstract diff(from: string, to: string): DiffHunk[] | null;
}
