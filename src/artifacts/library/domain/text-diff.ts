/** One line of a difference, with the parts that differ where it has a partner. */
export interface DiffLine {
  readonly op: ' ' | '-' | '+';
  readonly text: string;
  readonly words?: readonly { readonly op: ' ' | '-' | '+'; readonly text: string }[];
}

export interface DiffHunk {
  /** First line of the hunk in each text, from 1. */
  readonly fromLine: number;
  readonly toLine: number;
  readonly lines: readonly DiffLine[];
}

/** Texts above either are shown without a difference. */
export const DIFF_BYTES = 1_048_576;
export const DIFF_LINES = 20_000;
