import { InvalidInput } from '#libs/kernel/errors.js';
import type { Board, Column } from '../domain/board.js';
import type { Given } from '../domain/card-texts.js';
import { unknownColumn } from './card-checks.js';

/** A column by its slug, as tools name it, or by its id, as pages do. @throws InvalidInput; DomainError `column_gone`. */
export function namedColumn(
  board: Board,
  name: { readonly slug?: Given<string>; readonly columnId?: Given<string> },
): Column {
  if (name.columnId != null) return board.columnOf(name.columnId);
  const slug = name.slug ?? '';
  const column = board.columnBySlug(slug);
  if (!column) throw new InvalidInput([{ argument: 'slug', sentence: unknownColumn('column', slug, board) }]);
  return column;
}

/** A column as pages show it. */
export interface ColumnAnswer {
  readonly columnId: string;
  readonly slug: string;
  readonly label: string;
  readonly colour: string;
  readonly terminal: boolean;
  readonly default: boolean;
  readonly backlog: boolean;
  readonly cards: number;
  readonly revision: number;
}

export function columnAnswer(column: Column): ColumnAnswer {
  return {
    columnId: column.id,
    slug: column.slug,
    label: column.label,
    colour: column.colour,
    terminal: column.terminal,
    default: column.backlog,
    backlog: column.backlog,
    cards: column.cards,
    revision: column.revision,
  };
}

/** The columns as they are, for whoever wrote on an older state. */
export function columnList(board: Board) {
  return { columns: board.columns.map(columnAnswer), columnsRevision: board.state.columnsRevision };
}
