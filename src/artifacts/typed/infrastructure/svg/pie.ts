import { arc, pie } from 'd3-shape';
import { numberText, shortNumber, withUnit } from '../../domain/number-text.js';
import type { PiePayload } from '../../domain/payload.js';
import { pieShares } from '../../domain/pie-shares.js';
import type { Canvas, Drawing } from './canvas.js';
import { element, group, round, textAt } from './markup.js';
import { fitted, textWidth } from './measure.js';
import { COLOURS, fillOf } from './palette.js';

interface Slice {
  readonly label: string;
  readonly value: number;
  readonly share: number;
  /** Null shares the one grey: colours that begin again would tell nobody which slice is meant. */
  readonly colour: number | null;
}

/** Smallest share, in per cent, that is written into its slice. */
const WRITTEN_FROM = 5;

/** A pie or a donut, with a list of names, values and shares beside or below it. */
export function drawPie({ slices, unit, donut }: PiePayload, canvas: Canvas): Drawing {
  const all = coloured(slices);
  const beside = canvas.width > canvas.height;
  const room = canvas.small ? canvas.height - 16 : beside ? canvas.height - 40 : canvas.width * 0.66;
  const radius = Math.min(room / 2, beside ? canvas.width * 0.25 : Number.POSITIVE_INFINITY);
  const centre = beside ? { x: radius + 8, y: canvas.height / 2 } : { x: canvas.width / 2, y: radius + 8 };
  const list = beside
    ? { x: radius * 2 + (canvas.small ? 24 : 56), y: 0, height: canvas.height }
    : { x: 0, y: radius * 2 + 28, height: Number.POSITIVE_INFINITY };
  const entries = listOf(all, unit, canvas, list, beside);
  const { total } = pieShares(slices);
  return {
    markup: disc(all, radius, donut === true, centre, total, unit, canvas) + entries.markup,
    height: beside ? canvas.height : list.y + entries.height,
  };
}

/** The eight largest have a colour of their own, in the order they came; the rest share the grey. */
function coloured(slices: PiePayload['slices']): Slice[] {
  const { shares } = pieShares(slices);
  const largest = [...slices.keys()]
    .sort((a, b) => slices[b]!.value - slices[a]!.value || a - b)
    .slice(0, COLOURS)
    .sort((a, b) => a - b);
  const colours = new Map(largest.map((index, colour) => [index, colour]));
  return slices.map(({ label, value }, index) => ({
    label,
    value,
    share: shares[index]!,
    colour: colours.get(index) ?? null,
  }));
}

function disc(
  slices: readonly Slice[],
  radius: number,
  donut: boolean,
  centre: { readonly x: number; readonly y: number },
  total: number,
  unit: string | undefined,
  canvas: Canvas,
): string {
  const inner = donut ? radius * 0.6 : 0;
  const draw = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(inner)
    .outerRadius(radius)
    .digits(1);
  const angles = pie<Slice>()
    .sort(null)
    .value(({ share }) => share)([...slices]);
  const parts = angles.flatMap((angle) => {
    const { data, startAngle, endAngle } = angle;
    if (data.value === 0) return [];
    const alone = data.share > 99.99;
    const path = element('path', {
      class: `${data.colour === null ? 'lc-rest' : fillOf(data.colour)} lc-edge`,
      'stroke-width': alone ? 0 : 1.5,
      d: draw({ startAngle, endAngle }) ?? '',
    });
    const middle = (startAngle + endAngle) / 2 - Math.PI / 2;
    const at = donut ? (inner + radius) / 2 : radius * (alone ? 0 : 0.68);
    const text = `${Math.round(data.share)}%`;
    const wide =
      ((endAngle - startAngle) * at > textWidth(text, canvas.font) + 6 || alone) &&
      data.share >= WRITTEN_FROM;
    return wide && (!donut || radius - inner > textWidth(text, canvas.font) + 4)
      ? [
          path,
          textAt(Math.cos(middle) * at, Math.sin(middle) * at + canvas.font * 0.35, text, {
            class: data.colour === null ? 'lc-irest' : `lc-i${data.colour}`,
            anchor: 'middle',
            size: canvas.font,
            weight: 600,
          }),
        ]
      : [path];
  });
  const size = Math.min(radius * 0.34, 40);
  const sum = withUnit(shortNumber(total), unit);
  const fits = Math.min(size, (size * inner * 1.6) / Math.max(1, textWidth(sum, size)));
  const written = donut
    ? textAt(0, fits * 0.36, fits < 8 ? '' : sum, {
        class: 'lc-text',
        anchor: 'middle',
        size: fits,
        weight: 600,
      })
    : '';
  return group({ transform: `translate(${round(centre.x)} ${round(centre.y)})` }, [...parts, written]);
}

function listOf(
  slices: readonly Slice[],
  unit: string | undefined,
  canvas: Canvas,
  place: { readonly x: number; readonly y: number; readonly height: number },
  centred: boolean,
): { readonly markup: string; readonly height: number } {
  const { font, width, small } = canvas;
  const row = font * (small ? 1.6 : 1.85);
  const most = Number.isFinite(place.height) ? Math.floor((place.height - 12) / row) : 14;
  const shown = slices.length <= most ? slices : slices.slice(0, most - 1);
  const rest = slices.length - shown.length;
  const rows = shown.length + (rest > 0 ? 1 : 0);
  const top = centred ? (canvas.height - rows * row) / 2 : place.y;
  const shares = shown.map(({ share }) => `${numberText(Math.round(share * 10) / 10)}%`);
  const values = shown.map(({ value }) => (small ? '' : withUnit(shortNumber(value), unit)));
  // Values that are the shares already would say everything twice.
  const once = small || values.every((text, index) => text === shares[index]);
  const shareWidth = Math.max(...shares.map((text) => textWidth(text, font)));
  const valueWidth = once ? 0 : Math.max(...values.map((text) => textWidth(text, font)));
  const names = shown.map(({ label }) => textWidth(label, font) + 22);
  const right = Math.min(width, place.x + Math.max(...names) + shareWidth + valueWidth + (once ? 24 : 64));
  const nameRoom = right - place.x - 22 - shareWidth - valueWidth - (once ? 12 : 44);
  const lines = shown.flatMap(({ label, colour }, index) => {
    const y = top + row * index + row / 2;
    const base = y + font * 0.35;
    return [
      element('rect', {
        class: colour === null ? 'lc-rest' : fillOf(colour),
        x: place.x,
        y: y - 6,
        width: 12,
        height: 12,
        rx: 3,
      }),
      textAt(place.x + 22, base, fitted(label, nameRoom, font), { class: 'lc-text', size: font }),
      once
        ? ''
        : textAt(right - shareWidth - 22, base, values[index]!, {
            class: 'lc-soft',
            anchor: 'end',
            size: font,
          }),
      textAt(right, base, shares[index]!, { class: 'lc-soft', anchor: 'end', size: font }),
    ];
  });
  if (rest > 0) {
    const y = top + row * shown.length + row / 2 + font * 0.35;
    lines.push(textAt(place.x + 22, y, `+ ${rest} more`, { class: 'lc-faint', size: font }));
  }
  return { markup: group({}, lines), height: rows * row + 8 };
}
