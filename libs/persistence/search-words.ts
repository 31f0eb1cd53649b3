import { readable, UNSEEN } from '#libs/kernel/words.js';
import type { Parameters } from './parameters.js';

/** Placeholders of the words of a search. */
export interface WordsParts {
  /** Text-search configuration, as `regconfig`. */
  readonly configuration: string;
  readonly text: string;
  /** The last word, what stands before it, and the last word as `beginningOf` writes it. */
  readonly begun: { readonly word: string; readonly before: string; readonly beginning: string } | null;
}

/**
 * SQL of the query of a search: read as a search of the web, and the last word also as the beginning of any word. A last
 * word without meaning in the language begins nothing.
 */
export function wordsQuery({ configuration, text, begun }: WordsParts): string {
  const whole = `websearch_to_tsquery(${configuration}, ${text})`;
  if (begun === null) return whole;
  return `${whole} || CASE numnode(websearch_to_tsquery(${configuration}, ${begun.word})) WHEN 0 THEN ''::tsquery
    ELSE websearch_to_tsquery(${configuration}, ${begun.before}) && ${begun.beginning}::tsquery END`;
}

/** A word of letters and digits alone, as the text of a query for its beginning. */
export function beginningOf(word: string): string {
  return `'${word.toLowerCase()}':*`;
}

/**
 * SQL of whether a title is what was typed, whole, with or without quotes round it; case, and marks that nobody sees, make
 * no difference. Indexes of this expression answer it.
 */
export function titleIs(title: string, typed: string, p: Parameters): string {
  const whole = readable(typed).trim();
  const unquoted = /^"([^"]+)"$/u.exec(whole)?.[1]?.trim() ?? whole;
  return `lower(translate(${title}, '${UNSEEN}', '')) = ANY(ARRAY[lower(${p.add(whole)}::text), lower(${p.add(unquoted)}::text)])`;
}
