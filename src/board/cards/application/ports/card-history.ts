import type { HistoryRow } from '../../domain/history.js';

/** History rows; only ever added. */
export abstract class CardHistory {
  abstract add(rows: readonly HistoryRow[]): Promise<void>;
}
