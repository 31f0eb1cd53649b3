import { Injectable } from '@nestjs/common';
import type { Actor } from '#libs/kernel/actor.js';
import { Problems } from '#libs/kernel/errors.js';
import { isUuid } from '#libs/kernel/ids.js';
import { clampPage, type PageRequest } from '#libs/kernel/page.js';
import { ProjectAccess } from '#libs/kernel/ports/project-access.js';
import { quoted } from '#libs/kernel/text.js';
import { Database } from '#libs/persistence/database.js';
import { Parameters } from '#libs/persistence/parameters.js';
import {
  type BoardWorkflow,
  WorkflowTemplates,
} from '../../../workflow/application/ports/workflow-templates.js';
import type { Board, Column } from '../../domain/board.js';
import type { Given } from '../../domain/card-texts.js';
import { BoardMaker } from '../board-maker.js';
import { CardChecks, unknownColumn } from '../card-checks.js';
import { Cards } from '../ports/cards.js';
import { type FittingCard, fullPage, shortRow } from './answers-that-fit.js';
import { CardReader } from './card-reader.js';
import { type ColumnRow, columnRow } from './list-columns.js';
import { type CardSummary, SummaryReader } from './summary-reader.js';

export interface ListCardsInput {
  readonly projectId: string;
  readonly status?: Given<string>;
  readonly type?: Given<string>;
  readonly reporter?: Given<string>;
  readonly parentCardId?: Given<string>;
  readonly paused?: Given<boolean>;
  readonly full?: Given<boolean>;
  readonly page?: Given<number>;
  readonly perPage?: Given<number>;
}

export interface ListedCards {
  readonly cards: readonly (CardSummary | FittingCard)[];
  readonly columns: readonly ColumnRow[];
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly hasMore: boolean;
}

const REPORTERS = ['human', 'agent', 'reviewer'];

/** Cards in the order of the board, with exact counts. @throws InvalidInput that lists what is accepted. */
@Injectable()
export class ListCards {
  constructor(
    private readonly access: ProjectAccess,
    private readonly maker: BoardMaker,
    private readonly templates: WorkflowTemplates,
    private readonly checks: CardChecks,
    private readonly cards: Cards,
    private readonly database: Database,
    private readonly summaries: SummaryReader,
    private readonly reader: CardReader,
  ) {}

  async execute(actor: Actor, input: ListCardsInput): Promise<ListedCards> {
    return this.list(actor, withoutBlanks(input));
  }

  private async list(actor: Actor, input: ListCardsInput): Promise<ListedCards> {
    const { projectId } = input;
    await this.access.require(actor, projectId, 'read');
    const page = clampPage(input.page ?? undefined, input.perPage ?? undefined, { defaultPerPage: 50 });
    const board = await this.maker.read(actor, projectId);
    const workflow = await this.templates.of(projectId);
    const columns = await this.check(input, board, workflow);
    const plain = input.type == null && input.reporter == null && !input.parentCardId && input.paused == null;
    const { ids, total } = plain ? await this.walk(columns, page) : await this.filtered(input, columns, page);
    return {
      cards: input.full
        ? fullPage(await this.reader.cards(projectId, ids, workflow))
        : (await this.summaries.summaries(projectId, ids)).map(shortRow),
      columns: board.columns.map(columnRow),
      ...page,
      total,
      hasMore: page.page * page.perPage < total,
    };
  }

  private async check(
    input: ListCardsInput,
    board: Board,
    workflow: BoardWorkflow,
  ): Promise<readonly Column[]> {
    const problems = new Problems();
    const { projectId, status, type, reporter, parentCardId } = input;
    const column = status == null ? null : board.columnBySlug(status);
    if (status != null && !column) problems.add('status', unknownColumn('status', status, board));
    if (type != null) this.checks.readType(problems, workflow, type);
    if (reporter != null && !REPORTERS.includes(reporter))
      problems.add('reporter', `Unknown value ${quoted(reporter)}. Use human, agent or reviewer.`);
    if (parentCardId) {
      const known =
        isUuid(parentCardId) && (await this.cards.find(projectId, { cardId: parentCardId.toLowerCase() }));
      if (!known) problems.add('parentCardId', 'Card not found or not accessible.');
    }
    problems.throwIfAny();
    return column ? [column] : board.columns;
  }

  /** Without a filter the counts of the columns say where the page lies, so only its own rows are read. */
  private async walk(columns: readonly Column[], { page, perPage }: PageRequest) {
    const total = columns.reduce((sum, column) => sum + column.cards, 0);
    let skip = (page - 1) * perPage;
    let room = perPage;
    const slices: { id: string; offset: number; limit: number }[] = [];
    for (const { id, cards } of columns) {
      const limit = Math.min(room, cards - skip);
      if (limit > 0) {
        slices.push({ id, offset: skip, limit });
        room -= limit;
      }
      skip = Math.max(skip - cards, 0);
    }
    if (slices.length === 0) return { ids: [], total };
    const rows = await this.database.query<{ id: string }>(
      `SELECT c.id FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS s (column_id, skip, room, place)
        CROSS JOIN LATERAL (SELECT id, rank FROM board.card WHERE column_id = s.column_id
                             ORDER BY rank, id OFFSET s.skip LIMIT s.room) c
        ORDER BY s.place, c.rank, c.id`,
      [
        slices.map((slice) => slice.id),
        slices.map((slice) => slice.offset),
        slices.map((slice) => slice.limit),
      ],
    );
    return { ids: rows.map((row) => row.id), total };
  }

  private async filtered(input: ListCardsInput, columns: readonly Column[], { page, perPage }: PageRequest) {
    const p = new Parameters();
    const conditions = [`c.project_id = ${p.add(input.projectId)}`];
    if (input.status != null)
      conditions.push(`c.column_id = ANY(${p.add(columns.map((column) => column.id))}::uuid[])`);
    if (input.type != null) conditions.push(`c.type = ${p.add(input.type)}`);
    if (input.reporter != null) conditions.push(`c.reporter = ${p.add(input.reporter)}`);
    if (input.parentCardId) conditions.push(`c.parent_card_id = ${p.add(input.parentCardId.toLowerCase())}`);
    if (input.paused != null)
      conditions.push(
        `${input.paused ? '' : 'NOT '}EXISTS (SELECT FROM board.card_pause z WHERE z.card_id = c.id AND z.ended_at IS NULL)`,
      );
    const where = conditions.join(' AND ');
    const [count] = await this.database.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM board.card c WHERE ${where}`,
      p.values,
    );
    const offset = (page - 1) * perPage;
    const total = count!.total;
    if (offset >= total) return { ids: [], total };
    const end = p.add(offset + perPage);
    const rows = await this.database.query<{ id: string }>(
      `SELECT f.id FROM board.board_column k CROSS JOIN LATERAL (
           SELECT c.id, c.rank FROM board.card c WHERE c.column_id = k.id AND ${where} ORDER BY c.rank, c.id LIMIT ${end}) f
        WHERE k.project_id = $1 ORDER BY k.position, f.rank, f.id OFFSET ${p.add(offset)} LIMIT ${p.add(perPage)}`,
      p.values,
    );
    return { ids: rows.map((row) => row.id), total };
  }
}

/** A blank filter is none, as in every list. */
function withoutBlanks(input: ListCardsInput): ListCardsInput {
  return {
    ...input,
    status: input.status || null,
    type: input.type || null,
    reporter: input.reporter || null,
    parentCardId: input.parentCardId || null,
  };
}
