import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { BoardMaker } from '../board-maker.js';
import { Cards } from '../ports/cards.js';

/** Where a card is, and whether the workflow may act on it. @throws DomainError `card_not_found`. */
@Injectable()
export class GetCardForBridge {
  constructor(
    private readonly access: ProjectAccess,
    private readonly maker: BoardMaker,
    private readonly cards: Cards,
  ) {}

  async execute(actor: Actor, input: { readonly projectId: string; readonly cardId: string }) {
    const { projectId, cardId } = input;
    await this.access.require(actor, projectId, 'read');
    const card = await this.cards.find(projectId, { cardId });
    if (!card) throw new DomainError('not-found', 'card_not_found', 'Card not found or not accessible.');
    const board = await this.maker.read(actor, projectId);
    const column = board.columnById(card.columnId)?.slug ?? null;
    return { cardId, number: card.number, column, held: card.held };
  }
}
