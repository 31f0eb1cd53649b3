import type { ChartData } from '../../domain/chart-data.js';
import { numberText } from '../../domain/number-text.js';
import type { Cell } from '../../domain/payload.js';
import type { Canvas, Drawing } from './canvas.js';
import { element, group, round, textAt } from './markup.js';
import { fitted, textWidth } from './measure.js';

const PADDING = 14;

/** The first rows and columns of a table, for tiles and for files that stand alone; the page shows the whole one. */
export function drawTable(data: ChartData, canvas: Canvas): Drawing {
  const { font, width } = canvas;
  const row = Math.round(font * 2.1);
  const most = Math.max(1, Math.floor((canvas.height - row * 2) / row));
  const rows = data.rows.slice(0, data.rows.length <= most + 1 ? most + 1 : most);
  const cells = data.columns.map(({ key, type }) => rows.map((one) => cellText(one[key] ?? null, type)));
  const wishes = data.columns.map(({ label }, index) =>
    Math.max(textWidth(label, font), ...cells[index]!.map((text) => textWidth(text, font)), font * 2),
  );
  const { widths, shown } = columnsThatFit(wishes, width);
  const left = data.columns.length - shown;
  const hiddenRows = data.rows.length - rows.length;
  const parts: string[] = [element('rect', { class: 'lc-sunken', x: 0, y: 0, width, height: row, rx: 4 })];
  let x = 0;
  for (let index = 0; index < shown; index += 1) {
    const column = data.columns[index]!;
    const room = widths[index]!;
    const place = placeOf(column.align, x, room);
    parts.push(
      textAt(place.x, row * 0.5 + font * 0.35, fitted(column.label, room, font), {
        class: 'lc-soft',
        anchor: place.anchor,
        size: font,
        weight: 600,
      }),
      ...cells[index]!.map((text, line) =>
        textAt(place.x, row * (line + 1.5) + font * 0.35, fitted(text, room, font), {
          class: 'lc-text',
          anchor: place.anchor,
          size: font,
        }),
      ),
    );
    x += room + PADDING * 2;
  }
  const lines = rows.map((_, line) =>
    element('path', { class: 'lc-grid', d: `M0 ${round(row * (line + 2))}H${width}` }),
  );
  const more = [
    hiddenRows > 0 ? `+ ${hiddenRows} more ${hiddenRows === 1 ? 'row' : 'rows'}` : '',
    left > 0 ? `+ ${left} more ${left === 1 ? 'column' : 'columns'}` : '',
    data.rows.length === 0 ? 'No rows' : '',
  ].filter(Boolean);
  const end = row * (rows.length + 1);
  if (more.length > 0) {
    parts.push(textAt(PADDING, end + font * 1.5, more.join(', '), { class: 'lc-faint', size: font }));
  }
  return {
    markup: group({}, [...lines, ...parts]),
    height: canvas.small ? canvas.height : end + (more.length > 0 ? font * 2.2 : 8),
  };
}

/** Columns from the left that have room; those that are cut get what is left over first, then all share it. */
function columnsThatFit(wishes: readonly number[], width: number): { widths: number[]; shown: number } {
  const first = wishes.map((wish) => Math.min(wish, width * 0.42));
  let used = 0;
  let shown = 0;
  for (const wish of first) {
    if (shown > 0 && used + wish + PADDING * 2 > width) break;
    used += wish + PADDING * 2;
    shown += 1;
  }
  let left = Math.max(0, width - used);
  const widths = first.slice(0, shown).map((given, index) => {
    const more = Math.min(left, wishes[index]! - given);
    left -= more;
    return given + more;
  });
  const extra = Math.min(60, left / shown);
  return { shown, widths: widths.map((given) => given + extra) };
}

function placeOf(
  align: 'left' | 'right' | 'center',
  x: number,
  room: number,
): { readonly x: number; readonly anchor: 'start' | 'middle' | 'end' } {
  if (align === 'right') return { x: x + PADDING + room, anchor: 'end' };
  if (align === 'center') return { x: x + PADDING + room / 2, anchor: 'middle' };
  return { x: x + PADDING, anchor: 'start' };
}

function cellText(value: Cell, type: string): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' && type === 'number' ? numberText(value) : String(value);
}
