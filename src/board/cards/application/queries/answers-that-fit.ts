import {
  ANSWER_CHARACTERS,
  beginningWithin,
  firstWithin,
  jsonLength,
  shortened,
} from '#libs/kernel/answer-size.js';
import { codePoints } from '#libs/kernel/text.js';
import type { FullCard } from './full-card.js';
import type { CardSummary } from './summary-reader.js';

/** JSON of a row at most, so that the 50 of a page fit an answer beside the columns of a wide board. */
const ROW_CHARACTERS = 350;

/** What is left of a title in any case. */
const TITLE_CHARACTERS = 60;

/** JSON of a page of whole cards: more than lists have by default, since they were asked for. */
const FULL_PAGE_CHARACTERS = 100_000;

/** A whole card, or what fits of one; the counts are there only when something is left out. */
export interface FittingCard extends FullCard {
  /** Characters at the end of the body. */
  readonly bodyLeftOut?: number;
  /** Children at the end of the list. */
  readonly childrenLeftOut?: number;
}

/** A row whose title is cut (…) when it would be too long for a list. */
export function shortRow(row: CardSummary): CardSummary {
  const over = jsonLength(row) - ROW_CHARACTERS;
  if (over <= 0) return row;
  const room = jsonLength(row.title) - 2 - over;
  return { ...row, title: shortened(row.title, Math.max(room, TITLE_CHARACTERS)) };
}

/** A card in the answer to whoever has just written it, and so knows its text. */
export function writtenCard(card: FullCard): FittingCard {
  return cardWithin(card, ANSWER_CHARACTERS);
}

/** Whole cards of one page: long ones share what short ones leave. */
export function fullPage(cards: readonly FullCard[]): readonly FittingCard[] {
  const sizes = cards.map(jsonLength).sort((a, b) => a - b);
  let room = FULL_PAGE_CHARACTERS;
  let share = 0;
  for (const [place, size] of sizes.entries()) {
    share = room / (sizes.length - place);
    if (size > share) break;
    room -= size;
    share = size;
  }
  return cards.map((card) => cardWithin(card, Math.floor(share)));
}

function cardWithin(card: FullCard, characters: number): FittingCard {
  const over = jsonLength(card) - characters;
  if (over <= 0) return card;
  const room = Math.max(jsonLength(card.body) - 2 - over, 0);
  const body = beginningWithin(card.body, room);
  const cut = { ...card, body, bodyLeftOut: codePoints(card.body) - codePoints(body) };
  const still = jsonLength(cut) - characters;
  if (still <= 0) return cut;
  const children = firstWithin(card.children, Math.max(jsonLength(card.children) - still, 0));
  return { ...cut, children, childrenLeftOut: card.children.length - children.length };
}
