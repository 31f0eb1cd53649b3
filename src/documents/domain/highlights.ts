import { HIGHLIGHT_CHARACTERS } from './limits.js';

/** A tinted passage of one version; offsets are UTF-16 code units of its plain text. */
export interface Highlight {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

export type HighlightRefusal = 'not_found' | 'blank' | 'too_long' | 'duplicate';

export interface PlacedHighlights {
  readonly highlights: readonly Highlight[];
  readonly skipped: readonly { readonly quote: string; readonly reason: HighlightRefusal }[];
}

/**
 * Finds quotes in the plain text of a version. A quote is text as it reads rendered, inside one block; its first
 * occurrence is taken, and runs of blanks match each other.
 */
export function placeHighlights(plainText: string, quotes: readonly string[]): PlacedHighlights {
  const highlights: Highlight[] = [];
  const skipped: { quote: string; reason: HighlightRefusal }[] = [];
  const seen = new Set<string>();
  for (const given of quotes) {
    const words = given.trim().split(/\s+/u).filter(Boolean);
    const key = words.join(' ');
    const reason = refusal(key, seen);
    if (reason) {
      skipped.push({ quote: given, reason });
      continue;
    }
    seen.add(key);
    // A block ends with a line break, so blanks other than that one keep a match inside its block.
    const found = new RegExp(words.map(escapeRegExp).join('[^\\S\\n]+'), 'u').exec(plainText);
    if (!found) skipped.push({ quote: given, reason: 'not_found' });
    else highlights.push({ start: found.index, end: found.index + found[0].length, quote: found[0] });
  }
  return { highlights, skipped };
}

function refusal(key: string, seen: ReadonlySet<string>): HighlightRefusal | null {
  if (key === '') return 'blank';
  if ([...key].length > HIGHLIGHT_CHARACTERS) return 'too_long';
  return seen.has(key) ? 'duplicate' : null;
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, (character) => (character === '-' ? '-' : `\\${character}`));
}
