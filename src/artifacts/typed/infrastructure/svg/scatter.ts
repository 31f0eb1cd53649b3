import type { SeriesPayload } from '../../domain/payload.js';
import type { Box, Canvas, Drawing } from './canvas.js';
import { heightOf, widthOf } from './canvas.js';
import { drawFrame, marksWidth } from './frame.js';
import { unitOf } from './lines.js';
import { element, group, round, textAt } from './markup.js';
import { fitted, textWidth } from './measure.js';
import { numberAxis } from './numbers.js';
import { fillOf } from './palette.js';
import { symbolPath } from './symbols.js';
import { xAxis } from './x-axis.js';

/** Labels of points that a picture tries to place. */
const LABELS_TRIED = 60;

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly series: number;
  readonly label: string | undefined;
}

/** A mark for each point, with a shape for each series; labels where they touch nothing. */
export function drawScatter(payload: SeriesPayload, canvas: Canvas, id: string): Drawing {
  const values = numberAxis({
    values: payload.series.flatMap(({ points }) => points.flatMap(({ y }) => (y === null ? [] : [y]))),
    zero: 'near',
    min: payload.y?.min,
    max: payload.y?.max,
    count: canvas.ticks,
    unit: unitOf(payload),
  });
  const across = xAxis(payload, canvas, marksWidth(canvas, values), true);
  const many = payload.series.reduce((sum, { points }) => sum + points.length, 0);
  const size = many > 800 ? 22 : many > 200 ? 38 : canvas.small ? 46 : 66;
  const spots = (box: Box): Spot[] =>
    payload.series.flatMap(({ points }, series) =>
      points.map(({ x, y, label }) => ({
        x: box.left + across.place(x) * widthOf(box),
        y: box.bottom - values.place(y ?? 0) * heightOf(box),
        series,
        label,
      })),
    );
  return drawFrame({
    payload,
    canvas,
    id,
    mark: 'symbol',
    axes: {
      values,
      lying: false,
      otherSize: across.height,
      otherTitle: across.title,
      other: (box) => across.draw(box),
    },
    marks: (box) =>
      group(
        { 'fill-opacity': many > 200 ? '0.6' : '0.85' },
        spots(box).map(({ x, y, series }) =>
          element('path', {
            class: `${fillOf(series)} lc-edge`,
            'stroke-width': many > 200 ? 0.5 : 1,
            d: symbolPath(series, size),
            transform: `translate(${round(x)} ${round(y)})`,
          }),
        ),
      ),
    labels: (box) => (canvas.small ? '' : labels(spots(box), box, canvas)),
  });
}

interface Taken {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function labels(spots: readonly Spot[], box: Box, canvas: Canvas): string {
  const font = canvas.font - 1;
  const taken: Taken[] = spots
    .slice(0, 1_000)
    .map(({ x, y }) => ({ left: x - 4, right: x + 4, top: y - 4, bottom: y + 4 }));
  return group(
    {},
    spots
      .filter(({ label, y }) => label && y >= box.top - 2 && y <= box.bottom + 2)
      .slice(0, LABELS_TRIED)
      .map((spot) => labelOf(spot, taken, box, font, canvas.width)),
  );
}

function labelOf(spot: Spot, taken: Taken[], box: Box, font: number, width: number): string {
  const text = fitted(spot.label!, 140, font);
  const long = textWidth(text, font);
  const places = [
    { x: spot.x + 8, y: spot.y + font * 0.35, anchor: 'start' as const, left: spot.x + 8 },
    { x: spot.x - 8, y: spot.y + font * 0.35, anchor: 'end' as const, left: spot.x - 8 - long },
    { x: spot.x, y: spot.y - 8, anchor: 'middle' as const, left: spot.x - long / 2 },
    { x: spot.x, y: spot.y + font + 6, anchor: 'middle' as const, left: spot.x - long / 2 },
  ];
  for (const { x, y, anchor, left } of places) {
    const room = { left, right: left + long, top: y - font, bottom: y + 3 };
    const inside =
      room.left >= box.left && room.right <= width && room.bottom <= box.bottom + 2 && room.top >= 0;
    const free = inside && !taken.some((other) => touches(room, other, spot));
    if (free) {
      taken.push(room);
      return textAt(x, y, text, { class: 'lc-soft', anchor, size: font });
    }
  }
  return '';
}

function touches(room: Taken, other: Taken, own: Spot): boolean {
  const isOwn = other.left === own.x - 4 && other.top === own.y - 4;
  return (
    !isOwn &&
    room.left < other.right &&
    room.right > other.left &&
    room.top < other.bottom &&
    room.bottom > other.top
  );
}
