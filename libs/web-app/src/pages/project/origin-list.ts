/** Refusals name entries by their place, such as `origins[1]`; the sentences by that place. */
export function problemsByEntry(fields: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [name, sentence] of Object.entries(fields)) {
    const place = /^origins\[(\d+)\]$/.exec(name)?.[1];
    if (place !== undefined) found.set(Number(place), sentence);
  }
  return found;
}

/** The lines of a pasted text as entries, without empty ones. */
export function entriesOf(text: string): readonly string[] {
  return text
    .split(/[\s,]+/u)
    .map((each) => each.trim())
    .filter(Boolean);
}
