import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { UpdateCard, type UpdateCardInput, type WrittenCard } from './update-card.js';

/** Replaces all links that touch a card, those written from the other end too. @throws InvalidInput `relatedCards`. */
@Injectable()
export class ReplaceCardLinks {
  constructor(private readonly update: UpdateCard) {}

  async execute(
    actor: Actor,
    input: {
      readonly projectId: string;
      readonly cardId: string;
      readonly relatedCards: NonNullable<UpdateCardInput['relatedCards']>;
    },
  ): Promise<WrittenCard> {
    const { projectId, cardId, relatedCards } = input;
    return this.update.execute(actor, { projectId, cardId, relatedCards });
  }
}
