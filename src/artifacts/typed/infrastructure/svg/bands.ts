import { isoTime } from '../../domain/iso-time.js';
import { numberText } from '../../domain/number-text.js';
import type { SeriesPayload } from '../../domain/payload.js';
import { timeWriter } from './times.js';

/** What stands at one place of a category axis. */
export interface Band {
  readonly x: string | number;
  readonly label: string;
  /** For each series; null where it has none or a gap. */
  readonly values: readonly (number | null)[];
}

/** Every x once: categories in the order in which they come, times and numbers in theirs. */
export function bandsOf({ series, x }: SeriesPayload): Band[] {
  const bands = new Map<string | number, (number | null)[]>();
  for (const [index, { points }] of series.entries()) {
    for (const point of points) {
      let values = bands.get(point.x);
      if (!values) {
        values = series.map(() => null);
        bands.set(point.x, values);
      }
      // A second value at one place cannot be drawn beside the first; the table shows both.
      values[index] ??= point.y;
    }
  }
  const kind = x?.type;
  const reads = kind === 'time' || (kind === undefined && [...bands.keys()].every(isDay));
  const write = reads ? timeWriter([...bands.keys()].map(placeOf)) : null;
  const all = [...bands].map(([at, values]) => ({
    x: at,
    label: write ? write(placeOf(at)) : labelOf(at),
    values,
  }));
  return kind === 'category' || all.some((band) => typeof band.x === 'string' && kind !== 'time')
    ? all
    : all.sort((a, b) => placeOf(a.x) - placeOf(b.x));
}

/** Days whose payload says nothing of their kind keep their places, and are written as people write them. */
function isDay(x: string | number): boolean {
  return typeof x === 'string' && x.length === '2026-03-01'.length && isoTime(x) !== null;
}

function labelOf(x: string | number): string {
  if (typeof x === 'string') return x;
  return Number.isInteger(x) && x >= 1000 && x < 2200 ? String(x) : numberText(x);
}

export function placeOf(x: string | number): number {
  return typeof x === 'number' ? x : (isoTime(x) ?? 0);
}
