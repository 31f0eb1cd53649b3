import { standsAtNumbers } from '../../domain/number-text.js';
import type { SeriesPayload } from '../../domain/payload.js';
import type { Box, Canvas, Drawing } from './canvas.js';
import { heightOf, widthOf } from './canvas.js';
import { type LegendMark, legend } from './legend.js';
import { element, group, round, textAt } from './markup.js';
import { fitted, textWidth, wrapped } from './measure.js';
import type { NumberAxis } from './numbers.js';

export interface Axes {
  /** Values run along the height, or along the width for bars that lie. */
  readonly values: NumberAxis;
  readonly lying: boolean;
  /** Height of the labels of the other axis when it stands below; width when it stands left. */
  readonly otherSize: number;
  readonly otherTitle: string | null;
  /** Draws the labels of the other axis. */
  other(box: Box): string;
}

export interface Frame {
  readonly payload: SeriesPayload;
  readonly canvas: Canvas;
  /** Prefix of ids inside the picture. */
  readonly id: string;
  readonly mark: LegendMark;
  readonly axes: Axes;
  /** Draws the marks; what leaves the box is cut off. */
  marks(box: Box): string;
  /** Draws what may reach over the edge of the box: labels. */
  labels?(box: Box): string;
}

/** The space that marks get when axes, legend and note have theirs: used to decide how labels are written. */
export function marksWidth(canvas: Canvas, values: NumberAxis): number {
  return canvas.width - tickWidth(values, canvas) - 18;
}

function tickWidth(values: NumberAxis, { font }: Canvas): number {
  return Math.ceil(Math.max(0, ...values.ticks.map(({ label }) => textWidth(label, font)))) + 10;
}

/** Legend, axes with units and marks, note: everything that charts with axes share. */
export function drawFrame(frame: Frame): Drawing {
  const { payload, canvas, axes, id } = frame;
  const { font, small } = canvas;
  const names = legend(
    payload.series.map(({ name }) => name),
    frame.mark,
    canvas,
    `${id}-hatch`,
  );
  const unit = valueTitle(payload);
  const valueAxis = unit === null ? '' : fitted(unit, canvas.width - 20, font);
  const note = small || !payload.note ? [] : wrapped(payload.note, canvas.width, font, 2);
  const noteHeight = note.length === 0 ? 0 : note.length * font * 1.3 + 8;
  const otherTitle = small ? null : axes.otherTitle;
  const titleHeight = font * 1.4;
  const below = axes.lying
    ? font * 1.25 + 8 + (valueAxis && !small ? titleHeight : 0)
    : axes.otherSize + (otherTitle ? titleHeight : 0);
  const above = names.height + (axes.lying ? 0 : valueAxis ? titleHeight + 4 : 0);
  const box: Box = {
    left: axes.lying ? axes.otherSize : tickWidth(axes.values, canvas),
    right: canvas.width - (axes.lying ? 24 : 10),
    top: above + font * 0.6,
    bottom: canvas.height - below - noteHeight,
  };
  const clip = `${id}-clip`;
  const clipBox = { x: box.left, y: box.top - 1, width: widthOf(box), height: heightOf(box) + 2 };
  const parts = [
    element('defs', {}, element('clipPath', { id: clip }, element('rect', clipBox))),
    names.markup,
    axes.lying ? '' : textAt(0, names.height + font, valueAxis, { class: 'lc-faint', size: font }),
    gridOf(axes, box, canvas),
    axes.other(box),
    group({ 'clip-path': `url(#${clip})` }, [frame.marks(box)]),
    zeroLine(axes, box),
    frame.labels?.(box) ?? '',
    titleBelow(axes.lying ? (small ? null : valueAxis) : otherTitle, box, below, font),
    ...note.map((line, index) =>
      textAt(0, canvas.height - noteHeight + 8 + (index + 0.85) * font * 1.3, line, {
        class: 'lc-faint',
        size: font,
      }),
    ),
  ];
  return { markup: parts.join(''), height: canvas.height };
}

function valueTitle({ series, y }: SeriesPayload): string | null {
  const unit = y?.unit && !standsAtNumbers(y.unit) ? y.unit : null;
  // A single series that is called like its axis need not say so twice.
  if (unit === null && series.length === 1 && series[0]!.name === y?.label) return null;
  if (y?.label) return unit ? `${y.label} (${unit})` : y.label;
  return unit;
}

function titleBelow(text: string | null, box: Box, below: number, font: number): string {
  if (!text) return '';
  const fits = fitted(text, widthOf(box), font);
  return textAt((box.left + box.right) / 2, box.bottom + below - font * 0.25, fits, {
    class: 'lc-faint',
    anchor: 'middle',
    size: font,
  });
}

/** A line and a label for every mark of the axis of values. */
function gridOf({ values, lying }: Axes, box: Box, { font }: Canvas): string {
  return group(
    {},
    values.ticks.flatMap(({ value, label }) => {
      const at = placeIn(values.place(value), box, lying);
      const d = lying
        ? `M${round(at)} ${round(box.top)}V${round(box.bottom)}`
        : `M${round(box.left)} ${round(at)}H${round(box.right)}`;
      const line = element('path', { class: 'lc-grid', d });
      return lying
        ? [
            line,
            textAt(at, box.bottom + 6 + font, label, { class: 'lc-faint', anchor: 'middle', size: font }),
          ]
        : [
            line,
            textAt(box.left - 8, at + font * 0.35, label, { class: 'lc-faint', anchor: 'end', size: font }),
          ];
    }),
  );
}

/** The line from which bars grow, where zero is in the picture; else the edge. */
function zeroLine({ values, lying }: Axes, box: Box): string {
  const [low, high] = values.domain;
  const at = placeIn(values.place(low <= 0 && high >= 0 ? 0 : low), box, lying);
  const d = lying
    ? `M${round(at)} ${round(box.top)}V${round(box.bottom)}`
    : `M${round(box.left)} ${round(at)}H${round(box.right)}`;
  return element('path', { class: 'lc-axis', d });
}

/** Pixels of a share of the axis of values. */
export function placeIn(share: number, box: Box, lying: boolean): number {
  return lying ? box.left + share * widthOf(box) : box.bottom - share * heightOf(box);
}
