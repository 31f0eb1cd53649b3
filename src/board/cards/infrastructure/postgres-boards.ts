import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { Boards } from '../application/ports/boards.js';
import { Board, type BoardState, type Column } from '../domain/board.js';
import type { HistoryRow } from '../domain/history.js';

const STATE = `id, project_id AS "projectId", revision, columns_revision AS "columnsRevision",
  next_card_number AS "nextCardNumber", finished_window_days AS "finishedWindowDays", created_at AS "createdAt"`;

const LOCK = `SELECT ${STATE} FROM board.board WHERE project_id = $1 FOR UPDATE`;

const SAVE = `WITH saved AS (
    UPDATE board.board SET revision = $2, columns_revision = $3, next_card_number = $4, finished_window_days = $5
     WHERE project_id = $1)
  INSERT INTO board.card_history (id, card_id, project_id, kind, occurred_at, actor_kind, actor_user_id, run_id, payload)
  SELECT h.id, h.card_id, $1, h.kind, h.occurred_at, h.actor_kind, h.actor_user_id, h.run_id, h.payload
    FROM unnest($6::uuid[], $7::uuid[], $8::text[], $9::timestamptz[], $10::text[], $11::uuid[], $12::uuid[], $13::jsonb[])
         AS h (id, card_id, kind, occurred_at, actor_kind, actor_user_id, run_id, payload)`;

/** Cards of one statement when a whole board goes. */
const BATCH = 500;

@Injectable()
export class PostgresBoards extends Boards {
  constructor(private readonly database: Database) {
    super();
  }

  override async lock(projectId: string): Promise<Board | null> {
    this.database.requireTransaction();
    const [state] = await this.database.hot<BoardState>(LOCK, [projectId]);
    // A second statement, because the first one saw the columns as they were before it waited for the lock.
    return state ? new Board(state, await this.columns(projectId)) : null;
  }

  override async read(projectId: string): Promise<Board | null> {
    const row = await this.database.one<BoardState & { columns: Column[] | null }>(
      `SELECT ${STATE}, (SELECT json_agg(json_build_object('id', c.id, 'label', c.label, 'slug', c.slug,
                'position', c.position, 'backlog', c.backlog, 'terminal', c.terminal, 'colour', c.colour,
                'revision', c.revision, 'cards', c.cards) ORDER BY c.position)
              FROM board.board_column c WHERE c.project_id = b.project_id) AS columns
         FROM board.board b WHERE project_id = $1`,
      [projectId],
    );
    if (!row) return null;
    const { columns, ...state } = row;
    return new Board(state, columns ?? []);
  }

  override async add(board: Board): Promise<boolean> {
    const { state } = board;
    const made = await this.database.query(
      `INSERT INTO board.board (id, project_id, revision, columns_revision, next_card_number, finished_window_days, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (project_id) DO NOTHING RETURNING 1`,
      [
        state.id,
        state.projectId,
        state.revision,
        state.columnsRevision,
        state.nextCardNumber,
        state.finishedWindowDays,
        state.createdAt,
      ],
    );
    if (made.length > 0) await this.saveColumns(board);
    return made.length > 0;
  }

  override async save({ state }: Board, history: readonly HistoryRow[]): Promise<void> {
    await this.database.hot(SAVE, [
      state.projectId,
      state.revision,
      state.columnsRevision,
      state.nextCardNumber,
      state.finishedWindowDays,
      history.map((row) => row.id),
      history.map((row) => row.cardId),
      history.map((row) => row.kind),
      history.map((row) => row.occurredAt),
      history.map((row) => row.actorKind),
      history.map((row) => row.actorUserId),
      history.map((row) => row.runId),
      history.map((row) => JSON.stringify(row.payload)),
    ]);
  }

  override async saveColumns(board: Board): Promise<void> {
    const list = board.columns;
    await this.database.query(
      `INSERT INTO board.board_column (id, project_id, label, slug, position, backlog, terminal, colour, revision)
       SELECT u.id, $1, u.label, u.slug, u.position, u.backlog, u.terminal, u.colour, u.revision
         FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[], $6::bool[], $7::bool[], $8::text[], $9::bigint[])
              AS u (id, label, slug, position, backlog, terminal, colour, revision)
       ON CONFLICT (id) DO UPDATE SET label = excluded.label, slug = excluded.slug, position = excluded.position,
         terminal = excluded.terminal, colour = excluded.colour, revision = excluded.revision`,
      [
        board.projectId,
        list.map((column) => column.id),
        list.map((column) => column.label),
        list.map((column) => column.slug),
        list.map((column) => column.position),
        list.map((column) => column.backlog),
        list.map((column) => column.terminal),
        list.map((column) => column.colour),
        list.map((column) => column.revision),
      ],
    );
  }

  override async deleteColumn(columnId: string): Promise<void> {
    await this.database.query('DELETE FROM board.board_column WHERE id = $1', [columnId]);
  }

  override async purgeProject(projectId: string): Promise<void> {
    await this.database.query('UPDATE board.card SET parent_card_id = NULL WHERE project_id = $1', [
      projectId,
    ]);
    for (let removed = BATCH; removed === BATCH; ) {
      const rows = await this.database.query(
        `DELETE FROM board.card WHERE id IN (SELECT id FROM board.card WHERE project_id = $1 LIMIT ${BATCH}) RETURNING 1`,
        [projectId],
      );
      removed = rows.length;
    }
    for (const table of ['board_column', 'board_tombstone', 'card_session', 'board']) {
      await this.database.query(`DELETE FROM board.${table} WHERE project_id = $1`, [projectId]);
    }
  }

  override async forgetPerson(personId: string): Promise<void> {
    for (const [table, column] of [
      ['card', 'created_by'],
      ['card_history', 'actor_user_id'],
      ['card_hold', 'held_by'],
      ['card_pause', 'ended_by'],
      ['card_session', 'person_id'],
    ]) {
      await this.database.query(`UPDATE board.${table} SET ${column} = NULL WHERE ${column} = $1`, [
        personId,
      ]);
    }
  }

  override async dropTombstones(before: Date): Promise<void> {
    await this.database.query(
      `WITH gone AS (DELETE FROM board.board_tombstone WHERE deleted_at < $1 RETURNING project_id, revision)
       UPDATE board.board b SET forgotten_revision = greatest(b.forgotten_revision, g.last)
         FROM (SELECT project_id, max(revision) AS last FROM gone GROUP BY project_id) g
        WHERE b.project_id = g.project_id`,
      [before],
    );
  }

  private async columns(projectId: string): Promise<Column[]> {
    return this.database.hot<Column>(
      `SELECT id, label, slug, position, backlog, terminal, colour, revision, cards
         FROM board.board_column WHERE project_id = $1 ORDER BY position`,
      [projectId],
    );
  }
}
