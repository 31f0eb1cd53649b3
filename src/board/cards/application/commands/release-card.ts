import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { readCardName } from '../../domain/card-texts.js';
import { BoardDoor } from '../board-door.js';
import { CardMarks } from '../ports/card-marks.js';
import { Cards } from '../ports/cards.js';
import { type CardNameInput, noSuchCard, type RefusedOutcome, refusal } from './hold-card.js';

export type ReleasedOutcome = { readonly cardId: string; readonly outcome: 'released' } | RefusedOutcome;

/** Gives a card back to the workflow. A pause stays. */
@Injectable()
export class ReleaseCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly marks: CardMarks,
  ) {}

  async execute(actor: Actor, input: CardNameInput): Promise<ReleasedOutcome> {
    const { projectId } = input;
    const name = readCardName(input);
    const request = { projectId, level: 'contribute', operation: 'board.card_released' } as const;
    return this.door.change(actor, request, async (change): Promise<ReleasedOutcome> => {
      const card = await this.cards.find(projectId, name);
      if (!card) return noSuchCard(name);
      if ((await this.marks.endHolds([card.id])).length === 0)
        return refusal(card.id, 'not-paused', `Card ${card.number} is managed by the workflow already.`);
      change.stale.add(card.id);
      change.tell('card', card.id);
      change.note(card, 'released');
      change.event('CardReleased', card.id, { cardId: card.id });
      change.record('board.card_released', card);
      return { cardId: card.id, outcome: 'released' };
    });
  }
}
