import { Injectable } from '@nestjs/common';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';

/** What of a board a page wants to see. */
export interface BoardFilter {
  /** Words in the title, or a number. */
  readonly q: string | null;
  readonly type: string | null;
  /** Kind of the state. */
  readonly state: string | null;
}

export const NO_FILTER: BoardFilter = { q: null, type: null, state: null };

/** A cell is a column, or where lanes are drawn the part of a column in one lane, or in none. */
export interface Cell {
  /** Id of the epic; null for cards in no lane. */
  readonly laneId: string | null;
  readonly columnId: string;
  readonly total: number;
}

/** Which cards of columns belong on the board: ranks above `maxRank` are left out, see `BoardCells`. */
export interface ShownColumn {
  readonly id: string;
  readonly maxRank: number;
}

export interface CellRequest {
  readonly projectId: string;
  readonly columns: readonly ShownColumn[];
  /** Ids of the epics that are drawn as lanes. */
  readonly lanes: readonly string[];
  readonly filter: BoardFilter;
}

/** Highest rank of any card, for columns that show all of theirs. */
export const ANY_RANK = Number.MAX_SAFE_INTEGER;

/** Counts and first cards of the cells of a board, each in one statement. Finished cards rank by minus their time. */
@Injectable()
export class BoardCells {
  constructor(private readonly database: Database) {}

  /** Cells that hold a card. */
  async totals(request: CellRequest): Promise<Cell[]> {
    const { p, from, conditions, lane } = parts(request);
    return this.database.query<Cell>(
      `SELECT ${lane} AS "laneId", c.column_id AS "columnId", count(*)::int AS total
         ${from} WHERE ${conditions.join(' AND ')} GROUP BY 1, 2`,
      p.values,
    );
  }

  /** Ids of the first cards of every cell, in the order of their column. */
  async first(request: CellRequest, perCell: number): Promise<string[]> {
    const { p, from, conditions, lane } = parts(request);
    const rows = await this.database.query<{ id: string }>(
      `SELECT id FROM (
         SELECT c.id, u.place, c.rank, row_number() OVER (PARTITION BY c.column_id, ${lane} ORDER BY c.rank, c.id) AS n
           ${from} WHERE ${conditions.join(' AND ')}) placed
        WHERE n <= ${p.add(perCell)} ORDER BY place, rank, id`,
      p.values,
    );
    return rows.map((row) => row.id);
  }

  /** Ids of the first cards of whole columns: only the rows of the page are read. */
  async firstOfColumns(
    { projectId, columns }: Pick<CellRequest, 'projectId' | 'columns'>,
    perColumn: number,
  ): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT c.id FROM unnest($2::uuid[], $3::bigint[]) WITH ORDINALITY AS u (column_id, max_rank, place)
        CROSS JOIN LATERAL (
          SELECT x.id, x.rank FROM board.card x LEFT JOIN board.card e ON e.id = x.parent_card_id
           WHERE x.column_id = u.column_id AND x.project_id = $1 AND x.rank <= u.max_rank AND e.completed_at IS NULL
           ORDER BY x.rank, x.id LIMIT $4) c
        ORDER BY u.place, c.rank, c.id`,
      [projectId, columns.map((column) => column.id), columns.map((column) => column.maxRank), perColumn],
    );
    return rows.map((row) => row.id);
  }

  /** Cards of one cell after one that the page has already: none twice, none left out, while others move cards. */
  async after(
    request: CellRequest,
    slice: {
      /** Undefined for the whole column. */
      readonly laneId: string | null | undefined;
      readonly afterCardId: string | null;
      /** Where the page saw that card; without it, where the card is now. */
      readonly afterOrder?: number | null;
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<{ readonly ids: string[]; readonly total: number; readonly hasMore: boolean }> {
    const { p, from, conditions, lane } = parts(request);
    if (slice.laneId === null) conditions.push(`${lane} IS NULL`);
    else if (slice.laneId !== undefined) conditions.push(`${lane} = ${p.add(slice.laneId)}::uuid`);
    const where = conditions.join(' AND ');
    const [count] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total ${from} WHERE ${where}`,
      p.values,
    );
    const further = afterLast(slice, p);
    const rows = await this.database.query<{ id: string }>(
      `SELECT c.id ${from} WHERE ${where}${further} ORDER BY u.place, c.rank, c.id
        OFFSET ${p.add(slice.afterCardId === null ? slice.offset : 0)} LIMIT ${p.add(slice.limit + 1)}`,
      p.values,
    );
    const ids = rows.map((row) => row.id);
    return { ids: ids.slice(0, slice.limit), total: count!.total, hasMore: ids.length > slice.limit };
  }
}

function parts({ projectId, columns, lanes, filter }: CellRequest) {
  const p = new Parameters();
  const project = p.add(projectId);
  const ids = p.add(columns.map((column) => column.id));
  const ranks = p.add(columns.map((column) => column.maxRank));
  // A parameter that no statement reads is refused by PostgreSQL, so without lanes there is none.
  const heads = lanes.length > 0 ? `${p.add(lanes)}::uuid[]` : null;
  // Children of a finished epic are not drawn, and neither is an epic that is the head of a lane.
  const conditions = [
    `c.project_id = ${project}`,
    'e.completed_at IS NULL',
    ...(heads === null ? [] : [`NOT c.id = ANY(${heads})`]),
  ];
  if (filter.type !== null) conditions.push(`c.type = ${p.add(filter.type)}`);
  if (filter.state !== null)
    conditions.push(
      `EXISTS (SELECT FROM board.card_state s WHERE s.card_id = c.id AND s.kind = ${p.add(filter.state)})`,
    );
  if (filter.q !== null) conditions.push(titleOrNumber('c', filter.q, p));
  return {
    p,
    from: `FROM unnest(${ids}::uuid[], ${ranks}::bigint[]) WITH ORDINALITY AS u (column_id, max_rank, place)
         JOIN board.card c ON c.column_id = u.column_id AND c.rank <= u.max_rank
         LEFT JOIN board.card e ON e.id = c.parent_card_id`,
    conditions,
    lane:
      heads === null ? 'NULL::uuid' : `CASE WHEN c.parent_card_id = ANY(${heads}) THEN c.parent_card_id END`,
  };
}

/** The card may have moved or gone since the page saw it, so the place that was seen counts before the present one. */
function afterLast(
  slice: { readonly afterCardId: string | null; readonly afterOrder?: number | null },
  p: Parameters,
): string {
  if (slice.afterCardId === null) return '';
  const id = `${p.add(slice.afterCardId)}::uuid`;
  return slice.afterOrder == null
    ? ` AND (c.rank, c.id) > (SELECT a.rank, a.id FROM board.card a WHERE a.id = ${id})`
    : ` AND (c.rank, c.id) > (${p.add(slice.afterOrder)}::bigint, ${id})`;
}

/** Condition on the title of `card`, or on its number when `q` is one. */
export function titleOrNumber(card: string, q: string, p: Parameters): string {
  const fragment = p.add(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
  const number = /^#?(\d{1,9})$/.exec(q)?.[1];
  return number === undefined
    ? `${card}.title ILIKE ${fragment}`
    : `(${card}.title ILIKE ${fragment} OR ${card}.number = ${p.add(Number(number))})`;
}
