/** What the server will most likely make of a label; it decides, this only shows it while typing. */
export function slugPreview(label: string): string {
  return label
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/gu, 'ss')
    .replace(/æ/gu, 'ae')
    .replace(/ø/gu, 'o')
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 100)
    .replace(/^-+|-+$/gu, '');
}

/** Why a label will be refused, or null. */
export function labelProblem(
  label: string,
  others: readonly { readonly slug: string; readonly label: string }[],
): string | null {
  const text = label.trim();
  if (text === '') return null;
  if (text.length > 100) return 'Use at most 100 characters.';
  const slug = slugPreview(text);
  // Other scripts are transliterated by the server.
  if (slug === '') return /[\p{L}\p{N}]/u.test(text) ? null : 'Use at least one letter or digit.';
  if (slug === 'backlog') return 'The name Backlog is taken. Choose another one.';
  const same = others.find((other) => other.slug === slug);
  return same ? `The column “${same.label}” has this short name already. Choose another one.` : null;
}

/** The list with one entry moved to another place. */
export function reordered<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const next = [...list];
  const [taken] = next.splice(from, 1);
  if (taken === undefined) return list;
  next.splice(to, 0, taken);
  return next;
}
