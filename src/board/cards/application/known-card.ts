import { DomainError } from '#libs/kernel/errors.js';
import type { CardName } from '../domain/card-texts.js';
import type { CardFacts, Cards } from './ports/cards.js';

/** The card that a tool or a page names. @throws DomainError `not-found` for one that is not in the project. */
export async function knownCard(cards: Cards, projectId: string, name: CardName): Promise<CardFacts> {
  const card = await cards.find(projectId, name);
  if (!card) throw unknownCard(name);
  return card;
}

/** Unknown ids and ids of other projects get the same answer; a number can only be of this project. */
export function unknownCard(name: CardName): DomainError {
  const [argument, sentence] =
    'number' in name
      ? ['number', `This project has no card ${name.number}.`]
      : ['cardId', 'Card not found or not accessible.'];
  return new DomainError('not-found', 'not_found', sentence, { argument });
}
