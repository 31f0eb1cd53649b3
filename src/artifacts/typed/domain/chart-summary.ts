import { isoTime } from './iso-time.js';
import { numberText, withUnit } from './number-text.js';
import type { PiePayload, SeriesPayload, TypedArtifactType, TypedPayload } from './payload.js';
import { pieShares } from './pie-shares.js';

const KIND: Readonly<Record<TypedArtifactType, string>> = {
  line_chart: 'Line chart',
  area_chart: 'Area chart',
  bar_chart: 'Bar chart',
  scatter_chart: 'Scatter chart',
  pie_chart: 'Pie chart',
  table: 'Table',
  stat: 'Figures',
};

const NAMED = 5;

/** One or two sentences for people who do not see the picture: type, series, range. */
export function chartSummary(typed: TypedPayload): string {
  switch (typed.type) {
    case 'table': {
      const { columns, rows } = typed.payload;
      return `Table of ${count(rows.length, 'row')} and ${count(columns.length, 'column')}: ${names(columns.map(({ label }) => label))}.`;
    }
    case 'stat':
      return `Figures: ${typed.payload.items
        .map(({ label, value, unit }) => `${label} ${withUnit(valueText(value), unit)}`)
        .join(', ')}.`;
    case 'pie_chart':
      return ofPie(typed.payload);
    default:
      return ofSeries(typed.type, typed.payload);
  }
}

function ofPie({ slices, unit, donut }: PiePayload): string {
  const { shares, total } = pieShares(slices);
  const largest = shares.reduce((best, share, index) => (share > shares[best]! ? index : best), 0);
  const share = numberText(Math.round(shares[largest]! * 10) / 10);
  return `${donut ? 'Donut' : 'Pie'} chart of ${count(slices.length, 'slice')}, in all ${withUnit(numberText(total), unit)}. The largest is ${slices[largest]!.label} with ${share}%.`;
}

function ofSeries(type: TypedArtifactType, { series, x, y }: SeriesPayload): string {
  const points = series.flatMap((one) => one.points);
  const kind = type === 'bar_chart' && points.length === 0 ? 'Empty bar chart' : KIND[type];
  const of =
    series.length === 1 ? series[0]!.name : `${series.length} series, ${names(series.map((s) => s.name))}`;
  const values = points.flatMap((point) => (point.y === null ? [] : [point.y]));
  const gaps = points.length - values.length;
  const range =
    values.length === 0
      ? 'It holds no value.'
      : `Values from ${withUnit(numberText(least(values)), y?.unit)} to ${withUnit(numberText(greatest(values)), y?.unit)}${gaps > 0 ? `, ${gaps} unknown` : ''}.`;
  return `${kind} of ${of}${extentOf(points, x?.type === 'time')}. ${range}`;
}

function extentOf(points: SeriesPayload['series'][number]['points'], time: boolean): string {
  if (points.length === 0) return '';
  const xs = [...new Set(points.map(({ x }) => x))];
  if (xs.every((x) => typeof x === 'number')) {
    return `, x from ${numberText(least(xs))} to ${numberText(greatest(xs))}`;
  }
  if (time) {
    const ordered = xs.map(String).sort((a, b) => (isoTime(a) ?? 0) - (isoTime(b) ?? 0));
    return `, from ${ordered[0]} to ${ordered.at(-1)}`;
  }
  return xs.length === 1 ? `, ${xs[0]}` : `, ${xs.length} categories from ${xs[0]} to ${xs.at(-1)}`;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}

function valueText(value: string | number): string {
  return typeof value === 'number' ? numberText(value) : value;
}

function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`;
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, NAMED);
  const rest = all.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
