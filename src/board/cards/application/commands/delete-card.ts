import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { InvalidInput } from '#libs/kernel/errors.js';
import type { Given } from '../../domain/card-texts.js';
import { refused } from '../../domain/refusals.js';
import { BoardDoor } from '../board-door.js';
import { knownCard } from '../known-card.js';
import { CardConnections } from '../ports/card-connections.js';
import { Cards } from '../ports/cards.js';
import { InteractiveRuns } from '../ports/interactive-runs.js';

/** Deletes a card with its links and history; its number is not used again. @throws DomainError `has_children`. */
@Injectable()
export class DeleteCard {
  constructor(
    private readonly door: BoardDoor,
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly runs: InteractiveRuns,
  ) {}

  async execute(
    actor: Actor,
    input: { readonly projectId: string; readonly cardId: string; readonly confirm: Given<number> },
  ): Promise<void> {
    const { projectId, cardId } = input;
    const request = { projectId, level: 'contribute', operation: 'board.card_deleted' } as const;
    await this.door.change(actor, request, async (change) => {
      const card = await knownCard(this.cards, projectId, { cardId });
      if (input.confirm !== card.number)
        throw new InvalidInput([
          { argument: 'confirm', sentence: `Confirm with the number of the card, ${card.number}.` },
        ]);
      if (card.hasChildren)
        throw refused(
          'has_children',
          'cardId',
          `Card ${card.number} has children. Take them out of it, or delete them first.`,
        );
      for (const id of await this.connections.blockedBy([card.id])) change.lookAt.add(id);
      const linked = await this.connections.linkedIds(card.id);
      for (const { runId } of await this.runs.closeOfCards([card.id], 'card-deleted', change.at))
        change.event('InteractiveRunClosed', card.id, { cardId, runId, reason: 'card-deleted' });
      await this.cards.remove(card, change.revision, change.at);
      await this.cards.touchMany(linked, change.at, change.revision);
      for (const id of linked) change.tell('card', id);
      change.progress(card.parentCardId);
      change.tell('card-deleted', card.id);
      change.event('CardDeleted', card.id, {
        cardId: card.id,
        number: card.number,
        parentCardId: card.parentCardId,
      });
      change.record('board.card_deleted', card);
    });
  }
}
