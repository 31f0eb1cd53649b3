export interface Difference {
  readonly field: string;
  readonly theirs: string;
  readonly mine: string;
}

/** The fields that the person changed and somebody else changed too, to another value. */
export function changedMeanwhile<T extends Readonly<Record<string, string>>>(
  base: T,
  theirs: T,
  mine: T,
): readonly Difference[] {
  return Object.keys(mine)
    .filter(
      (field) =>
        mine[field] !== base[field] && theirs[field] !== base[field] && mine[field] !== theirs[field],
    )
    .map((field) => ({ field, theirs: theirs[field] ?? '', mine: mine[field] ?? '' }));
}

/** The other's values, with what the person changed put on top: what a save would store. */
export function rebase<T extends Readonly<Record<string, string>>>(base: T, theirs: T, mine: T): T {
  const changed = Object.fromEntries(Object.entries(mine).filter(([field, value]) => value !== base[field]));
  return { ...theirs, ...changed };
}

export function sameValues<T extends Readonly<Record<string, string>>>(a: T, b: T): boolean {
  return Object.keys(a).every((field) => a[field] === b[field]);
}
