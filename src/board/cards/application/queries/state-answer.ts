import { isMarker, MARKERS, reasonOf } from '../../domain/card-state.js';

/** The columns of a stored state `s` that answers are made from. */
export const STATE_COLUMNS = `s.kind AS "stateKind", s.code AS "stateCode", s.since AS "stateSince",
  s.reason_params AS "stateParams"`;

export interface StateColumns {
  readonly stateKind: string | null;
  readonly stateCode: string | null;
  readonly stateSince: Date | null;
  readonly stateParams: Record<string, unknown> | null;
}

export interface StateSummary {
  readonly kind: string;
  readonly code: string;
  readonly since: string | null;
}

/** Null without a state, and for a code that this release does not know. */
export function stateSummary(row: StateColumns): StateSummary | null {
  if (row.stateKind === null || row.stateCode === null || !isMarker(row.stateCode)) return null;
  return { kind: row.stateKind, code: row.stateCode, since: row.stateSince?.toISOString() ?? null };
}

export interface TileState extends StateSummary {
  readonly reason: string;
  readonly clears: string;
}

export function tileState(row: StateColumns): TileState | null {
  const summary = stateSummary(row);
  if (!summary || !isMarker(summary.code)) return null;
  return {
    ...summary,
    reason: reasonOf(summary.code, row.stateParams ?? {}),
    clears: MARKERS[summary.code].clears,
  };
}

interface StoredMarker {
  readonly code: string;
  readonly since: string | null;
  readonly params: Record<string, unknown>;
}

/** What else applies beside the state that is shown. */
export function otherStates(others: readonly StoredMarker[] | null) {
  return (others ?? []).flatMap(({ code, since, params }) =>
    isMarker(code) ? [{ kind: MARKERS[code].kind, code, reason: reasonOf(code, params), since }] : [],
  );
}
