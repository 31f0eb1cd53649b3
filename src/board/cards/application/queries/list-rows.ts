import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/kernel/ids.js';
import { clampPage } from '#libs/kernel/page.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import type { BoardWorkflow } from '../../../workflow/application/ports/workflow-templates.js';
import { titleOrNumber } from './board-cells.js';
import { type Tile, TileReader } from './tile-reader.js';

/** How a list page is narrowed and sorted; what is unknown counts as absent. */
export interface RowFilter {
  readonly q: string | null;
  readonly type: string | null;
  /** Id of an epic, or `none`. */
  readonly epic: string | null;
  /** Kind of the state. */
  readonly state: string | null;
  readonly sort: string | null;
  readonly dir: string | null;
  readonly page: number | null;
}

export interface ListedRows {
  readonly rows: readonly Tile[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

/** Keys that every list may be sorted by; cards in no epic come last both ways. */
const SORTS: Readonly<Record<string, (dir: 'ASC' | 'DESC') => string>> = {
  added: (dir) => `c.created_at ${dir}, c.id ${dir}`,
  type: (dir) => `c.type ${dir}, c.number DESC`,
  epic: (dir) => `e.number ${dir} NULLS LAST, c.number DESC`,
  updated: (dir) => `c.updated_at ${dir}, c.id ${dir}`,
  number: (dir) => `c.number ${dir}`,
  column: (dir) => `k.position ${dir}, c.rank, c.id`,
  completed: () => 'c.rank, c.id',
};

/** One page of cards of some columns, as rows of a list. */
@Injectable()
export class ListRows {
  constructor(
    private readonly database: Database,
    private readonly tiles: TileReader,
  ) {}

  async page(
    projectId: string,
    columns: readonly { readonly id: string; readonly cards: number }[],
    filter: RowFilter,
    workflow: BoardWorkflow,
    options: { readonly perPage: number; readonly sort: string; readonly dir: 'ASC' | 'DESC' },
  ): Promise<ListedRows> {
    const { page, perPage } = clampPage(filter.page ?? undefined, options.perPage);
    const p = new Parameters();
    // One column by equality, so that its rows come in order from an index.
    const only = columns.length === 1 ? columns[0] : undefined;
    const conditions = [
      `c.project_id = ${p.add(projectId)}`,
      only
        ? `c.column_id = ${p.add(only.id)}::uuid`
        : `c.column_id = ANY(${p.add(columns.map(({ id }) => id))}::uuid[])`,
    ];
    const plain = conditions.length;
    const q = filter.q?.trim() ?? '';
    if (q !== '') conditions.push(titleOrNumber('c', q.slice(0, 200), p));
    if (filter.type !== null) conditions.push(`c.type = ${p.add(filter.type)}`);
    if (filter.epic === 'none') conditions.push('c.parent_card_id IS NULL');
    else if (filter.epic !== null && isUuid(filter.epic))
      conditions.push(`c.parent_card_id = ${p.add(filter.epic)}::uuid`);
    if (filter.state !== null)
      conditions.push(
        `EXISTS (SELECT FROM board.card_state s WHERE s.card_id = c.id AND s.kind = ${p.add(filter.state)})`,
      );
    const where = conditions.join(' AND ');
    const total =
      conditions.length === plain
        ? columns.reduce((sum, { cards }) => sum + cards, 0)
        : await this.count(where, p.values);
    const known = filter.sort !== null && Object.hasOwn(SORTS, filter.sort);
    const dir = filter.dir === 'asc' ? 'ASC' : filter.dir === 'desc' ? 'DESC' : known ? 'ASC' : options.dir;
    const order = SORTS[known ? filter.sort! : options.sort]!(dir);
    const rows = await this.database.query<{ id: string }>(
      `SELECT c.id FROM board.card c JOIN board.board_column k ON k.id = c.column_id
         LEFT JOIN board.card e ON e.id = c.parent_card_id
        WHERE ${where} ORDER BY ${order} OFFSET ${p.add((page - 1) * perPage)} LIMIT ${p.add(perPage)}`,
      p.values,
    );
    return {
      rows: await this.tiles.tiles(
        projectId,
        rows.map((row) => row.id),
        workflow,
      ),
      page,
      perPage,
      total,
      hasMore: page * perPage < total,
    };
  }

  private async count(where: string, values: readonly unknown[]): Promise<number> {
    const [row] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM board.card c WHERE ${where}`,
      values,
    );
    return row!.total;
  }
}
