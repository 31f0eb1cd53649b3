import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/kernel/ids.js';
import { UNSEEN } from '#libs/kernel/words.js';
import { Database } from '#libs/persistence/database.js';
import { type CardFacts, Cards, type Neighbours, type Place } from '../application/ports/cards.js';
import { type Card, RANK_STEP } from '../domain/card.js';
import type { CardName } from '../domain/card-texts.js';
import { CARD_FACTS, type CardRow, cardFrom } from './card-rows.js';

const NUMBER_MAX = 2_147_483_647;
/** So many cards behind a full gap get new ranks, and so many times more while there is too little room. */
const SPREAD_AT_ONCE = 32;
const SPREAD_MORE = 16;
const SPREAD_STEP_MIN = 4_096;
const OUT_OF_THE_WAY = '4611686018427387904';

const BY_ID = `SELECT ${CARD_FACTS} FROM board.card c WHERE c.project_id = $1 AND c.id = $2`;
const BY_NUMBER = `SELECT ${CARD_FACTS} FROM board.card c WHERE c.project_id = $1 AND c.number = $2`;

const VECTOR = `setweight(to_tsvector(board.search_configuration(v.language), translate(v.title, '${UNSEEN}', '')), 'A')
  || setweight(to_tsvector(board.search_configuration(v.language), translate(v.body, '${UNSEEN}', '')), 'B')`;

@Injectable()
export class PostgresCards extends Cards {
  constructor(private readonly database: Database) {
    super();
  }

  override async find(projectId: string, name: CardName): Promise<CardFacts | null> {
    const byId = 'cardId' in name;
    if (byId && !isUuid(name.cardId)) return null;
    if (!byId && !(Number.isInteger(name.number) && name.number >= 1 && name.number <= NUMBER_MAX))
      return null;
    const [row] = await this.database.hot<CardRow>(byId ? BY_ID : BY_NUMBER, [
      projectId,
      byId ? name.cardId : name.number,
    ]);
    return row ? cardFrom(row) : null;
  }

  override async findMany(projectId: string, ids: readonly string[]): Promise<CardFacts[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<CardRow>(
      `SELECT ${CARD_FACTS} FROM board.card c WHERE c.project_id = $1 AND c.id = ANY($2::uuid[])`,
      [projectId, ids],
    );
    return rows.map(cardFrom);
  }

  override async body(cardId: string): Promise<string> {
    const row = await this.database.one<{ body: string }>(
      'SELECT body FROM board.card_body WHERE card_id = $1',
      [cardId],
    );
    return row?.body ?? '';
  }

  override async add(card: Card, body: string, language: string): Promise<void> {
    await this.database.hot(
      `INSERT INTO board.card (id, project_id, number, title, type, column_id, rank, reporter, source_kind, source_run_id,
         source_run_card_number, parent_card_id, lane_enabled, completed_at, created_at, updated_at, created_by, revision,
         content_version)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
      [
        card.id,
        card.projectId,
        card.number,
        card.title,
        card.type,
        card.columnId,
        card.rank,
        card.reporter,
        card.source.kind,
        card.source.runId,
        card.source.runCardNumber,
        card.parentCardId,
        card.laneEnabled,
        card.completedAt,
        card.createdAt,
        card.updatedAt,
        card.createdBy,
        card.revision,
        card.contentVersion,
      ],
    );
    await this.database.hot(
      `WITH body AS (INSERT INTO board.card_body (card_id, body) VALUES ($1, $4))
       INSERT INTO board.card_text (card_id, project_id, title, language, created_at, search_vector)
       SELECT v.card_id, v.project_id, v.title, v.language, v.created_at, ${VECTOR}
         FROM (SELECT $1::uuid AS card_id, $2::uuid AS project_id, $3::text AS title, $4::text AS body,
                      $5::text AS language, $6::timestamptz AS created_at) v`,
      [card.id, card.projectId, card.title, body, language, card.createdAt],
    );
  }

  override async save(card: Card): Promise<void> {
    await this.database.hot(
      `UPDATE board.card SET title = $2, type = $3, column_id = $4, rank = $5, parent_card_id = $6, lane_enabled = $7,
         completed_at = $8, updated_at = $9, revision = $10, content_version = $11 WHERE id = $1`,
      [
        card.id,
        card.title,
        card.type,
        card.columnId,
        card.rank,
        card.parentCardId,
        card.laneEnabled,
        card.completedAt,
        card.updatedAt,
        card.revision,
        card.contentVersion,
      ],
    );
  }

  override async saveText(cardId: string, title: string, body: string): Promise<void> {
    await this.database.query(
      `WITH body AS (UPDATE board.card_body SET body = $3 WHERE card_id = $1)
       UPDATE board.card_text t SET title = v.title, search_vector = ${VECTOR}
         FROM (SELECT $2::text AS title, $3::text AS body, language FROM board.card_text WHERE card_id = $1) v
        WHERE t.card_id = $1`,
      [cardId, title, body],
    );
  }

  override async setRevision(cardIds: readonly string[], revision: number): Promise<void> {
    await this.database.query('UPDATE board.card SET revision = $2 WHERE id = ANY($1::uuid[])', [
      cardIds,
      revision,
    ]);
  }

  override async touchMany(cardIds: readonly string[], at: Date, revision: number): Promise<void> {
    await this.database.query(
      'UPDATE board.card SET updated_at = $2, revision = $3 WHERE id = ANY($1::uuid[])',
      [cardIds, at, revision],
    );
  }

  override async remove(card: Card, revision: number, at: Date): Promise<void> {
    await this.database.query('DELETE FROM board.card WHERE id = $1', [card.id]);
    await this.database.query(
      'INSERT INTO board.board_tombstone (card_id, project_id, revision, deleted_at) VALUES ($1, $2, $3, $4)',
      [card.id, card.projectId, revision, at],
    );
  }

  override async lastRank(columnId: string): Promise<number | null> {
    const [row] = await this.database.hot<{ rank: number | null }>(
      'SELECT max(rank) AS rank FROM board.card WHERE column_id = $1 AND completed_at IS NULL',
      [columnId],
    );
    return row?.rank ?? null;
  }

  override async neighbours(columnId: string, movingId: string, place: Place): Promise<Neighbours | null> {
    const others = 'column_id = $1 AND completed_at IS NULL AND id <> $2';
    if ('position' in place) {
      const at = Math.min(Math.max(Math.trunc(place.position), 0), NUMBER_MAX);
      const rows = await this.database.hot<{ rank: number }>(
        `SELECT rank FROM board.card WHERE ${others} ORDER BY rank OFFSET $3 LIMIT 2`,
        [columnId, movingId, Math.max(at - 1, 0)],
      );
      if (at === 0) return { before: null, after: rows[0]?.rank ?? null };
      if (rows.length === 0) return { before: await this.lastOther(columnId, movingId), after: null };
      return { before: rows[0]!.rank, after: rows[1]?.rank ?? null };
    }
    const above = 'beforeCardId' in place;
    const next = await this.database.one<{ rank: number; other: number | null }>(
      `SELECT n.rank, (SELECT ${above ? 'max' : 'min'}(rank) FROM board.card
                        WHERE ${others} AND rank ${above ? '<' : '>'} n.rank) AS other
         FROM board.card n WHERE n.id = $3 AND n.column_id = $1 AND n.completed_at IS NULL AND n.id <> $2`,
      [columnId, movingId, above ? place.beforeCardId : place.afterCardId],
    );
    if (!next) return null;
    return above ? { before: next.other, after: next.rank } : { before: next.rank, after: next.other };
  }

  override async spread(columnId: string, afterRank: number): Promise<string[]> {
    for (let size = SPREAD_AT_ONCE; ; size *= SPREAD_MORE) {
      const rows = await this.database.query<{ id: string; rank: number }>(
        `SELECT id, rank FROM board.card WHERE column_id = $1 AND completed_at IS NULL AND rank > $2
          ORDER BY rank LIMIT $3`,
        [columnId, afterRank, size + 1],
      );
      const edge = rows[size]?.rank ?? null;
      const ids = rows.slice(0, size).map((row) => row.id);
      const step = edge === null ? RANK_STEP : Math.floor((edge - afterRank) / (ids.length + 2));
      if (step < SPREAD_STEP_MIN) continue;
      // First out of the way, so that no row meets another on its way to the new rank.
      await this.database.query(
        `UPDATE board.card SET rank = rank - ${OUT_OF_THE_WAY} WHERE id = ANY($1::uuid[])`,
        [ids],
      );
      await this.database.query(
        `UPDATE board.card c SET rank = $2::bigint + (u.place + 1) * $3::bigint
           FROM unnest($1::uuid[]) WITH ORDINALITY AS u (id, place) WHERE c.id = u.id`,
        [ids, afterRank, step],
      );
      return ids;
    }
  }

  override async idsOfColumn(columnId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM board.card WHERE column_id = $1 ORDER BY rank, id',
      [columnId],
    );
    return rows.map((row) => row.id);
  }

  override async moveAll(
    from: string,
    to: { readonly id: string; readonly terminal: boolean },
    at: Date,
    revision: number,
  ): Promise<void> {
    const parameters = [from, to.id, at, revision];
    if (to.terminal) {
      await this.database.query(
        `UPDATE board.card SET column_id = $2, updated_at = $3, revision = $4, completed_at = coalesce(completed_at, $3),
           rank = -(extract(epoch FROM coalesce(completed_at, $3::timestamptz(3))) * 1000)::bigint WHERE column_id = $1`,
        parameters,
      );
      return;
    }
    await this.database.query(
      `UPDATE board.card c SET column_id = $2, updated_at = $3, revision = $4, completed_at = NULL,
         rank = coalesce((SELECT max(rank) FROM board.card WHERE column_id = $2 AND completed_at IS NULL), -${RANK_STEP})
                + n.place * ${RANK_STEP}
         FROM (SELECT id, row_number() OVER (ORDER BY rank, id) AS place FROM board.card WHERE column_id = $1) n
        WHERE c.id = n.id`,
      parameters,
    );
  }

  override async finishAll(columnId: string, at: Date, revision: number): Promise<void> {
    await this.database.query(
      `UPDATE board.card SET completed_at = $2, rank = -(extract(epoch FROM $2::timestamptz(3)) * 1000)::bigint,
         updated_at = $2, revision = $3 WHERE column_id = $1 AND completed_at IS NULL`,
      [columnId, at, revision],
    );
  }

  override async reopenAll(columnId: string, at: Date, revision: number): Promise<void> {
    await this.database.query(
      `UPDATE board.card c SET completed_at = NULL, rank = n.place * ${RANK_STEP}, updated_at = $2, revision = $3
         FROM (SELECT id, row_number() OVER (ORDER BY completed_at, id) - 1 AS place
                 FROM board.card WHERE column_id = $1) n
        WHERE c.id = n.id`,
      [columnId, at, revision],
    );
  }

  override async openChildren(parentId: string, limit: number): Promise<number[]> {
    const rows = await this.database.query<{ number: number }>(
      'SELECT number FROM board.card WHERE parent_card_id = $1 AND completed_at IS NULL ORDER BY number LIMIT $2',
      [parentId, limit],
    );
    return rows.map((row) => row.number);
  }

  override async childCount(parentId: string): Promise<number> {
    const row = await this.database.one<{ n: number }>(
      'SELECT count(*)::int AS n FROM board.card WHERE parent_card_id = $1',
      [parentId],
    );
    return row?.n ?? 0;
  }

  override async childIds(parentId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT id FROM board.card WHERE parent_card_id = $1',
      [parentId],
    );
    return rows.map((row) => row.id);
  }

  private async lastOther(columnId: string, movingId: string): Promise<number | null> {
    const row = await this.database.one<{ rank: number | null }>(
      `SELECT max(rank) AS rank FROM board.card WHERE column_id = $1 AND completed_at IS NULL AND id <> $2`,
      [columnId, movingId],
    );
    return row?.rank ?? null;
  }
}
