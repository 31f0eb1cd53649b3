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
 * SQL of whether a title is what was typed, whole, in any case, with or without quotes round it; an index of
 * `lower(title)` answers it.
 */
export function titleIs(title: string, typed: string, p: Parameters): string {
  const unquoted = /^"([^"]+)"$/u.exec(typed)?.[1]?.trim() ?? typed;
  return `lower(${title}) = ANY(ARRAY[lower(${p.add(typed)}::text), lower(${p.add(unquoted)}::text)])`;
}
