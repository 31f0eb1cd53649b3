/** The change before or behind this one. Stops at the ends; -1 stands before the first. */
export function stepChange(count: number, at: number, by: 1 | -1): number {
  if (count === 0) return -1;
  if (at < 0) return by === 1 ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, at + by));
}

export interface Folded<T> {
  readonly kind: 'rows' | 'fold';
  readonly rows: readonly T[];
  /** Index of the first of these rows among all. */
  readonly from: number;
}

/** Parts rows into what is near a change and stretches that can be folded away. */
export function foldUnchanged<T>(
  rows: readonly T[],
  isChanged: (row: T) => boolean,
  context: number,
  least = 3,
): Folded<T>[] {
  const near = new Array<boolean>(rows.length).fill(false);
  rows.forEach((row, index) => {
    if (!isChanged(row)) return;
    for (let at = Math.max(0, index - context); at <= Math.min(rows.length - 1, index + context); at++)
      near[at] = true;
  });
  const parts: Folded<T>[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (to < rows.length && near[to] === near[from]) to++;
    const kind = near[from] || to - from < least ? 'rows' : 'fold';
    const last = parts.at(-1);
    const slice = rows.slice(from, to);
    if (kind === 'rows' && last?.kind === 'rows')
      parts[parts.length - 1] = { ...last, rows: [...last.rows, ...slice] };
    else parts.push({ kind, rows: slice, from });
    from = to;
  }
  return parts;
}
