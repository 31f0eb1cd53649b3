import type { Actor } from '#libs/kernel/actor.js';
import type { Colour } from '#libs/kernel/palette.js';

/** A type of cards as the template of the project declares it. */
export interface CardType {
  readonly key: string;
  readonly label: string;
  readonly colour: Colour;
  /** Cards of this type may have children. */
  readonly children: boolean;
  /** Cards of this type may be drawn as a lane; only together with `children`. */
  readonly lane: boolean;
}

/** A column of a new board, after Backlog. */
export interface NewColumn {
  readonly label: string;
  readonly colour: Colour;
  readonly terminal: boolean;
  /** Slot of the template that the column becomes the place of. */
  readonly slot: string | null;
}

/** What a new board starts with. */
export interface NewBoard {
  /** Null for a board that follows no template. */
  readonly template: { readonly key: string; readonly version: number } | null;
  /** In board order, without Backlog. */
  readonly columns: readonly NewColumn[];
}

/** A column as rules about moves see it. */
export interface ColumnPlace {
  readonly columnId: string;
  readonly backlog: boolean;
  readonly terminal: boolean;
}

/** Who moves a card by hand: anybody, or the running worker of the parent card. */
export type Mover = 'anyone' | 'parent-run';

/** The workflow of one project at one moment. */
export interface BoardWorkflow {
  /** Null when the project follows no template. */
  readonly template: { readonly key: string; readonly version: number } | null;
  /** Bound to a template and switched on. */
  readonly isOn: boolean;
  /** Types that a card may be given, in the order of the template; a board without a template has those of the default one. */
  readonly types: readonly CardType[];
  readonly defaultType: string;
  /** The type with this key; a key that the template dropped reads with the key as label and no capability. */
  typeOf(key: string): CardType;
  /** Whether a card may be given this type. */
  hasType(key: string): boolean;
  /** Slot that the column is the place of, or null. */
  slotOfColumn(columnId: string): string | null;
  /** Column that is the place of the slot; null when the slot is unknown or empty. */
  columnOfSlot(slot: string): string | null;
  hasRule(ruleId: string): boolean;
  /** Whether moves by hand are limited at all: not without a template, while it is off, or when it allows any move. */
  readonly limitsMoves: boolean;
  /**
   * Whether a managed card may be moved by hand from one column to another. True whenever `limitsMoves` is false; a
   * move inside one column is no move between places and always allowed.
   */
  allowsMove(from: ColumnPlace, to: ColumnPlace, mover?: Mover): boolean;
}

/** The workflow templates as the cards use them. */
export abstract class WorkflowTemplates {
  /**
   * Columns of a new board. `templateKey` null takes the default template, an empty string none.
   * @throws InvalidInput for a key that no template has; it names those that exist.
   */
  abstract newBoard(templateKey: string | null): NewBoard;

  /**
   * Binds a new project to the template of `board` at its present version, in the transaction that makes the board. Does
   * nothing for a board without a template.
   * @param columnIds ids of the columns that were made, in the order of `board.columns`.
   */
  abstract bind(
    actor: Actor,
    projectId: string,
    board: NewBoard,
    columnIds: readonly string[],
  ): Promise<void>;

  /** One statement. Inside the transaction of a change it reads what that transaction sees. */
  abstract of(projectId: string): Promise<BoardWorkflow>;

  /**
   * To be called in the transaction that deletes a column: the slot that it was the place of becomes empty.
   * @returns that slot, or null when the column was no place.
   */
  abstract columnDeleted(projectId: string, columnId: string): Promise<string | null>;
}
