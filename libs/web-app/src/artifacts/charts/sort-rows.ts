export type Order = { readonly key: string; readonly down: boolean } | null;
export type Value = string | number | boolean | null;

/** Empty cells go last, whatever the direction. */
export function sorted<T extends Readonly<Record<string, Value>>>(
  rows: readonly T[],
  order: Order,
): readonly T[] {
  if (!order) return rows;
  const sign = order.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, two] = [a[order.key] ?? null, b[order.key] ?? null];
    if (one === null || two === null) return one === two ? 0 : one === null ? 1 : -1;
    if (typeof one === 'number' && typeof two === 'number') return sign * (one - two);
    return sign * String(one).localeCompare(String(two), undefined, { numeric: true });
  });
}
