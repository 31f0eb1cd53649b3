import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { clampPage } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { Database } from '#libs/persistence/database.js';
import { DELETED_PERSON, PersonDirectory } from '#src/identity/application/ports/person-directory.js';
import { type Given, readCardName } from '../../domain/card-texts.js';
import type { HistoryActorKind, HistoryKind } from '../../domain/history.js';
import { knownCard } from '../known-card.js';
import { Cards } from '../ports/cards.js';

interface Row {
  readonly id: string;
  readonly kind: HistoryKind;
  readonly occurredAt: Date;
  readonly actorKind: HistoryActorKind;
  readonly actorUserId: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event as tools get it; a key that does not apply is null. */
export interface HistoryEvent {
  readonly kind: HistoryKind;
  readonly occurredAt: string;
  readonly actor: { readonly kind: HistoryActorKind; readonly name: string | null };
  readonly from: unknown;
  readonly to: unknown;
  readonly cause: unknown;
  readonly pullRequest: unknown;
  readonly reason: unknown;
  readonly run: unknown;
  readonly pause: unknown;
}

export interface GetCardHistoryInput {
  readonly projectId: string;
  readonly cardId?: Given<string>;
  readonly number?: Given<number>;
  readonly page?: Given<number>;
  readonly perPage?: Given<number>;
}

/** What happened to a card, newest first. @throws InvalidInput; DomainError `not-found`. */
@Injectable()
export class GetCardHistory {
  constructor(
    private readonly access: ProjectAccess,
    private readonly cards: Cards,
    private readonly database: Database,
    private readonly people: PersonDirectory,
  ) {}

  async execute(actor: Actor, input: GetCardHistoryInput) {
    const { rows, ...answer } = await this.read(actor, input);
    return { ...answer, events: rows.map(({ event }) => event) };
  }

  /** With what a timeline shows beside it. */
  async forPage(actor: Actor, input: GetCardHistoryInput) {
    const { rows, ...answer } = await this.read(actor, input);
    const events = rows.map(({ event, row }) => ({
      id: row.id,
      ...event,
      fromParent: row.payload.fromParent ?? null,
      toParent: row.payload.toParent ?? null,
    }));
    return { ...answer, events };
  }

  private async read(actor: Actor, input: GetCardHistoryInput) {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const { id, number } = await knownCard(this.cards, projectId, readCardName(input));
    const page = clampPage(input.page ?? undefined, input.perPage ?? undefined, { defaultPerPage: 50 });
    const rows = await this.database.query<Row>(
      `SELECT id, kind, occurred_at AS "occurredAt", actor_kind AS "actorKind", actor_user_id AS "actorUserId", payload
         FROM board.card_history WHERE card_id = $1 ORDER BY occurred_at DESC, id DESC OFFSET $2 LIMIT $3`,
      [id, (page.page - 1) * page.perPage, page.perPage],
    );
    const [count] = await this.database.query<{ total: number }>(
      'SELECT count(*)::int AS total FROM board.card_history WHERE card_id = $1',
      [id],
    );
    const total = count!.total;
    const ids = [...new Set(rows.flatMap((row) => row.actorUserId ?? []))];
    const names = ids.length > 0 ? await this.people.names(ids) : new Map<string, string>();
    return {
      cardId: id,
      number,
      ...page,
      total,
      hasMore: page.page * page.perPage < total,
      rows: rows.map((row) => ({ row, event: eventOf(row, names) })),
    };
  }
}

function eventOf(row: Row, names: ReadonlyMap<string, string>): HistoryEvent {
  const { payload } = row;
  return {
    kind: row.kind,
    occurredAt: row.occurredAt.toISOString(),
    actor: { kind: row.actorKind, name: nameOf(row, names) },
    from: payload.from ?? null,
    to: payload.to ?? null,
    cause: payload.cause ?? null,
    pullRequest: payload.pullRequest ?? null,
    reason: payload.reason ?? null,
    run: payload.run ?? null,
    pause: payload.pause ?? null,
  };
}

/** Null for the app itself and for an account that is gone. */
function nameOf(row: Row, names: ReadonlyMap<string, string>): string | null {
  if (row.actorKind === 'system') return null;
  if (row.actorKind === 'reviewer') return 'A reviewer';
  const name = row.actorUserId === null ? undefined : names.get(row.actorUserId);
  if (name === undefined || name === DELETED_PERSON) return null;
  return row.actorKind === 'agent' ? `Agent for ${name}` : name;
}
