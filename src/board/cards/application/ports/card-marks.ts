import type { Marker } from '../../domain/card-state.js';

export interface Pause {
  readonly pauseId: string;
  readonly kind: string;
  readonly reason: string;
  readonly ruleId: string | null;
  readonly since: Date;
}

/** Stored facts that markers of a card are made from. */
export interface MarkerFacts {
  readonly cardId: string;
  readonly finished: boolean;
  readonly pause: { readonly reason: string; readonly since: Date } | null;
  readonly sessions: readonly { readonly name: string; readonly since: Date }[];
  /** Numbers of the open cards that block this one. */
  readonly blockers: readonly number[];
  readonly documentIds: readonly string[];
  /** `kind code since` of the state that is stored now. */
  readonly stored: { readonly kind: string; readonly code: string; readonly since: Date | null } | null;
}

export interface StoredState {
  readonly cardId: string;
  readonly kind: string;
  readonly shown: Marker;
  readonly others: readonly Marker[];
}

/** Holds, pauses and the stored states of cards. */
export abstract class CardMarks {
  /** False when it is held already. */
  abstract hold(
    card: { readonly id: string; readonly projectId: string },
    by: { readonly userId: string | null; readonly kind: string },
    at: Date,
    note: string | null,
  ): Promise<boolean>;
  /** @returns ids of the cards whose hold ended. */
  abstract endHolds(cardIds: readonly string[]): Promise<string[]>;
  abstract activePause(cardId: string): Promise<Pause | null>;
  abstract endPauses(
    cardIds: readonly string[],
    reason: string,
    by: string | null,
    at: Date,
  ): Promise<{ readonly cardId: string; readonly pause: Pause }[]>;
  abstract markerFacts(cardIds: readonly string[]): Promise<MarkerFacts[]>;
  abstract putStates(projectId: string, states: readonly StoredState[], at: Date): Promise<void>;
  abstract dropStates(cardIds: readonly string[]): Promise<void>;
}
