import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError, InvalidInput } from '#libs/kernel/errors.js';
import { type Given, readCardName } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { type CardEdit, CardEditor } from '../card-editor.js';
import { knownCard } from '../known-card.js';
import { Cards } from '../ports/cards.js';

export interface UpdateCardInput extends CardEdit {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly number?: Given<number>;
  /** Column in which the writer believes the card to be. */
  readonly fromColumnId?: Given<string>;
  readonly makeUnmanaged?: Given<boolean>;
  /** Not for change; named so that it can be refused with a reason. */
  readonly reporter?: Given<string>;
  readonly origin?: Given<string>;
}

export interface WrittenCard {
  readonly cardId: string;
  /** Of the board, after this change. */
  readonly revision: number;
}

/** Changes the named fields of a card; without any it stays as it is. All or nothing. */
@Injectable()
export class UpdateCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly editor: CardEditor,
  ) {}

  async execute(actor: Actor, input: UpdateCardInput): Promise<WrittenCard> {
    const { projectId } = input;
    const name = readCardName(input);
    if (input.reporter != null || input.origin != null)
      throw new InvalidInput([
        { argument: 'reporter', sentence: 'cannot be changed, it records who first raised the card.' },
      ]);
    const request = { projectId, level: 'contribute', operation: 'board.card_updated' } as const;
    return this.door.change(actor, request, async (change) => {
      const card = await knownCard(this.cards, projectId, name);
      requirePlace(card, input.fromColumnId);
      await this.editor.edit(change, card, input, { makeUnmanaged: input.makeUnmanaged ?? false });
      return { cardId: card.id, revision: change.happened ? change.revision : change.board.state.revision };
    });
  }
}

/** Somebody else moved it meanwhile. @throws DomainError `stale_column` with the column it is in. */
export function requirePlace(
  card: { readonly id: string; readonly number: number; readonly columnId: string },
  believed: Given<string>,
): void {
  if (believed == null || believed === card.columnId) return;
  throw new DomainError('conflict', 'stale_column', `Card ${card.number} was moved meanwhile.`, {
    argument: 'fromColumnId',
    facts: { cardId: card.id, columnId: card.columnId },
  });
}
