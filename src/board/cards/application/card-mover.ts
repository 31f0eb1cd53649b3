import { Injectable } from '@nestjs/common';
import type { Column } from '../domain/board.js';
import { rankAfter, rankBetween, rankOfFinished } from '../domain/card.js';
import { columnThen, historyActorOf } from '../domain/history.js';
import { refused } from '../domain/refusals.js';
import type { BoardChange } from './board-change.js';
import { CardConnections } from './ports/card-connections.js';
import { CardFeedback } from './ports/card-feedback.js';
import { CardMarks } from './ports/card-marks.js';
import { type CardFacts, Cards, type Place } from './ports/cards.js';
import { InteractiveRuns } from './ports/interactive-runs.js';

export interface MoveOptions {
  readonly place?: Place | null;
  /** Hold the card when the workflow does not list the move, instead of refusing it. */
  readonly makeUnmanaged?: boolean;
  /** Code of the cause, for moves by Loupe itself. */
  readonly cause?: string;
  /** The interactive run that moves its own card stays open. */
  readonly keepRunId?: string;
}

const CHILDREN_NAMED = 10;

/** Moves a card under the lock of its board (`board.md` 5). The caller saves the card afterwards. */
@Injectable()
export class CardMover {
  constructor(
    private readonly cards: Cards,
    private readonly connections: CardConnections,
    private readonly marks: CardMarks,
    private readonly runs: InteractiveRuns,
    private readonly feedback: CardFeedback,
  ) {}

  /**
   * @returns whether anything changed.
   * @throws DomainError `epic_has_open_child`, `not_in_workflow`.
   */
  async move(
    change: BoardChange,
    card: CardFacts,
    target: Column,
    options: MoveOptions = {},
  ): Promise<boolean> {
    if (card.columnId === target.id) return this.reorder(change, card, target, options.place ?? null);
    const from = change.board.columnOf(card.columnId);
    const byHand = change.actor.kind !== 'system';
    if (byHand) {
      await this.requireFinishedChildren(card, target);
      if (!card.held) await this.requireManualMove(change, card, from, target, options);
    }
    const wasFinished = card.completedAt !== null;
    card.rank = await this.rankIn(change, card, target, options.place ?? null);
    card.completedAt = target.terminal ? (card.completedAt ?? change.at) : null;
    card.columnId = target.id;
    change.touch(card);
    const cause = byHand ? null : (options.cause ?? null);
    change.note(card, 'moved', { from: columnThen(from), to: columnThen(target), cause });
    const finished = card.completedAt !== null;
    change.event('CardMoved', card.id, {
      cardId: card.id,
      number: card.number,
      from: columnThen(from),
      to: columnThen(target),
      cause,
      completed: finished,
    });
    change.record('board.card_moved', card, { from: from.slug, to: target.slug });
    if (card.inSession) await this.closeRuns(change, card, finished, options.keepRunId);
    if (wasFinished !== finished) await this.completionChanged(change, card);
    return true;
  }

  /** What follows when a card was finished or opened again. */
  async completionChanged(change: BoardChange, card: CardFacts): Promise<void> {
    const finished = card.completedAt !== null;
    change.event(finished ? 'CardFinished' : 'CardReopened', card.id, { cardId: card.id });
    change.progress(card.parentCardId);
    change.lookAt.add(card.id);
    for (const id of await this.connections.blockedBy([card.id])) change.lookAt.add(id);
    if (!finished) return;
    await this.feedback.resolveOfCards([card.id], change.at);
    if (card.paused) await this.endPauses(change, [card.id]);
  }

  async endPauses(change: BoardChange, cardIds: readonly string[]): Promise<void> {
    const { userId } = historyActorOf(change.actor);
    for (const { cardId, pause } of await this.marks.endPauses(cardIds, 'card-finished', userId, change.at)) {
      change.note({ id: cardId }, 'pause-released', { pause });
      const { pauseId, kind, reason } = pause;
      change.event('CardPauseReleased', cardId, { cardId, pauseId, kind, reason });
    }
  }

  private async reorder(
    change: BoardChange,
    card: CardFacts,
    column: Column,
    place: Place | null,
  ): Promise<boolean> {
    if (place === null || column.terminal) return false;
    const around = await this.cards.neighbours(column.id, card.id, place);
    if (!around) return false;
    const stays =
      (around.before === null || around.before < card.rank) &&
      (around.after === null || card.rank < around.after);
    if (stays) return false;
    card.rank = await this.rankIn(change, card, column, place);
    change.touch(card);
    change.record('board.card_moved', card, { to: column.slug });
    return true;
  }

  private async rankIn(
    change: BoardChange,
    card: CardFacts,
    column: Column,
    place: Place | null,
  ): Promise<number> {
    if (column.terminal) return rankOfFinished(card.completedAt ?? change.at);
    if (place === null) return rankAfter(await this.cards.lastRank(column.id));
    const look = () => this.cards.neighbours(column.id, card.id, place);
    let around = await look();
    if (!around) return rankAfter(await this.cards.lastRank(column.id));
    const rank = rankBetween(around.before, around.after);
    if (rank !== null) return rank;
    // Only a card with a neighbour on both sides can find no room.
    for (const id of await this.cards.spread(column.id, around.before!)) {
      change.stale.add(id);
      change.tell('card', id);
    }
    around = (await look())!;
    return rankBetween(around.before, around.after)!;
  }

  private async requireFinishedChildren(card: CardFacts, target: Column): Promise<void> {
    if (!target.terminal || !card.hasChildren || card.completedAt !== null) return;
    const open = await this.cards.openChildren(card.id, CHILDREN_NAMED + 1);
    if (open.length === 0) return;
    const named = open.slice(0, CHILDREN_NAMED).join(', ');
    throw refused(
      'epic_has_open_child',
      'status',
      `Card ${card.number} has open children: ${named}${open.length > CHILDREN_NAMED ? ' and more' : ''}. Finish them first, or take them out of it.`,
      { facts: { children: open.slice(0, CHILDREN_NAMED) } },
    );
  }

  private async requireManualMove(
    change: BoardChange,
    card: CardFacts,
    from: Column,
    target: Column,
    options: MoveOptions,
  ): Promise<void> {
    const { workflow, board, actor } = change;
    const place = (column: Column) => ({ columnId: column.id, ...column });
    if (!workflow.limitsMoves || workflow.allowsMove(place(from), place(target))) return;
    if (options.makeUnmanaged) {
      await this.hold(change, card, null);
      return;
    }
    const allowed = board.columns.filter(
      (column) => column !== from && workflow.allowsMove(place(from), place(column)),
    );
    const slugs = allowed.map((column) => column.slug).join(', ') || 'none';
    throw refused(
      'not_in_workflow',
      'status',
      actor.kind === 'person'
        ? 'The workflow does not move this card there. Make it unmanaged and move it?'
        : `The workflow does not allow a move from "${from.slug}" to "${target.slug}". From here it allows: ${slugs}. To move the card anyway, call card_hold first.`,
      { facts: { offer: 'make-unmanaged', allowed: allowed.map((column) => column.id) } },
    );
  }

  /** Takes the card out of the workflow. False when it was out already. */
  async hold(change: BoardChange, card: CardFacts, note: string | null): Promise<boolean> {
    const { kind, userId } = historyActorOf(change.actor);
    if (!(await this.marks.hold(card, { userId, kind }, change.at, note))) return false;
    change.stale.add(card.id);
    change.tell('card', card.id);
    change.note(card, 'held');
    change.event('CardHeld', card.id, { cardId: card.id });
    change.record('board.card_held', card);
    return true;
  }

  private async closeRuns(
    change: BoardChange,
    card: CardFacts,
    finished: boolean,
    keepRunId: string | undefined,
  ): Promise<void> {
    const reason = finished ? 'card-finished' : 'card-moved';
    const closed = await this.runs.closeOfCards([card.id], reason, change.at, keepRunId);
    for (const { runId } of closed)
      change.event('InteractiveRunClosed', card.id, { cardId: card.id, runId, reason });
    if (closed.length > 0) change.lookAt.add(card.id);
  }
}
