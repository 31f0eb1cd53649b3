import type { Actor } from '#libs/kernel/actor.js';
import type { NewDomainEvent } from '#libs/kernel/domain-event.js';
import type { Ids } from '#libs/kernel/ids.js';
import type { BoardWorkflow } from '../../workflow/application/ports/workflow-templates.js';
import type { Board } from '../domain/board.js';
import type { Card } from '../domain/card.js';
import { type HistoryKind, type HistoryRow, historyActorOf } from '../domain/history.js';

export type BoardNewsKind = 'card' | 'card-deleted' | 'columns' | 'lane' | 'progress' | 'reload';

export interface BoardRecord {
  readonly operation: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** More news than this at once, and pages are told to load the board anew. */
const NEWS_AT_ONCE = 50;

/** One change of a board while its row is locked: what happened is collected here and written at the end. */
export class BoardChange {
  /** Revision that the board has after this change. */
  readonly revision: number;
  readonly history: HistoryRow[] = [];
  readonly events: NewDomainEvent[] = [];
  readonly records: BoardRecord[] = [];
  /** Cards whose state may be another one now. */
  readonly lookAt = new Set<string>();
  /** Cards that pages have to read again though their own row was not written. */
  readonly stale = new Set<string>();
  private readonly newsByKey = new Map<string, { type: BoardNewsKind; subjectId: string; version: number }>();

  constructor(
    readonly actor: Actor,
    readonly board: Board,
    readonly workflow: BoardWorkflow,
    readonly at: Date,
    private readonly ids: Ids,
  ) {
    this.revision = board.state.revision + 1;
  }

  get happened(): boolean {
    return this.newsByKey.size > 0 || this.records.length > 0 || this.events.length > 0;
  }

  /** What open pages are told. */
  get news(): { type: BoardNewsKind; subjectId: string; version: number }[] {
    const all = [...this.newsByKey.values()];
    if (all.length <= NEWS_AT_ONCE) return all;
    return [{ type: 'reload', subjectId: this.board.projectId, version: this.revision }];
  }

  /** The card itself is written. */
  touch(card: Card): void {
    card.updatedAt = this.at;
    card.revision = this.revision;
    this.tell('card', card.id);
  }

  tell(type: BoardNewsKind, subjectId: string): void {
    const version = type === 'columns' ? this.board.state.columnsRevision : this.revision;
    this.newsByKey.set(`${type} ${subjectId}`, { type, subjectId, version });
  }

  /** The children of this card, or how far they are, changed. */
  progress(parentCardId: string | null): void {
    if (parentCardId === null) return;
    this.stale.add(parentCardId);
    this.tell('progress', parentCardId);
  }

  note(
    card: Pick<Card, 'id'>,
    kind: HistoryKind,
    payload: Readonly<Record<string, unknown>> = {},
    by = historyActorOf(this.actor),
  ): void {
    const { kind: actorKind, userId } = by;
    this.history.push({
      id: this.ids.next(),
      cardId: card.id,
      projectId: this.board.projectId,
      kind,
      occurredAt: this.at,
      actorKind,
      actorUserId: userId,
      runId: null,
      payload,
    });
  }

  event(type: string, aggregateId: string, payload: Readonly<Record<string, unknown>>): void {
    this.events.push({ type, aggregateId, projectId: this.board.projectId, payload });
  }

  record(
    operation: string,
    card: Pick<Card, 'id' | 'number'>,
    context: Readonly<Record<string, unknown>> = {},
  ): void {
    this.records.push({
      operation,
      subjectType: 'card',
      subjectId: card.id,
      context: { number: card.number, ...context },
    });
  }

  recordColumn(operation: string, columnId: string, context: Readonly<Record<string, unknown>> = {}): void {
    this.records.push({ operation, subjectType: 'column', subjectId: columnId, context });
  }
}
