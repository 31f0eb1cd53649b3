import type { DiffLine, Hunk } from '../shapes';

/** A line with its numbers in both texts. */
export interface NumberedLine extends DiffLine {
  readonly left: number | null;
  readonly right: number | null;
}

/** Left and right of one row; null where one side has nothing. */
export interface SideRow {
  readonly left: NumberedLine | null;
  readonly right: NumberedLine | null;
}

/** Counts the lines of a hunk in both texts. */
export function numbered(hunk: Hunk): NumberedLine[] {
  let left = hunk.fromLine;
  let right = hunk.toLine;
  return hunk.lines.map((line) => ({
    ...line,
    left: line.op === '+' ? null : left++,
    right: line.op === '-' ? null : right++,
  }));
}

/** Puts removed lines beside the added ones that follow them. */
export function sideBySide(lines: readonly NumberedLine[]): SideRow[] {
  const rows: SideRow[] = [];
  let gone: NumberedLine[] = [];
  let come: NumberedLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) {
      rows.push({ left: gone[at] ?? null, right: come[at] ?? null });
    }
    gone = [];
    come = [];
  };
  for (const line of lines) {
    if (line.op === '-') {
      if (come.length > 0) flush();
      gone.push(line);
    } else if (line.op === '+') come.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}
