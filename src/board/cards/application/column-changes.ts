import { Injectable } from '@nestjs/common';
import type { Board, Column } from '../domain/board.js';
import { columnThen } from '../domain/history.js';
import type { BoardChange } from './board-change.js';
import { CardMover } from './card-mover.js';
import { Boards } from './ports/boards.js';
import { CardConnections } from './ports/card-connections.js';
import { CardFeedback } from './ports/card-feedback.js';
import { CardMarks } from './ports/card-marks.js';
import { type CardFacts, Cards } from './ports/cards.js';
import { InteractiveRuns } from './ports/interactive-runs.js';

/** An event carries no more ids than fit in it; the cards have events of their own beside it. */
const IDS_OF_EVENT = 1_000;

/** What follows for cards when their column changes or goes. */
@Injectable()
export class ColumnChanges {
  constructor(
    private readonly boards: Boards,
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly marks: CardMarks,
    private readonly runs: InteractiveRuns,
    private readonly feedback: CardFeedback,
    private readonly mover: CardMover,
  ) {}

  /** Stores the columns with a new revision, and tells. `changed` are those whose own form is out of date now. */
  async save(change: BoardChange, changed: readonly Column[]): Promise<void> {
    const { board } = change;
    board.state.columnsRevision += 1;
    for (const column of changed) column.revision += 1;
    await this.boards.saveColumns(board);
    change.tell('columns', board.projectId);
    change.event('ColumnsChanged', board.projectId, { columnsRevision: board.state.columnsRevision });
  }

  /** The column became terminal or stopped being it: its cards are finished, or open again. */
  async terminalChanged(change: BoardChange, column: Column): Promise<void> {
    const before = await this.cardsOf(change.board, column.id);
    if (column.terminal) await this.cards.finishAll(column.id, change.at, change.revision);
    else await this.cards.reopenAll(column.id, change.at, change.revision);
    await this.completionsChanged(change, before, column.terminal);
  }

  /** Takes all cards of a column that goes to another one, in their order. @returns how many. */
  async empty(change: BoardChange, column: Column, target: Column): Promise<number> {
    const moved = await this.cardsOf(change.board, column.id);
    if (moved.length === 0) return 0;
    const ids = moved.map((card) => card.id);
    await this.cards.moveAll(column.id, target, change.at, change.revision);
    for (const id of await this.marks.endHolds(ids)) {
      change.note({ id }, 'released');
      change.event('CardReleased', id, { cardId: id });
    }
    const reason = target.terminal ? 'card-finished' : 'card-moved';
    for (const { cardId, runId } of await this.runs.closeOfCards(ids, reason, change.at)) {
      change.event('InteractiveRunClosed', cardId, { cardId, runId, reason });
      change.lookAt.add(cardId);
    }
    const [from, to] = [columnThen(column), columnThen(target)];
    for (const card of moved) {
      change.tell('card', card.id);
      change.note(card, 'moved', { from, to, cause: 'column-deleted' });
      change.event('CardMoved', card.id, {
        cardId: card.id,
        number: card.number,
        from,
        to,
        cause: 'column-deleted',
        completed: target.terminal,
      });
      change.record('board.card_moved', card, { from: from.slug, to: to.slug, cause: 'column-deleted' });
    }
    const changed = moved.filter((card) => (card.completedAt !== null) !== target.terminal);
    await this.completionsChanged(change, changed, target.terminal);
    return moved.length;
  }

  deleted(
    change: BoardChange,
    column: Column,
    slot: string | null,
    target: Column | null,
    ids: readonly string[],
  ) {
    change.event('ColumnDeleted', change.board.projectId, {
      columnId: column.id,
      slot,
      targetColumnId: target?.id ?? null,
      cards: ids.length,
      cardIds: ids.slice(0, IDS_OF_EVENT),
    });
  }

  private async completionsChanged(
    change: BoardChange,
    cards: readonly CardFacts[],
    finished: boolean,
  ): Promise<void> {
    if (cards.length === 0) return;
    const ids = cards.map((card) => card.id);
    for (const card of cards) {
      change.tell('card', card.id);
      change.event(finished ? 'CardFinished' : 'CardReopened', card.id, { cardId: card.id });
      change.progress(card.parentCardId);
      change.lookAt.add(card.id);
    }
    for (const id of await this.connections.blockedBy(ids)) change.lookAt.add(id);
    if (!finished) return;
    await this.feedback.resolveOfCards(ids, change.at);
    await this.mover.endPauses(change, ids);
  }

  private async cardsOf(board: Board, columnId: string): Promise<CardFacts[]> {
    const ids = await this.cards.idsOfColumn(columnId);
    const byId = new Map((await this.cards.findMany(board.projectId, ids)).map((card) => [card.id, card]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
}
