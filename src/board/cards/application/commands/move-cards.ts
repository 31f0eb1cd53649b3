import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { CARDS_OF_BULK_MOVE } from '../../domain/limits.js';
import { BoardDoor } from '../board-door.js';
import { CardMover } from '../card-mover.js';
import { Cards } from '../ports/cards.js';

export interface MoveCardsInput {
  readonly projectId: string;
  readonly cardIds: readonly string[];
  readonly columnId: string;
}

export interface MovedCards {
  /** Cards that were not in the column before. */
  readonly moved: number;
  readonly columnIds: readonly string[];
  readonly revision: number;
}

/** Moves up to 100 cards to the end of a column, in the order of the board; all or nothing. */
@Injectable()
export class MoveCards {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly mover: CardMover,
  ) {}

  async execute(actor: Actor, input: MoveCardsInput): Promise<MovedCards> {
    const { projectId } = input;
    const ids = [...new Set(input.cardIds.map((id) => id.toLowerCase()))];
    const request = { projectId, level: 'contribute', operation: 'board.card_moved' } as const;
    return this.door.change(actor, request, async (change) => {
      if (ids.length === 0 || ids.length > CARDS_OF_BULK_MOVE)
        throw new InvalidInput([{ argument: 'cardIds', sentence: `1 to ${CARDS_OF_BULK_MOVE} cards.` }]);
      const target = change.board.columnOf(input.columnId);
      const found = await this.cards.findMany(projectId, ids.filter(isUuid));
      const known = new Set(found.map((card) => card.id));
      const problems = ids.flatMap((id, at) =>
        known.has(id) ? [] : [{ argument: `cardIds[${at}]`, sentence: 'Card not found or not accessible.' }],
      );
      if (problems.length > 0) throw new InvalidInput(problems);
      const column = (id: string) => change.board.columnOf(id).position;
      found.sort((a, b) => column(a.columnId) - column(b.columnId) || a.rank - b.rank || a.number - b.number);
      const columnIds = new Set([target.id]);
      let moved = 0;
      for (const card of found) {
        columnIds.add(card.columnId);
        try {
          if (!(await this.mover.move(change, card, target))) continue;
        } catch (error) {
          throw refusalOf(card, error);
        }
        await this.cards.save(card);
        moved += 1;
      }
      const revision = change.happened ? change.revision : change.board.state.revision;
      return { moved, columnIds: [...columnIds], revision };
    });
  }
}

/** The refusal says which of the cards it is about. */
function refusalOf(card: { readonly id: string; readonly number: number }, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new DomainError(error.kind, error.code, `Card ${card.number}: ${error.message}`, {
    ...error.detail,
    facts: { ...error.detail.facts, cardId: card.id, number: card.number },
  });
}
