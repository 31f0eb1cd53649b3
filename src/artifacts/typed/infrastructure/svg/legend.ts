import type { Canvas } from './canvas.js';
import { element, group, textAt } from './markup.js';
import { fitted, textWidth } from './measure.js';
import { dashesOf, fillOf, roundOf, strokeOf } from './palette.js';
import { symbolPath } from './symbols.js';

/** How the entries of a legend are told apart, as the marks in the picture are. */
export type LegendMark = 'line' | 'block' | 'symbol';

const GAP = 18;

/** The names of the series in rows above the picture, as many as there is room for. */
export function legend(
  names: readonly string[],
  mark: LegendMark,
  canvas: Canvas,
  hatch: string,
): { readonly markup: string; readonly height: number } {
  const { font, width, legendRows, nameWidth } = canvas;
  const swatch = mark === 'line' ? 24 : 14;
  const rowHeight = Math.round(font * 1.6);
  const placed: string[] = [];
  let x = 0;
  let row = 0;
  for (const [index, name] of names.entries()) {
    const left = names.length - index;
    const label = fitted(name, nameWidth, font);
    const needed = swatch + 6 + textWidth(label, font);
    const last = row === legendRows - 1;
    const rest = last && left > 1 ? textWidth(`+ ${left - 1} more`, font) + GAP : 0;
    if (x > 0 && x + needed + rest > width) {
      if (last) {
        placed.push(textAt(x, rowHeight * row + font, `+ ${left} more`, { class: 'lc-faint', size: font }));
        break;
      }
      row += 1;
      x = 0;
    }
    const middle = rowHeight * row + font * 0.64;
    placed.push(
      swatchOf(mark, index, x, middle, hatch),
      textAt(x + swatch + 6, rowHeight * row + font, label, { class: 'lc-soft', size: font }),
    );
    x += needed + GAP;
  }
  return { markup: group({}, placed), height: rowHeight * (row + 1) + 6 };
}

function swatchOf(mark: LegendMark, series: number, x: number, middle: number, hatch: string): string {
  if (mark === 'symbol') {
    return element('path', {
      class: fillOf(series),
      d: symbolPath(series, 64),
      transform: `translate(${Math.round(x + 7)} ${Math.round(middle)})`,
    });
  }
  if (mark === 'block') {
    const place = { x: x + 1, y: middle - 6, width: 12, height: 12, rx: 3 };
    const over =
      roundOf(series) > 0 ? element('rect', { ...place, fill: `url(#${hatch}${roundOf(series)})` }) : '';
    return element('rect', { ...place, class: fillOf(series) }) + over;
  }
  return (
    element('path', {
      class: `lc-line ${strokeOf(series)}`,
      d: `M${x + 1} ${middle}H${x + 23}`,
      'stroke-dasharray': dashesOf(series),
    }) +
    element('path', {
      class: fillOf(series),
      d: symbolPath(series, 40),
      transform: `translate(${x + 12} ${middle})`,
    })
  );
}

/** Stripes over fills whose colour begins again. */
export function hatchPatterns(id: string): string {
  const stripes = (round: number, size: number, turn: number) =>
    element(
      'pattern',
      {
        id: `${id}${round}`,
        width: String(size),
        height: String(size),
        patternUnits: 'userSpaceOnUse',
        patternTransform: `rotate(${turn})`,
      },
      element('rect', { class: 'lc-plane', width: 2, height: size, 'fill-opacity': '0.75' }),
    );
  return stripes(1, 6, 45) + stripes(2, 5, -45);
}
