import type { Box, Canvas } from './canvas.js';
import { group, round, textAt } from './markup.js';
import { fitted, textWidth, wrapped } from './measure.js';

/** Labels that a category axis shows at most; with more, every second or every so many is shown. */
export const LABELS_MAX = 60;

const SLANT = -38;
const SLANTED_LENGTH = 132;

/** How the labels of a category axis are written, and the height that they take below it. */
export interface CategoryLabels {
  readonly height: number;
  draw(box: Box, centre: (index: number) => number): string;
}

/** Level where they fit, in two lines where that helps, else slanted; every so many where even that is too close. */
export function categoryLabels(labels: readonly string[], room: number, canvas: Canvas): CategoryLabels {
  const { font, small } = canvas;
  const each = room / Math.max(1, labels.length);
  const wish = Math.max(0, ...labels.map((label) => textWidth(label, font)));
  const fewest = Math.ceil(labels.length / LABELS_MAX);
  const line = font * 1.25;
  if (fewest <= 1 && wish + 8 <= each) return level(labels, 1, each, 1, font);
  if (fewest <= 1 && !small && fitsInTwo(labels, each - 8, font)) return level(labels, 1, each, 2, font);
  // Short labels, such as months, say enough when every second is left out; names do not.
  const names = wish > font * 3.5;
  if (names && fewest <= 1 && !small && each >= line && labels.length <= 40) return slanted(labels, font);
  const needed = Math.min(wish, small ? 64 : 96) + 10;
  const step = Math.max(fewest, Math.ceil(needed / each), 1);
  return level(labels, step, each * step, 1, font);
}

function fitsInTwo(labels: readonly string[], room: number, font: number): boolean {
  return labels.every((label) =>
    wrapped(label, room, font, 3).every((line, index) => index < 2 && !line.endsWith('…')),
  );
}

function level(
  labels: readonly string[],
  step: number,
  room: number,
  lines: number,
  font: number,
): CategoryLabels {
  return {
    height: Math.round(font * 1.25 * lines) + 8,
    draw: (box, centre) =>
      group(
        {},
        labels.flatMap((label, index) =>
          index % step === 0
            ? wrapped(label, room - 8, font, lines).map((text, line) =>
                textAt(centre(index), box.bottom + 6 + font + line * font * 1.25, text, {
                  class: 'lc-faint',
                  anchor: 'middle',
                  size: font,
                }),
              )
            : [],
        ),
      ),
  };
}

function slanted(labels: readonly string[], font: number): CategoryLabels {
  const longest = Math.max(...labels.map((label) => Math.min(SLANTED_LENGTH, textWidth(label, font))));
  const turn = (-SLANT * Math.PI) / 180;
  return {
    height: Math.round(longest * Math.sin(turn)) + font + 10,
    draw: (box, centre) =>
      group(
        {},
        labels.map((label, index) => {
          const [x, y] = [centre(index) + font * 0.35, box.bottom + font];
          // The tops of slanted letters lean to the left.
          const room = (x - font * Math.sin(turn)) / Math.cos(turn);
          const text = fitted(label, Math.min(SLANTED_LENGTH, room), font);
          return textAt(x, y, text, {
            class: 'lc-faint',
            anchor: 'end',
            size: font,
            transform: `rotate(${SLANT} ${round(x)} ${round(y)})`,
          });
        }),
      ),
  };
}
