export type RunCloseReason =
  | 'closed'
  | 'card-moved'
  | 'card-finished'
  | 'card-deleted'
  | 'replaced'
  | 'stale';

/** A session of a person's agent that works on a card. */
export interface InteractiveRun {
  readonly runId: string;
  readonly cardId: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly columnId: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

/** Interactive runs of cards (`board.md` 3.11). One is open for a session and card at most; the database sees to it. */
export abstract class InteractiveRuns {
  abstract open(run: InteractiveRun, personId: string | null): Promise<void>;
  /** The open run of the session on the card, else its newest closed one. */
  abstract latest(cardId: string, sessionId: string): Promise<InteractiveRun | null>;
  abstract byId(cardId: string, runId: string): Promise<InteractiveRun | null>;
  /** @returns the runs that were open. */
  abstract closeOfCards(
    cardIds: readonly string[],
    reason: RunCloseReason,
    at: Date,
    exceptRunId?: string,
  ): Promise<InteractiveRun[]>;
  /** False when it was closed already. */
  abstract close(runId: string, reason: RunCloseReason, at: Date): Promise<boolean>;
  /** The session was heard of. */
  abstract seen(sessionId: string, at: Date): Promise<void>;
  /** Open runs whose session was last heard of before `before`, at most 100. */
  abstract staleSince(before: Date): Promise<InteractiveRun[]>;
}
