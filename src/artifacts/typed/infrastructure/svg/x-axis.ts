import type { SeriesPayload } from '../../domain/payload.js';
import { bandsOf, placeOf } from './bands.js';
import type { Box, Canvas } from './canvas.js';
import { widthOf } from './canvas.js';
import { categoryLabels } from './category-labels.js';
import { element, group, round, textAt } from './markup.js';
import { textWidth } from './measure.js';
import { numberAxis, tame } from './numbers.js';
import { timeAxis } from './times.js';

/** The axis along the width of charts whose points stand in a row. */
export interface XAxisDrawing {
  readonly height: number;
  readonly title: string | null;
  /** Position of an x, 0–1. */
  place(x: string | number): number;
  /** True when points have an order of their own; categories keep the one they came in. */
  readonly ordered: boolean;
  draw(box: Box): string;
}

interface Tick {
  readonly share: number;
  readonly label: string;
}

export function xAxis(
  payload: SeriesPayload,
  canvas: Canvas,
  room: number,
  scattered: boolean,
): XAxisDrawing {
  const xs = payload.series.flatMap(({ points }) => points.map(({ x }) => x));
  const numeric = xs.every((x) => typeof x === 'number');
  const kind = payload.x?.type ?? (numeric ? 'number' : 'category');
  const title = payload.x?.label || null;
  if (kind === 'time') return overTime(xs, title, canvas, room);
  if (numeric && (kind === 'number' || scattered)) return overNumbers(xs, title, canvas, room, scattered);
  return overCategories(payload, title, canvas, room);
}

function overTime(xs: readonly (string | number)[], title: string | null, canvas: Canvas, room: number) {
  const count = Math.max(2, Math.min(8, Math.floor(room / (canvas.font * 7.5))));
  const { ticks, showsHours, place } = timeAxis(xs.map(placeOf), count);
  const said = showsHours ? [title, 'UTC'].filter(Boolean).join(', ') : title;
  return measured(
    ticks.map(({ value, label }) => ({ share: place(value), label })),
    (x) => place(placeOf(x)),
    said,
    canvas,
  );
}

function overNumbers(
  xs: readonly (string | number)[],
  title: string | null,
  canvas: Canvas,
  room: number,
  scattered: boolean,
) {
  const values = xs.map((x) => tame(Number(x)));
  const count = Math.max(2, Math.min(8, Math.floor(room / (canvas.font * 6))));
  const rounded = numberAxis({ values, zero: scattered ? 'near' : 'never', count });
  // Lines fill the width from their first to their last point; a cloud of points gets round ends.
  const axis = scattered
    ? rounded
    : numberAxis({
        values,
        zero: 'never',
        count,
        min: values.length > 0 ? values.reduce((a, b) => Math.min(a, b)) : 0,
        max: values.length > 0 ? values.reduce((a, b) => Math.max(a, b)) : 1,
      });
  return measured(
    axis.ticks.map(({ value, label }) => ({ share: axis.place(value), label: yearLike(value, xs) ?? label })),
    (x) => axis.place(Number(x)),
    title,
    canvas,
  );
}

/** Years are written without a separator. */
function yearLike(value: number, xs: readonly (string | number)[]): string | null {
  const years = xs.every((x) => Number.isInteger(x) && (x as number) >= 1000 && (x as number) <= 2200);
  return years && Number.isInteger(value) ? String(value) : null;
}

function measured(
  ticks: readonly Tick[],
  place: XAxisDrawing['place'],
  title: string | null,
  { font }: Canvas,
): XAxisDrawing {
  return {
    height: font * 1.25 + 10,
    title,
    place,
    ordered: true,
    draw: (box) =>
      group(
        {},
        ticks.flatMap(({ share, label }) => {
          const x = box.left + share * widthOf(box);
          const half = textWidth(label, font) / 2;
          const centre = Math.min(Math.max(x, half), box.right + 10 - half);
          return [
            element('path', { class: 'lc-axis', d: `M${round(x)} ${round(box.bottom)}v4` }),
            textAt(centre, box.bottom + 8 + font, label, { class: 'lc-faint', anchor: 'middle', size: font }),
          ];
        }),
      ),
  };
}

function overCategories(
  payload: SeriesPayload,
  title: string | null,
  canvas: Canvas,
  room: number,
): XAxisDrawing {
  const bands = bandsOf(payload);
  const places = new Map(bands.map(({ x }, index) => [x, (index + 0.5) / bands.length]));
  const labels = categoryLabels(
    bands.map(({ label }) => label),
    room,
    canvas,
  );
  return {
    height: labels.height,
    title,
    place: (x) => places.get(x) ?? 0,
    ordered: false,
    draw: (box) => labels.draw(box, (index) => box.left + ((index + 0.5) / bands.length) * widthOf(box)),
  };
}
