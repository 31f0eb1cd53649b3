import { isoTime } from './iso-time.js';
import { CHART_POINTS } from './limits.js';
import type { PiePayload, SeriesPayload, TablePayload, TypedPayload } from './payload.js';

/** Problems that a refusal lists. */
export const PROBLEMS_SHOWN = 5;

/** One place of a payload that does not fit. */
export interface PayloadProblem {
  /** JSON pointer; empty for the payload itself. */
  readonly pointer: string;
  /** What is wrong with it, to be read after the pointer: `must be a number`. */
  readonly sentence: string;
}

/** A step of a JSON pointer (RFC 6901 3), short enough for a sentence. */
export function pointerStep(key: string | number): string {
  const text = String(key).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '?');
  return `/${[...text].slice(0, 60).join('').replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The rules that a JSON Schema cannot say, for a payload that its schema has let in. The first few problems. */
export function brokenRules(typed: TypedPayload): PayloadProblem[] {
  const problems: PayloadProblem[] = [];
  for (const problem of rulesOf(typed)) {
    problems.push(problem);
    if (problems.length === PROBLEMS_SHOWN) break;
  }
  return problems;
}

function rulesOf(typed: TypedPayload): Iterable<PayloadProblem> {
  switch (typed.type) {
    case 'pie_chart':
      return ofPie(typed.payload);
    case 'table':
      return ofTable(typed.payload);
    case 'stat':
      return [];
    default:
      return ofSeries(typed.payload);
  }
}

function* ofSeries({ series, x, y }: SeriesPayload): Iterable<PayloadProblem> {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  if (points > CHART_POINTS) {
    yield { pointer: '/series', sentence: `holds ${points} points; the limit is ${CHART_POINTS}` };
  }
  if (y?.min !== undefined && y.max !== undefined && y.min >= y.max) {
    yield { pointer: '/y/max', sentence: 'must be above /y/min' };
  }
  const first = series.find((one) => one.points.length > 0)?.points[0];
  const kind = typeof first?.x;
  for (const [seriesIndex, one] of series.entries()) {
    for (const [index, point] of one.points.entries()) {
      const pointer = `/series/${seriesIndex}/points/${index}/x`;
      if (x?.type === 'number' && typeof point.x !== 'number') {
        yield { pointer, sentence: 'must be a number, as x.type says' };
      } else if (x?.type === 'time' && (typeof point.x !== 'string' || isoTime(point.x) === null)) {
        yield { pointer, sentence: 'must be an ISO 8601 time, as x.type says' };
      } else if (typeof point.x !== kind) {
        yield { pointer, sentence: `must be a ${kind}, as every x before it` };
      }
    }
  }
}

function* ofPie({ slices }: PiePayload): Iterable<PayloadProblem> {
  if (!slices.some(({ value }) => value > 0)) {
    yield { pointer: '/slices', sentence: 'must hold at least one value above 0' };
  }
}

function* ofTable({ columns, rows }: TablePayload): Iterable<PayloadProblem> {
  const keys = new Set<string>();
  for (const [index, { key }] of columns.entries()) {
    if (keys.has(key))
      yield { pointer: `/columns/${index}/key`, sentence: 'is the key of a column before it' };
    keys.add(key);
  }
  for (const [index, row] of rows.entries()) {
    for (const key of Object.keys(row)) {
      if (!keys.has(key)) {
        yield { pointer: `/rows/${index}${pointerStep(key)}`, sentence: 'is not the key of a column' };
      }
    }
  }
}
