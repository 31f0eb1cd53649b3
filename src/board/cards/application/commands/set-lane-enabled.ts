import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { UpdateCard, type WrittenCard } from './update-card.js';

/** Draws an epic as a lane of the board, or as a tile. */
@Injectable()
export class SetLaneEnabled {
  constructor(private readonly update: UpdateCard) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly cardId: string; readonly enabled: boolean },
  ): Promise<WrittenCard> {
    const { projectId, cardId, enabled } = input;
    return this.update.execute(actor, { projectId, cardId, laneEnabled: enabled });
  }
}
