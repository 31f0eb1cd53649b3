/**
 * Passages of a text with the words that were found, as escaped HTML with `<mark>`. PostgreSQL finds the words; its own
 * output would not be safe, so it marks with characters that no text can hold, and `markedHtml` escapes the rest.
 */

const BEGIN = '\u0002';
const END = '\u0003';

/** Stands for `<` while PostgreSQL looks: what it takes for a tag it would leave out. */
const LESS = '\u0001';

/** Characters of a text that are looked at. Reading a whole megabyte for words would take a second. */
const WINDOW = 12_000;

const MARKS = `StartSel=${BEGIN},StopSel=${END}`;

const MARK = new RegExp(`([${BEGIN}${END}])`, 'u');

/** Values of `options` of a passage and of a title. */
export const HEADLINE_OPTIONS = `${MARKS},MaxWords=36,MinWords=18,ShortWord=0`;
export const TITLE_OPTIONS = `${MARKS},HighlightAll=true`;

/** SQL expressions and placeholders that an excerpt is made from. */
export interface HeadlineParts {
  /** Text-search configuration, as `regconfig`. */
  readonly configuration: string;
  readonly text: string;
  readonly query: string;
  /** Placeholder of `HEADLINE_OPTIONS` or `TITLE_OPTIONS`. */
  readonly options: string;
  /** Placeholder of `placesOf(words)`; without it the whole text is looked at. */
  readonly places?: string;
}

/** SQL of an excerpt with marks, for `markedHtml`. */
export function headline({ configuration, text, query, options, places }: HeadlineParts): string {
  const cut = places === undefined ? text : windowOf(text, places);
  const clean = `translate(${cut}, '<' || chr(1) || chr(2) || chr(3), chr(1) || '   ')`;
  return `ts_headline(${configuration}, ${clean}, ${query}, ${options})`;
}

/** The part of a long text round the first of the longest word, else of any word, else its beginning. */
function windowOf(text: string, places: string): string {
  const first = `coalesce(substring(${text} from (${places}::text[])[1]), substring(${text} from (${places}::text[])[2]))`;
  const at = `coalesce(nullif(strpos(${text}, ${first}), 0), 1)`;
  return `CASE WHEN length(${text}) <= ${WINDOW} THEN ${text}
    ELSE substr(${text}, greatest(1, ${at} - ${WINDOW / 4}), ${WINDOW}) END`;
}

/** Patterns of places where words may stand, whatever their endings: of the first word, and of any. */
export function placesOf(words: readonly string[]): readonly (string | null)[] {
  const stems = words.filter((word) => /^[\p{L}\p{M}\p{N}]+$/u.test(word)).map(stemOf);
  const place = (alternatives: string) => `(?i)(?:^|\\W)(?:${alternatives})`;
  return stems.length === 0 ? [null, null] : [place(stems[0]!), place(stems.join('|'))];
}

/** Rather too short than too long: endings change what stands before them. */
function stemOf(word: string): string {
  const letters = [...word];
  return letters.slice(0, Math.max(4, letters.length - 3)).join('');
}

export interface Excerpt {
  /** As `headline` made it. */
  readonly marked: string;
  /** The text from its first character on, at least 60 of them; tells whether the excerpt begins there. */
  readonly beginning?: string;
}

/** The excerpt on one line as escaped HTML, in which `<mark>` is the only tag; null when nothing is left of it. */
export function markedHtml({ marked, beginning }: Excerpt): string | null {
  const line = marked.replaceAll(LESS, '<').replace(/\s+/gu, ' ').trim();
  const words = withoutMarks(line).trim();
  if (words === '') return null;
  let html = '';
  let open = false;
  for (const part of line.split(MARK)) {
    if (part === BEGIN || part === END) {
      if ((part === BEGIN) !== open) {
        open = part === BEGIN;
        html += open ? '<mark>' : '</mark>';
      }
    } else html += escaped(part);
  }
  if (open) html += '</mark>';
  const start = beginning?.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return start === undefined || start.startsWith(words.slice(0, 30)) ? html : `… ${html}`;
}

function withoutMarks(text: string): string {
  return text.replaceAll(BEGIN, '').replaceAll(END, '');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
