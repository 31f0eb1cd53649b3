/** Notes a wrong variable. */
export type Wrong = (variable: string, sentence: string) => void;

/** The value when it is a URL of one of the protocols, else null with a note. */
export function parseUrl(
  name: string,
  value: string | null,
  protocols: string[],
  wrong: Wrong,
): string | null {
  if (value === null) return null;
  try {
    if (protocols.includes(new URL(value).protocol)) return value;
  } catch {
    // falls through to the refusal
  }
  wrong(name, `must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`);
  return null;
}
