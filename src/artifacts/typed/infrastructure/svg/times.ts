import { scaleUtc } from 'd3-scale';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export interface TimeAxis {
  readonly ticks: readonly { readonly value: number; readonly label: string }[];
  /** True when marks show hours: then the axis has to say whose. */
  readonly showsHours: boolean;
  place(value: number): number;
}

/** A time axis in UTC over everything from the first to the last time. */
export function timeAxis(times: readonly number[], count: number): TimeAxis {
  const [low, high] = times.reduce(
    ([from, to], time) => [Math.min(from, time), Math.max(to, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ) as [number, number];
  const single = low >= high;
  const scale = scaleUtc().domain(single ? [low - DAY, low + DAY] : [low, high]);
  const ticks = single ? [low] : scale.ticks(count).map(Number);
  const step = ticks.length > 1 ? ticks[1]! - ticks[0]! : single ? DAY : high - low;
  const write = new TickWriter(step);
  return {
    ticks: ticks.map((value) => ({ value, label: write.next(value) })),
    showsHours: step < DAY,
    place: (value) => scale.range([0, 1])(value),
  };
}

/** Writes times as labels of their own, all in the shortest form that says everything of each. */
export function timeWriter(times: readonly number[]): (time: number) => string {
  const dates = times.map((time) => new Date(time));
  if (times.some((time) => time % DAY !== 0)) {
    const seconds = times.some((time) => time % MINUTE !== 0);
    const days = new Set(dates.map((date) => date.toISOString().slice(0, 10))).size > 1;
    return (time) =>
      `${days ? `${parts(time, { day: 'numeric', month: 'short' })} ` : ''}${clock(time, seconds)}`;
  }
  const years = new Set(dates.map((date) => date.getUTCFullYear())).size > 1;
  const year = years ? { year: 'numeric' as const } : {};
  if (dates.some((date) => date.getUTCDate() !== 1)) {
    return (time) => parts(time, { day: 'numeric', month: 'short', ...year });
  }
  if (dates.some((date) => date.getUTCMonth() !== 0)) {
    return (time) => parts(time, { month: 'short', year: 'numeric' });
  }
  return (time) => parts(time, { year: 'numeric' });
}

/** Writes marks in order; what changes slowly, such as the year, stands only where it changes. */
class TickWriter {
  private before: number | null = null;

  constructor(private readonly step: number) {}

  next(time: number): string {
    const label = this.label(time, this.before);
    this.before = time;
    return label;
  }

  private label(time: number, before: number | null): string {
    const changes = (length: number) =>
      before === null ||
      new Date(before).toISOString().slice(0, length) !== new Date(time).toISOString().slice(0, length);
    if (this.step < DAY) {
      const text = clock(time, this.step < MINUTE);
      return changes(10) ? `${parts(time, { day: 'numeric', month: 'short' })} ${text}` : text;
    }
    if (this.step < 28 * DAY) {
      const year = changes(4) ? { year: 'numeric' as const } : {};
      return parts(time, { day: 'numeric', month: 'short', ...year });
    }
    if (this.step < 360 * DAY) {
      return changes(4) ? parts(time, { month: 'short', year: 'numeric' }) : parts(time, { month: 'short' });
    }
    return parts(time, { year: 'numeric' });
  }
}

function clock(time: number, seconds: boolean): string {
  return new Date(time).toISOString().slice(11, seconds ? 19 : 16);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function parts(time: number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
    formats.set(key, format);
  }
  return format.format(time);
}
