import type { Card } from '../../domain/card.js';
import type { CardName } from '../../domain/card-texts.js';

/** A card with what rules about it ask for. */
export interface CardFacts extends Card {
  readonly held: boolean;
  readonly paused: boolean;
  readonly inSession: boolean;
  readonly hasChildren: boolean;
  readonly documentCount: number;
}

/** Where in a column that is not terminal a card is put. */
export type Place =
  | { readonly position: number }
  | { readonly beforeCardId: string }
  | { readonly afterCardId: string };

export interface Neighbours {
  readonly before: number | null;
  readonly after: number | null;
}

/** Cards of one project; what changes them holds the lock of its board. */
export abstract class Cards {
  abstract find(projectId: string, name: CardName): Promise<CardFacts | null>;
  /** In no order; unknown and foreign ids are left out. */
  abstract findMany(projectId: string, ids: readonly string[]): Promise<CardFacts[]>;
  abstract body(cardId: string): Promise<string>;
  abstract add(card: Card, body: string, language: string): Promise<void>;
  abstract save(card: Card): Promise<void>;
  abstract saveText(cardId: string, title: string, body: string): Promise<void>;
  /** Pages have to read these cards again. */
  abstract setRevision(cardIds: readonly string[], revision: number): Promise<void>;
  /** Cards whose links changed from the other end. */
  abstract touchMany(cardIds: readonly string[], at: Date, revision: number): Promise<void>;
  abstract remove(card: Card, revision: number, at: Date): Promise<void>;
  /** Highest rank among the open cards of the column. */
  abstract lastRank(columnId: string): Promise<number | null>;
  /** Ranks around a place, as if `movingId` were not there; null when the card next to it is not in the column. */
  abstract neighbours(columnId: string, movingId: string, place: Place): Promise<Neighbours | null>;
  /** Makes room after a rank: the cards behind it get new ranks in the same order. @returns their ids. */
  abstract spread(columnId: string, afterRank: number): Promise<string[]>;
  /** Ids in the order of the column. */
  abstract idsOfColumn(columnId: string): Promise<string[]>;
  /** Moves all cards of a column to the end of another in their order; see `DeleteColumn`. */
  abstract moveAll(
    from: string,
    to: { readonly id: string; readonly terminal: boolean },
    at: Date,
    revision: number,
  ): Promise<void>;
  /** A column became terminal, or stopped being it. */
  abstract finishAll(columnId: string, at: Date, revision: number): Promise<void>;
  abstract reopenAll(columnId: string, at: Date, revision: number): Promise<void>;
  /** Numbers of open children, at most `limit`, the lowest first. */
  abstract openChildren(parentId: string, limit: number): Promise<number[]>;
  abstract childCount(parentId: string): Promise<number>;
  abstract childIds(parentId: string): Promise<string[]>;
}
