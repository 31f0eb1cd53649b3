import type { Card } from '../../domain/card.js';
import type { RelatedCard } from '../../domain/card-texts.js';

/** What a card is connected with: other cards, pull requests, documents. Every write replaces the whole set. */
export abstract class CardConnections {
  /** @returns ids of the other cards whose link changed; empty when all was so before. */
  abstract setLinks(card: Card, links: readonly RelatedCard[]): Promise<string[]>;
  /** @returns whether anything changed. Links that stay keep their id. */
  abstract setPullRequests(card: Card, urls: readonly string[], at: Date): Promise<boolean>;
  abstract setDocuments(
    card: Card,
    documentIds: readonly string[],
  ): Promise<{ readonly added: string[]; readonly removed: string[]; readonly changed: boolean }>;
  abstract documentIds(cardId: string): Promise<string[]>;
  abstract linkedIds(cardId: string): Promise<string[]>;
  /** Highest number of links among these cards, and which card has it. */
  abstract linkCounts(cardIds: readonly string[]): Promise<Map<string, number>>;
  /** Ids of the cards that these block. */
  abstract blockedBy(cardIds: readonly string[]): Promise<string[]>;
  /** Ids of the open cards that link the document, and of all that do. */
  abstract cardsOfDocument(projectId: string, documentId: string): Promise<string[]>;
}
