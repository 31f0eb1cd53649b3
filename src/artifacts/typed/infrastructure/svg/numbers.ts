import { scaleLinear } from 'd3-scale';
import { numberText, withUnit } from '../../domain/number-text.js';

/** Differences of larger numbers would no longer be finite. */
const LARGEST = 1e300;

export interface NumberAxis {
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  readonly domain: readonly [number, number];
  /** Position of a value, 0–1. */
  place(value: number): number;
}

export interface NumberAxisOptions {
  readonly values: readonly number[];
  /** Bars and areas begin at zero; lines only where zero is near. */
  readonly zero: 'always' | 'near' | 'never';
  readonly min?: number;
  readonly max?: number;
  readonly count: number;
  /** Written with every number; only units that a person writes so. */
  readonly unit?: string;
}

export function numberAxis({ values, zero, min, max, count, unit }: NumberAxisOptions): NumberAxis {
  const [low, high] = extentOf(values.map(tame), zero);
  const from = min === undefined ? low : tame(min);
  const to = max === undefined ? high : tame(max);
  const wide = from < to ? ([from, to] as const) : widened(from);
  const [niceLow, niceHigh] = scaleLinear().domain(wide).nice(count).domain() as [number, number];
  const domain = [min === undefined ? niceLow : wide[0], max === undefined ? niceHigh : wide[1]] as const;
  const scale = scaleLinear().domain(domain);
  const whole = values.every(Number.isInteger);
  // Between whole numbers there is nothing to mark.
  const ticks = scale.ticks(count).filter((tick) => !whole || Number.isInteger(tick));
  const write = writerOf(ticks);
  return {
    domain,
    ticks: ticks.map((value) => ({ value, label: withUnit(write(value), unit) })),
    place: (value) => scale(tame(value)),
  };
}

export function tame(value: number): number {
  return Math.min(Math.max(value, -LARGEST), LARGEST);
}

function extentOf(values: readonly number[], zero: NumberAxisOptions['zero']): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  if (zero === 'always') return [Math.min(low, 0), Math.max(high, 0)];
  if (zero === 'near') {
    if (low > 0 && low <= high * 0.6) return [0, high];
    if (high < 0 && high >= low * 0.6) return [low, 0];
  }
  return [low, high];
}

function widened(value: number): readonly [number, number] {
  if (value === 0) return [0, 1];
  const room = Math.abs(value) * 0.1;
  return [value - room, value + room];
}

/** Writes the marks of an axis alike: as many decimals as their distance needs, short from ten thousand on. */
function writerOf(ticks: readonly number[]): (value: number) => string {
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : Math.abs(ticks[0] ?? 1);
  const largest = Math.max(...ticks.map(Math.abs), 0);
  if (largest >= 1e15 || (step > 0 && step < 1e-6)) return numberText;
  if (largest >= 10_000) {
    for (const digits of [0, 1, 2, 3]) {
      const format = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: digits });
      const labels = new Set(ticks.map((tick) => format.format(tick)));
      if (labels.size === ticks.length && ticks.every((tick) => near(tick, step, format)))
        return minus(format);
    }
    return numberText;
  }
  const digits = Math.min(8, Math.max(0, -Math.floor(Math.log10(step || 1) + 1e-9)));
  return minus(new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }));
}

/** Whether a short form says the value itself and not one beside it. */
function near(value: number, step: number, format: Intl.NumberFormat): boolean {
  const [, figures = '', power = ''] = /^-?([\d.,]+)([KMBT]?)$/.exec(format.format(value)) ?? [];
  const factor = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[power] ?? Number.NaN;
  const said = Number(figures.replaceAll(',', '')) * factor;
  return Math.abs(said - Math.abs(value)) < step * 0.01;
}

function minus(format: Intl.NumberFormat): (value: number) => string {
  return (value) => format.format(value === 0 ? 0 : value).replace(/^-/, '−');
}
