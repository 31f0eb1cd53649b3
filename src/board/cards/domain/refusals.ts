import { DomainError, type RefusalDetail } from '#libs/kernel/errors.js';

/** Refused by the state of the board; tools name the argument that is to blame. */
export function refused(
  code: string,
  argument: string,
  message: string,
  detail: Omit<RefusalDetail, 'argument'> = {},
): DomainError {
  return new DomainError('conflict', code, message, { argument, ...detail });
}

export const COLUMN_GONE = 'That column no longer exists on this board. Name another column.';

/** The column was deleted while the page still showed it. */
export function columnGone(argument = 'status'): DomainError {
  return refused('column_gone', argument, COLUMN_GONE);
}
