import type { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { codePoints, quoted } from '#libs/kernel/text.js';
import {
  REFERENCES_PER_DOCUMENT,
  SERIES_NAME_CHARACTERS,
  SERIES_ORDINAL_MAX,
  TAG_CHARACTERS,
  TAGS_PER_DOCUMENT,
} from './limits.js';
import { tidyMarkdown } from './markdown-text.js';
import type { Given } from './texts.js';

/** A place in a series, by the name that its author typed. */
export interface SeriesPlace {
  readonly name: string;
  readonly ordinal: number;
}

/** Trims and makes every run of whitespace one space. */
export function tidied(text: string): string {
  return tidyMarkdown(text)
    .replace(/[\s\u0085]+/gu, ' ')
    .trim();
}

/** The form of a tag or series name that is compared. */
export function normalisedName(text: string): string {
  return tidied(text).toLowerCase();
}

/** A set of tags in its stored form, in the order given: blank ones ignored, duplicates folded. */
export function readTags(problems: Problems, argument: string, values: readonly string[]): string[] {
  const tags = [...new Set(values.map(normalisedName).filter((name) => name !== ''))];
  for (const name of tags) {
    if (codePoints(name) > TAG_CHARACTERS)
      problems.add(argument, `A tag name must be at most ${TAG_CHARACTERS} characters: ${quoted(name)}.`);
    else if (name.includes('\u0000'))
      problems.add(argument, 'A tag name must not contain the character U+0000.');
  }
  if (tags.length > TAGS_PER_DOCUMENT)
    problems.add(argument, `A document takes at most ${TAGS_PER_DOCUMENT} tags.`);
  return tags;
}

/** Ids of the documents that this one refers to, in the order given, duplicates folded. */
export function readReferences(
  problems: Problems,
  argument: string,
  values: readonly string[],
  documentId: string | null,
): string[] {
  const ids: string[] = [];
  values.forEach((value, index) => {
    if (!isUuid(value)) problems.add(`${argument}[${index}]`, `${quoted(value)} is not a valid id.`);
    else if (!ids.includes(value.toLowerCase())) ids.push(value.toLowerCase());
  });
  if (documentId !== null && ids.includes(documentId))
    problems.add(argument, 'A document cannot reference itself.');
  if (ids.length > REFERENCES_PER_DOCUMENT)
    problems.add(argument, `A document takes references to at most ${REFERENCES_PER_DOCUMENT} documents.`);
  return ids;
}

/** A series name: whitespace tidied, the spelling kept. */
export function readSeriesName(problems: Problems, argument: string, value: Given<string>): string {
  const name = tidied(value ?? '');
  if (name === '') problems.add(argument, 'A series name must not be blank.');
  else if (codePoints(name) > SERIES_NAME_CHARACTERS)
    problems.add(argument, `A series name must be at most ${SERIES_NAME_CHARACTERS} characters.`);
  else if (name.includes('\u0000'))
    problems.add(argument, 'A series name must not contain the character U+0000.');
  return name;
}

/** A place in a series; null when neither part is given. A name and a position need each other. */
export function readSeriesPlace(
  problems: Problems,
  series: Given<string>,
  ordinal: Given<number>,
): SeriesPlace | null {
  const named = tidied(series ?? '') !== '';
  const numbered = ordinal !== null && ordinal !== undefined;
  if (!named && !numbered) return null;
  const name = named ? readSeriesName(problems, 'series', series) : '';
  if (!named) problems.add('series', 'A series position needs a series name.');
  if (!numbered) problems.add('seriesOrdinal', 'A series name needs a position, counting from 1.');
  else if (!Number.isInteger(ordinal) || ordinal < 1 || ordinal > SERIES_ORDINAL_MAX)
    problems.add(
      'seriesOrdinal',
      `A series position must be a whole number between 1 and ${SERIES_ORDINAL_MAX}.`,
    );
  return { name, ordinal: ordinal ?? 0 };
}

/** Undefined keeps the place of a document, null (an empty series name) takes it out of its series. */
export function readSeriesChange(
  problems: Problems,
  series: Given<string>,
  ordinal: Given<number>,
): SeriesPlace | null | undefined {
  const emptied = series !== null && series !== undefined && tidied(series) === '';
  if (ordinal === null || ordinal === undefined) {
    if (emptied) return null;
    if (series === null || series === undefined) return undefined;
  }
  return readSeriesPlace(problems, series, ordinal);
}
