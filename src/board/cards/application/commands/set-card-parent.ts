import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { UpdateCard, type WrittenCard } from './update-card.js';

/** Puts a card under an epic, or takes it out with null. @throws InvalidInput `parentCardId`. */
@Injectable()
export class SetCardParent {
  constructor(private readonly update: UpdateCard) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly cardId: string; readonly parentCardId: string | null },
  ): Promise<WrittenCard> {
    return this.update.execute(actor, { ...input, parentCardId: input.parentCardId ?? '' });
  }
}
