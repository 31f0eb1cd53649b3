import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { CardEditor } from '../card-editor.js';
import { knownCard } from '../known-card.js';
import { Cards, type Place } from '../ports/cards.js';
import { requirePlace } from './update-card.js';

export interface MoveCardInput {
  readonly projectId: string;
  readonly cardId: string;
  readonly columnId: string;
  /** Column in which the page shows the card. */
  readonly fromColumnId?: Given<string>;
  readonly place?: Place | null;
  /** Undefined keeps the parent, null removes it. */
  readonly parentCardId?: string | null;
  readonly makeUnmanaged?: Given<boolean>;
}

export interface MovedCard {
  readonly cardId: string;
  readonly fromColumnId: string;
  readonly toColumnId: string;
  /** Epics whose lane looks different now. */
  readonly parentIds: readonly string[];
  readonly revision: number;
}

/**
 * Moves a card to a column, a place in it, and in or out of an epic.
 * @throws DomainError `stale_column`, `column_gone`, `not_in_workflow`, `epic_has_open_child`; InvalidInput for the parent.
 */
@Injectable()
export class MoveCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly editor: CardEditor,
  ) {}

  async execute(actor: Actor, input: MoveCardInput): Promise<MovedCard> {
    const { projectId, cardId, columnId, parentCardId } = input;
    const request = { projectId, level: 'contribute', operation: 'board.card_moved' } as const;
    return this.door.change(actor, request, async (change) => {
      const card = await knownCard(this.cards, projectId, { cardId });
      requirePlace(card, input.fromColumnId);
      const fromColumnId = card.columnId;
      const parents = [card.parentCardId];
      await this.editor.edit(
        change,
        card,
        {
          columnId,
          ...(parentCardId === undefined ? {} : { parentCardId: parentCardId ?? '' }),
          settledParent: true,
        },
        { place: input.place ?? null, makeUnmanaged: input.makeUnmanaged ?? false },
      );
      parents.push(card.parentCardId);
      return {
        cardId,
        fromColumnId,
        toColumnId: card.columnId,
        parentIds: [...new Set(parents.filter((id): id is string => id !== null))],
        revision: change.happened ? change.revision : change.board.state.revision,
      };
    });
  }
}
