/** Limits of typed artifacts (`artifacts.md` 4). Characters are code points. */
export const TITLE_LENGTH = 200;
export const DESCRIPTION_LENGTH = 1_000;
export const TURN_INDEX_MAX = 100_000;
/** Bytes of the payload as compact JSON. */
export const PAYLOAD_BYTES = 262_144;
export const PER_THREAD = 200;
export const PER_PROJECT = 20_000;
/** Points of all series of a chart. */
export const CHART_POINTS = 5_000;
export const SERIES_MAX = 20;
export const SLICES_MAX = 60;
export const COLUMNS_MAX = 50;
export const ROWS_MAX = 2_000;
export const STAT_ITEMS_MAX = 12;
export const STRING_LENGTH = 500;
export const CELL_LENGTH = 2_000;
/** Entries of one answer of `list_artifacts`. */
export const NEWEST_MAX = 100;
