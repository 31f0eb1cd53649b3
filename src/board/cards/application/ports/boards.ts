import type { Board } from '../../domain/board.js';
import type { HistoryRow } from '../../domain/history.js';

/** Boards with their columns. */
export abstract class Boards {
  /** Locks the row of the board until the transaction ends; every change of a board begins here. */
  abstract lock(projectId: string): Promise<Board | null>;
  abstract read(projectId: string): Promise<Board | null>;
  /** False when somebody else made it first. */
  abstract add(board: Board): Promise<boolean>;
  /** Stores the row of the board, and adds rows to the history of its cards. */
  abstract save(board: Board, history: readonly HistoryRow[]): Promise<void>;
  abstract saveColumns(board: Board): Promise<void>;
  /** @throws when cards are still in it. */
  abstract deleteColumn(columnId: string): Promise<void>;
  abstract purgeProject(projectId: string): Promise<void>;
  abstract forgetPerson(personId: string): Promise<void>;
  /** Drops what was remembered of cards deleted before `before`. */
  abstract dropTombstones(before: Date): Promise<void>;
}
