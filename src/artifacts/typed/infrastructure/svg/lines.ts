import { area, line } from 'd3-shape';
import { standsAtNumbers } from '../../domain/number-text.js';
import type { Point, SeriesPayload } from '../../domain/payload.js';
import { placeOf } from './bands.js';
import type { Box, Canvas, Drawing } from './canvas.js';
import { heightOf, widthOf } from './canvas.js';
import { drawFrame, marksWidth } from './frame.js';
import { element, group } from './markup.js';
import { type NumberAxis, numberAxis } from './numbers.js';
import { dashesOf, fillOf, roundOf, strokeOf } from './palette.js';
import { symbolPath } from './symbols.js';
import { type XAxisDrawing, xAxis } from './x-axis.js';

/** A point of a line; `y` null breaks it. `base` is where the area under it begins. */
interface Placed {
  readonly x: number;
  readonly y: number | null;
  readonly base: number;
}

/** Line charts and area charts, stacked ones too. */
export function drawLines(payload: SeriesPayload, filled: boolean, canvas: Canvas, id: string): Drawing {
  const stacked = filled && payload.stacked === true;
  const rows = stacked ? stackedRows(payload) : payload.series.map(({ points }) => plainRow(points));
  const values = numberAxis({
    values: rows.flatMap((row) =>
      row.flatMap(({ y, base }) => (y === null ? [] : [y, ...(stacked ? [base] : [])])),
    ),
    zero: filled ? 'always' : 'near',
    min: payload.y?.min,
    max: payload.y?.max,
    count: canvas.ticks,
    unit: unitOf(payload),
  });
  const across = xAxis(payload, canvas, marksWidth(canvas, values), false);
  const ordered = across.ordered || stacked ? rows.map((row) => sorted(row, across)) : rows;
  return drawFrame({
    payload,
    canvas,
    id,
    mark: filled ? 'block' : 'line',
    axes: {
      values,
      lying: false,
      otherSize: across.height,
      otherTitle: across.title,
      other: (box) => across.draw(box),
    },
    marks: (box) => {
      const placed = ordered.map((row) => row.map((point) => pixels(point, across, values, box)));
      return filled ? areas(placed, stacked, id) : lines(placed);
    },
    labels: (box) =>
      filled
        ? ''
        : dots(
            ordered.map((row) => row.map((point) => pixels(point, across, values, box))),
            canvas,
            box,
          ),
  });
}

export function unitOf({ y }: SeriesPayload): string | undefined {
  return y?.unit && standsAtNumbers(y.unit) ? y.unit : undefined;
}

interface Row {
  readonly x: string | number;
  readonly y: number | null;
  readonly base: number;
}

function plainRow(points: readonly Point[]): Row[] {
  return points.map(({ x, y }) => ({ x, y, base: 0 }));
}

/** Each series stands on the sum of those before it at the same x; an unknown value adds nothing and breaks its area. */
function stackedRows({ series }: SeriesPayload): Row[][] {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))];
  const sums = new Map<string | number, number>(xs.map((x) => [x, 0]));
  return series.map(({ points }) => {
    const values = new Map(points.map(({ x, y }) => [x, y]));
    return xs.map((x) => {
      const base = sums.get(x)!;
      const value = values.get(x) ?? null;
      if (value === null) return { x, y: null, base };
      sums.set(x, base + value);
      return { x, y: base + value, base };
    });
  });
}

function sorted(row: readonly Row[], across: XAxisDrawing): Row[] {
  return across.ordered
    ? [...row].sort((a, b) => placeOf(a.x) - placeOf(b.x))
    : [...row].sort((a, b) => across.place(a.x) - across.place(b.x));
}

function pixels(row: Row, across: XAxisDrawing, values: NumberAxis, box: Box): Placed {
  const [low, high] = values.domain;
  const height = (value: number) => box.bottom - values.place(value) * heightOf(box);
  return {
    x: box.left + across.place(row.x) * widthOf(box),
    y: row.y === null ? null : height(row.y),
    base: height(Math.min(Math.max(row.base, low), high)),
  };
}

const drawLine = line<Placed>()
  .defined(({ y }) => y !== null)
  .x(({ x }) => x)
  .y(({ y }) => y!)
  .digits(1);

const drawArea = area<Placed>()
  .defined(({ y }) => y !== null)
  .x(({ x }) => x)
  .y0(({ base }) => base)
  .y1(({ y }) => y!)
  .digits(1);

function lines(rows: readonly (readonly Placed[])[]): string {
  // The first series lies on top: it is the one that a reader looks for.
  return rows
    .map((row, series) =>
      element('path', {
        class: `lc-line ${strokeOf(series)}`,
        d: drawLine(row) ?? '',
        'stroke-dasharray': dashesOf(series),
      }),
    )
    .reverse()
    .join('');
}

function areas(rows: readonly (readonly Placed[])[], stacked: boolean, id: string): string {
  const parts = rows.map((row, series) => {
    const d = drawArea(row) ?? '';
    if (!stacked) {
      return (
        element('path', { class: `lc-wash ${fillOf(series)}`, d }) +
        element('path', {
          class: `lc-line ${strokeOf(series)}`,
          d: drawLine(row) ?? '',
          'stroke-dasharray': dashesOf(series),
        })
      );
    }
    const hatch =
      roundOf(series) > 0 ? element('path', { d, fill: `url(#${id}-hatch${roundOf(series)})` }) : '';
    return element('path', { class: `${fillOf(series)} lc-edge`, d, 'stroke-width': 1 }) + hatch;
  });
  return (stacked ? parts : parts.reverse()).join('');
}

/** Marks on few points, and on points that stand alone between gaps, where a line would not show them. */
function dots(rows: readonly (readonly Placed[])[], canvas: Canvas, box: Box): string {
  const most = Math.max(...rows.map((row) => row.length));
  const all = most <= (canvas.small ? 8 : 30);
  return group(
    {},
    rows.flatMap((row, series) =>
      row.flatMap(({ x, y }, index) => {
        if (y === null || y < box.top - 2 || y > box.bottom + 2) return [];
        const alone = (row[index - 1]?.y ?? null) === null && (row[index + 1]?.y ?? null) === null;
        return all || alone
          ? [
              element('path', {
                class: `${fillOf(series)} lc-edge`,
                'stroke-width': 1.5,
                d: symbolPath(series, canvas.small ? 44 : 60),
                transform: `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})`,
              }),
            ]
          : [];
      }),
    ),
  );
}
