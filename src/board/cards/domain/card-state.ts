/** What a card needs now, in the order in which a state is chosen. */
export const STATE_KINDS = ['stuck', 'needs-you', 'working', 'waiting'] as const;
export type StateKind = (typeof STATE_KINDS)[number];

/** Markers in table order; inside a kind the first one is shown. */
export const MARKERS = {
  paused: {
    kind: 'stuck',
    reason: 'The workflow paused this card: {reason}.',
    clears: 'Retry now, or the end of the cause, ends the pause.',
  },
  'document-in-review': {
    kind: 'needs-you',
    reason: 'The document "{title}" waits for a review.',
    clears: 'A verdict on the document ends this.',
  },
  'session-open': {
    kind: 'working',
    reason: 'The session "{name}" works on this card.',
    clears: 'Closing the session or moving the card ends this.',
  },
  'held-by-blocker': {
    kind: 'waiting',
    reason: 'Card {number} has to be finished first.',
    clears: 'Finishing the card that blocks it ends this.',
  },
} as const satisfies Record<string, { kind: StateKind; reason: string; clears: string }>;

export type MarkerCode = keyof typeof MARKERS;
const CODES = Object.keys(MARKERS) as MarkerCode[];

export interface Marker {
  readonly code: MarkerCode;
  readonly since: Date | null;
  readonly params: Readonly<Record<string, string | number>>;
}

export interface ChosenState {
  readonly shown: Marker;
  readonly others: readonly Marker[];
}

/** The state of an open card from its markers: the first by kind, then by the order of the table. Null without any. */
export function chooseState(markers: readonly Marker[]): ChosenState | null {
  const weight = (marker: Marker) =>
    STATE_KINDS.indexOf(MARKERS[marker.code].kind) * CODES.length + CODES.indexOf(marker.code);
  const [shown, ...others] = [...markers].sort((a, b) => weight(a) - weight(b));
  return shown ? { shown, others } : null;
}

/** Whether a stored code is one that this release knows; a later one may have written others. */
export function isMarker(code: string): code is MarkerCode {
  return Object.hasOwn(MARKERS, code);
}

/** One English sentence: why the card is in this state. */
export function reasonOf(code: MarkerCode, params: Readonly<Record<string, unknown>>): string {
  return MARKERS[code].reason.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
