/** Who first raised a card. */
export type Reporter = 'human' | 'agent' | 'reviewer';

/** Through what a card came to be; set once. */
export interface CardSource {
  readonly kind: 'person' | 'widget' | 'run' | 'agent' | 'loupe';
  readonly runId: string | null;
  readonly runCardNumber: number | null;
}

/** A piece of work on the board. `rank` orders its column: with gaps while it is open, by completion afterwards. */
export interface Card {
  readonly id: string;
  readonly projectId: string;
  readonly number: number;
  title: string;
  type: string;
  columnId: string;
  rank: number;
  readonly reporter: Reporter;
  readonly source: CardSource;
  parentCardId: string | null;
  laneEnabled: boolean;
  completedAt: Date | null;
  readonly createdAt: Date;
  updatedAt: Date;
  readonly createdBy: string | null;
  revision: number;
  contentVersion: number;
}

/** Room between two neighbours, so that most drops between them need no other row. */
export const RANK_STEP = 1_048_576;

/** Rank of a card after the last one of its column. */
export function rankAfter(last: number | null): number {
  return last === null ? 0 : last + RANK_STEP;
}

/** Rank between two neighbours; null when there is no room and the column has to be spread out first. */
export function rankBetween(before: number | null, after: number | null): number | null {
  if (after === null) return rankAfter(before);
  if (before === null) return after - RANK_STEP;
  const middle = Math.floor((before + after) / 2);
  return middle > before ? middle : null;
}

/** Finished cards stand by completion, the newest first. */
export function rankOfFinished(completedAt: Date): number {
  return -completedAt.getTime();
}
