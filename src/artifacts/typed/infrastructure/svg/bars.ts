import { shortNumber, withUnit } from '../../domain/number-text.js';
import type { SeriesPayload } from '../../domain/payload.js';
import { type Band, bandsOf } from './bands.js';
import type { Box, Canvas, Drawing } from './canvas.js';
import { heightOf, widthOf } from './canvas.js';
import { categoryLabels, LABELS_MAX } from './category-labels.js';
import { drawFrame, marksWidth, placeIn } from './frame.js';
import { unitOf } from './lines.js';
import { element, group, round, textAt } from './markup.js';
import { fitted, textWidth } from './measure.js';
import { type NumberAxis, numberAxis } from './numbers.js';
import { fillOf, roundOf } from './palette.js';

/** One bar: its series, and from which to which value it goes. */
interface Bar {
  readonly band: number;
  readonly series: number;
  readonly from: number;
  readonly to: number;
}

/** Height that a lying bar needs, with its distance to the next, in letters. */
const ROW = 2.1;
const ROWS_MAX = 120;

/** From so many bars on they are hair lines, and one outline for all of a series is much less to send and to draw. */
const OUTLINED_FROM = 1_000;

/** Bar charts, standing or lying, beside each other or stacked. */
export function drawBars(payload: SeriesPayload, given: Canvas, id: string): Drawing {
  const lying = payload.orientation === 'horizontal';
  const stacked = payload.stacked === true;
  const bands = bandsOf(payload);
  const canvas = lying ? tallEnough(given, bands.length, stacked ? 1 : payload.series.length) : given;
  const bars = stacked ? stackedBars(bands) : plainBars(bands);
  const values = numberAxis({
    values: bars.flatMap(({ from, to }) => [from, to]),
    zero: 'always',
    min: payload.y?.min,
    max: payload.y?.max,
    count: lying ? Math.max(3, canvas.ticks - 1) : canvas.ticks,
    unit: unitOf(payload),
  });
  const across = lying ? sideLabels(bands, canvas) : labelsBelow(bands, canvas, values);
  const layout = { bands: bands.length, groups: stacked ? 1 : payload.series.length, lying };
  return drawFrame({
    payload,
    canvas,
    id,
    mark: 'block',
    axes: {
      values,
      lying,
      otherSize: across.size,
      otherTitle: lying ? null : payload.x?.label || null,
      other: across.draw,
    },
    marks: (box) => {
      const placed = bars.map((bar) => ({ bar, place: rectangle(bar, layout, values, box) }));
      return placed.length > OUTLINED_FROM
        ? outlines(placed, payload.series.length)
        : group(
            {},
            placed.map(({ bar, place }) => drawBar(bar, place, stacked, id)),
          );
    },
    labels: (box) =>
      payload.series.length === 1 ? figures(bars, layout, values, box, canvas, unitOf(payload)) : '',
  });
}

function tallEnough(canvas: Canvas, bands: number, groups: number): Canvas {
  if (canvas.small) return canvas;
  const rows = Math.min(bands, ROWS_MAX);
  const needed = rows * canvas.font * Math.max(ROW, groups * 0.9 + 0.8) + 110;
  return { ...canvas, height: Math.max(Math.min(canvas.height, needed + 60), Math.round(needed)) };
}

function plainBars(bands: readonly Band[]): Bar[] {
  return bands.flatMap(({ values }, band) =>
    values.flatMap((value, series) => (value === null ? [] : [{ band, series, from: 0, to: value }])),
  );
}

/** Values above zero grow upwards and those below downwards, each from the end of the one before. */
function stackedBars(bands: readonly Band[]): Bar[] {
  return bands.flatMap(({ values }, band) => {
    let [up, down] = [0, 0];
    return values.flatMap((value, series) => {
      if (value === null) return [];
      const from = value < 0 ? down : up;
      const to = from + value;
      if (value < 0) down = to;
      else up = to;
      return [{ band, series, from, to }];
    });
  });
}

interface Layout {
  readonly bands: number;
  readonly groups: number;
  readonly lying: boolean;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function rectangle(bar: Bar, layout: Layout, values: NumberAxis, box: Box): Rectangle {
  const { bands, groups, lying } = layout;
  const band = (lying ? heightOf(box) : widthOf(box)) / bands;
  const room = Math.min(band * 0.76, groups * 92);
  const each = room / groups;
  const gap = each > 4 ? 1.5 : 0;
  const start = (lying ? box.top : box.left) + bar.band * band + (band - room) / 2;
  const side = start + (groups === 1 ? 0 : bar.series * each) + gap / 2;
  const thick = Math.max(0.5, each - gap);
  const [from, to] = [bar.from, bar.to].map((value) => placeIn(values.place(value), box, lying)) as [
    number,
    number,
  ];
  const low = Math.min(from, to);
  const long = Math.abs(to - from);
  return lying
    ? { x: low, y: side, width: long, height: thick }
    : { x: side, y: low, width: thick, height: long };
}

function drawBar({ series }: Bar, place: Rectangle, stacked: boolean, id: string): string {
  const corner = stacked ? 0 : Math.min(2.5, place.width / 2, place.height / 2);
  const edge = stacked && Math.min(place.width, place.height) > 3;
  const shape = { ...place, rx: corner };
  const hatch =
    roundOf(series) > 0 ? element('rect', { ...shape, fill: `url(#${id}-hatch${roundOf(series)})` }) : '';
  return element('rect', { ...shape, class: edge ? `${fillOf(series)} lc-edge` : fillOf(series) }) + hatch;
}

function outlines(
  placed: readonly { readonly bar: Bar; readonly place: Rectangle }[],
  series: number,
): string {
  const paths = Array.from({ length: series }, () => '');
  for (const { bar, place } of placed) {
    const { x, y, width, height } = place;
    paths[bar.series] += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
  }
  return group(
    {},
    paths.map((d, index) => (d === '' ? '' : element('path', { class: fillOf(index), d }))),
  );
}

/** The values of a single series at the ends of its bars, where all of them have room. */
function figures(
  bars: readonly Bar[],
  layout: Layout,
  values: NumberAxis,
  box: Box,
  canvas: Canvas,
  unit: string | undefined,
): string {
  const font = canvas.font - 1;
  const texts = bars.map(({ to }) => withUnit(shortNumber(to), unit));
  const widest = Math.max(0, ...texts.map((text) => textWidth(text, font)));
  const band = (layout.lying ? heightOf(box) : widthOf(box)) / layout.bands;
  const fits = layout.lying ? band >= font * 1.1 && !canvas.small : band >= widest + 6;
  if (!fits || bars.length > 24) return '';
  return group(
    {},
    bars.map((bar, index) => {
      const { x, y, width, height } = rectangle(bar, layout, values, box);
      const text = texts[index]!;
      if (!layout.lying) {
        const at = bar.to < 0 ? y + height + font + 1 : y - 5;
        const inside = at > box.top - font * 0.6 && at < box.bottom;
        return inside
          ? textAt(x + width / 2, at, text, { class: 'lc-soft', anchor: 'middle', size: font })
          : '';
      }
      const negative = bar.to < 0;
      const outside = negative ? x - 5 : x + width + 5;
      const room = negative ? outside - box.left : canvas.width - outside;
      const fitsOutside = room >= textWidth(text, font);
      // Where the bar reaches the edge, its figure stands inside.
      const at = fitsOutside ? outside : negative ? x + 6 : x + width - 6;
      return fitsOutside || width > textWidth(text, font) + 12
        ? textAt(at, y + height / 2 + font * 0.35, text, {
            class: fitsOutside ? 'lc-soft' : `lc-i${bar.series}`,
            anchor: negative === fitsOutside ? 'end' : 'start',
            size: font,
          })
        : '';
    }),
  );
}

interface OtherAxis {
  readonly size: number;
  draw(box: Box): string;
}

function labelsBelow(bands: readonly Band[], canvas: Canvas, values: NumberAxis): OtherAxis {
  const labels = categoryLabels(
    bands.map(({ label }) => label),
    marksWidth(canvas, values),
    canvas,
  );
  const centre = (box: Box) => (index: number) =>
    box.left + ((index + 0.5) / Math.max(1, bands.length)) * widthOf(box);
  return { size: labels.height, draw: (box) => labels.draw(box, centre(box)) };
}

/** Names to the left of lying bars; every so many where they would touch. */
function sideLabels(bands: readonly Band[], canvas: Canvas): OtherAxis {
  const { font, width } = canvas;
  const most = Math.min(260, width * (canvas.small ? 0.3 : 0.36));
  const texts = bands.map(({ label }) => fitted(label, most, font));
  const widest = Math.max(0, ...texts.map((text) => textWidth(text, font)));
  return {
    size: Math.ceil(widest) + 12,
    draw: (box) => {
      const band = heightOf(box) / Math.max(1, bands.length);
      const step = Math.max(1, Math.ceil((font * 1.15) / band), Math.ceil(bands.length / LABELS_MAX));
      return group(
        {},
        texts.flatMap((text, index) =>
          index % step === 0
            ? [
                textAt(box.left - 8, box.top + (index + 0.5) * band + font * 0.35, text, {
                  class: 'lc-faint',
                  anchor: 'end',
                  size: font,
                }),
              ]
            : [],
        ),
      );
    },
  };
}
