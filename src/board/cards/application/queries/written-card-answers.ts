import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Database } from '#libs/persistence/database.js';
import type { MovedCard } from '../commands/move-card.js';
import type { MovedCards } from '../commands/move-cards.js';
import { BoardView } from './board-view.js';
import { GetCard } from './get-card.js';
import { TileReader } from './tile-reader.js';

/** What a page gets back after it changed cards: only what looks different now. */
@Injectable()
export class WrittenCardAnswers {
  constructor(
    private readonly view: BoardView,
    private readonly getCard: GetCard,
    private readonly tiles: TileReader,
    private readonly database: Database,
  ) {}

  /** `revision` is that of the change; where none is given, the present one. */
  async card(
    actor: Actor,
    projectId: string,
    written: { readonly cardId: string; readonly revision?: number },
  ) {
    const { board, workflow } = await this.view.open(actor, projectId);
    const card = await this.getCard.forPage(actor, { projectId, cardId: written.cardId });
    const [tile] = await this.tiles.tiles(projectId, [written.cardId], workflow);
    return { card, tile: tile ?? null, revision: written.revision ?? board.state.revision };
  }

  async movedCard(actor: Actor, projectId: string, moved: MovedCard) {
    const { board, workflow } = await this.view.open(actor, projectId);
    const { cardId, fromColumnId, toColumnId, parentIds, revision } = moved;
    const read = await this.tiles.tiles(projectId, [cardId, ...parentIds], workflow);
    return {
      tile: read.find((tile) => tile.cardId === cardId) ?? null,
      fromColumnId,
      toColumnId,
      position: await this.positionOf(cardId),
      revision,
      columns: board.columns
        .filter(({ id }) => id === fromColumnId || id === toColumnId)
        .map(({ id, cards }) => ({ columnId: id, cards })),
      lanes: read
        .filter((tile) => parentIds.includes(tile.cardId))
        .map((tile) => ({ cardId: tile.cardId, progress: tile.progress })),
    };
  }

  async movedCards(actor: Actor, projectId: string, cardIds: readonly string[], moved: MovedCards) {
    const { board, workflow } = await this.view.open(actor, projectId);
    return {
      moved: moved.moved,
      tiles: await this.tiles.tiles(projectId, cardIds, workflow),
      revision: moved.revision,
      columns: board.columns
        .filter(({ id }) => moved.columnIds.includes(id))
        .map(({ id, cards }) => ({ columnId: id, cards })),
    };
  }

  private async positionOf(cardId: string): Promise<number> {
    const row = await this.database.one<{ position: number }>(
      `SELECT (SELECT count(*)::int FROM board.card o
                WHERE o.column_id = c.column_id AND o.completed_at IS NULL AND o.rank < c.rank) AS position
         FROM board.card c WHERE c.id = $1 AND c.completed_at IS NULL`,
      [cardId],
    );
    return row?.position ?? 0;
  }
}
