export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Path under `/api` with its query; empty values are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '' || value === false) continue;
    search.set(name, String(value));
  }
  const text = search.toString();
  return `/api${path}${text === '' ? '' : `?${text}`}`;
}
