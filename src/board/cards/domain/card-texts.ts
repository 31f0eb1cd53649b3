import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { codePoints, normaliseLineBreaks, quoted } from '#libs/kernel/text.js';
import { readable } from '#libs/kernel/words.js';
import {
  ARTIFACTS_OF_CARD,
  BODY_CHARACTERS,
  DOCUMENTS_OF_CARD,
  LINKS_OF_CARD,
  PULL_REQUESTS_OF_CARD,
  TITLE_CHARACTERS,
  URL_CHARACTERS,
} from './limits.js';

/** Absent and null are the same at every door. */
export type Given<T> = T | null | undefined;

const UNFIT = /\0|\p{Surrogate}/u;

/** One line that is not blank. What is wrong with it is added to `problems`. */
export function readTitle(problems: Problems, value: Given<string>): string {
  const title = normaliseLineBreaks(value ?? '').trim();
  const length = codePoints(title);
  if (
    readable(title).trim() === '' ||
    length > TITLE_CHARACTERS ||
    /[\p{Cc}\u2028\u2029]|\p{Surrogate}/u.test(title)
  )
    problems.add('title', `1 to ${TITLE_CHARACTERS} characters on one line.`);
  return title;
}

/** Markdown as it was written, but for line breaks. What is wrong with it is added to `problems`. */
export function readBody(problems: Problems, value: Given<string>): string {
  const body = normaliseLineBreaks(value ?? '');
  if (codePoints(body) > BODY_CHARACTERS) problems.add('body', `at most ${BODY_CHARACTERS} characters.`);
  else if (UNFIT.test(body)) problems.add('body', 'must be valid text without NUL characters.');
  return body;
}

/** Addresses in order, each once, blank ones dropped. */
export function readPullRequestUrls(problems: Problems, values: readonly string[]): string[] {
  const urls: string[] = [];
  values.forEach((value, at) => {
    const url = value.trim();
    if (codePoints(url) > URL_CHARACTERS)
      problems.add(`pullRequestUrls[${at}]`, `at most ${URL_CHARACTERS} characters.`);
    else if (/[\p{Cc}]|\p{Surrogate}/u.test(url))
      problems.add(`pullRequestUrls[${at}]`, 'must be valid text on one line.');
    else if (url !== '' && !urls.includes(url)) urls.push(url);
  });
  if (urls.length > PULL_REQUESTS_OF_CARD)
    problems.add('pullRequestUrls', `at most ${PULL_REQUESTS_OF_CARD} entries.`);
  return urls;
}

/** Ids of documents in order, each once; whether they exist is looked up afterwards. */
export function readDocumentIds(problems: Problems, values: readonly string[]): string[] {
  if (new Set(values).size > DOCUMENTS_OF_CARD)
    problems.add('documentIds', `at most ${DOCUMENTS_OF_CARD} entries.`);
  values.forEach((value, at) => {
    if (!isUuid(value)) problems.add(`documentIds[${at}]`, 'Document not found or not accessible.');
  });
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

/** Ids of artifacts that may be linked; which of them exist is judged later. */
export function readArtifactIds(problems: Problems, values: readonly string[]): string[] {
  if (new Set(values).size > ARTIFACTS_OF_CARD)
    problems.add('artifactIds', `at most ${ARTIFACTS_OF_CARD} entries.`);
  values.forEach((value, at) => {
    if (!isUuid(value)) problems.add(`artifactIds[${at}]`, 'Artifact not found or not accessible.');
  });
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

export const LINK_KINDS = ['relates-to', 'blocks', 'blocked-by'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface RelatedCard {
  readonly cardId: string;
  readonly kind: LinkKind;
}

/** Links of a card to others; `ownId` is null for a card that is about to be made. */
export function readRelatedCards(
  problems: Problems,
  values: readonly { readonly cardId?: Given<string>; readonly kind?: Given<string> }[],
  ownId: string | null,
): RelatedCard[] {
  if (values.length > LINKS_OF_CARD) problems.add('relatedCards', `at most ${LINKS_OF_CARD} entries.`);
  const seen = new Set<string>();
  const links: RelatedCard[] = [];
  let twice = false;
  values.forEach((value, at) => {
    const cardId = (value.cardId ?? '').toLowerCase();
    const kind = value.kind ?? 'relates-to';
    if (!isUuid(cardId)) problems.add(`relatedCards[${at}].cardId`, 'Card not found or not accessible.');
    else if (cardId === ownId) problems.add(`relatedCards[${at}].cardId`, 'A card cannot link to itself.');
    const known = isLinkKind(kind);
    if (!known) problems.add(`relatedCards[${at}].kind`, `Use one of: ${LINK_KINDS.join(', ')}.`);
    links.push({ cardId, kind: known ? kind : 'relates-to' });
    twice ||= seen.has(cardId);
    seen.add(cardId);
  });
  if (twice) problems.add('relatedCards', 'names the same card twice.');
  return links;
}

function isLinkKind(value: string): value is LinkKind {
  return (LINK_KINDS as readonly string[]).includes(value);
}

/** How a card is named: by exactly one of its id and its number. */
export type CardName = { readonly cardId: string } | { readonly number: number };

interface GivenCardName {
  readonly cardId?: Given<string>;
  readonly number?: Given<number>;
}

/** @throws InvalidInput for both, neither, or an id that is none. */
export function readCardName(input: GivenCardName): CardName {
  const problems = new Problems();
  const name = cardNameOf(problems, input);
  problems.throwIfAny();
  return name;
}

/** The same for use cases that have more to check. */
export function cardNameOf(problems: Problems, { cardId, number }: GivenCardName): CardName {
  if (cardId != null && number != null) problems.add('cardId', 'Pass either cardId or number, not both.');
  else if (cardId == null && number == null) problems.add('cardId', 'Pass cardId or number.');
  else if (cardId != null && !isUuid(cardId)) problems.add('cardId', `${quoted(cardId)} is not a valid id.`);
  return number == null ? { cardId: (cardId ?? '').toLowerCase() } : { number };
}
