/** With more projects than this the picker shows a field to filter them. */
export const SHOW_FILTER_ABOVE = 10;

/** The projects whose name holds every word, in any case and with or without marks; the current one always stays. */
export function filterProjects<T extends { readonly id: string; readonly name: string }>(
  projects: readonly T[],
  text: string,
  currentId: string,
): readonly T[] {
  const words = plain(text).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return projects;
  return projects.filter(
    (each) => each.id === currentId || words.every((word) => plain(each.name).includes(word)),
  );
}

/** Lower case without marks, so that "cafe" finds "Café". */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
