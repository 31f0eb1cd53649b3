import { numberText, withUnit } from '../../domain/number-text.js';
import type { StatItem, StatPayload } from '../../domain/payload.js';
import type { Canvas, Drawing } from './canvas.js';
import { element, group, textAt } from './markup.js';
import { fitted, textWidth, wrapped } from './measure.js';

const GAP = 14;
/** How much wider bold letters are. */
const BOLD = 1.1;
const ARROWS = { up: '▲', down: '▼', flat: '■' } as const;

/** Figures as tiles: label, value with unit, change with its direction. */
export function drawStat({ items, note }: StatPayload, canvas: Canvas): Drawing {
  const { font, width, small } = canvas;
  const columns = Math.min(items.length, columnsFor(items.length, width, small));
  const rows = Math.ceil(items.length / columns);
  const tile = (width - GAP * (columns - 1)) / columns;
  const room = small ? (canvas.height - GAP * (rows - 1)) / rows : Number.POSITIVE_INFINITY;
  const changes = items.some(({ delta, direction }) => delta !== undefined || direction !== undefined);
  const wish = font * (changes ? 7.6 : 5.8);
  const tall = Math.min(wish, room);
  const figure = Math.min(tall * 0.34, tile * 0.2, font * 2.6);
  const parts = items.map((item, index) => {
    const x = (index % columns) * (tile + GAP);
    const y = Math.floor(index / columns) * (tall + GAP);
    return drawItem(item, { x, y, width: tile, height: tall, figure, font: Math.min(font, tall * 0.2) });
  });
  const end = rows * tall + (rows - 1) * GAP;
  const lines = small || !note ? [] : wrapped(note, width, font, 2);
  const notes = lines.map((line, index) =>
    textAt(0, end + font * 1.8 + index * font * 1.3, line, { class: 'lc-faint', size: font }),
  );
  return {
    markup: group({}, [...parts, ...notes]),
    height: small ? canvas.height : end + (lines.length === 0 ? 4 : font * (1.2 + lines.length * 1.3)),
  };
}

function columnsFor(items: number, width: number, small: boolean): number {
  if (width > 700) return items <= 4 ? items : items % 3 === 0 && items < 9 ? 3 : 4;
  if (small) return items <= 2 ? 1 : items <= 6 ? 2 : 3;
  return items === 1 ? 1 : 2;
}

interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly figure: number;
  readonly font: number;
}

function drawItem(item: StatItem, { x, y, width, height, figure, font }: Tile): string {
  const inset = Math.min(16, width * 0.08);
  const room = width - inset * 2;
  const value = typeof item.value === 'number' ? numberText(item.value) : item.value;
  const text = withUnit(value, item.unit);
  const size = Math.max(
    font,
    Math.min(figure, (figure * room) / Math.max(1, textWidth(text, figure) * BOLD)),
  );
  const base = height * 0.16 + font * 1.3 + figure;
  const below = height - Math.max(6, height * 0.12);
  return group({ transform: `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})` }, [
    element('rect', { class: 'lc-sunken', x: 0, y: 0, width, height, rx: 8 }),
    textAt(inset, height * 0.12 + font, fitted(item.label, room, font), { class: 'lc-soft', size: font }),
    textAt(inset, base, fitted(text, room / BOLD, size), {
      class: 'lc-text',
      size,
      weight: 600,
    }),
    below - base > font * 1.1 ? changeOf(item, inset, below, room, font) : '',
  ]);
}

function changeOf(item: StatItem, x: number, y: number, room: number, font: number): string {
  if (item.delta === undefined && item.direction === undefined) return '';
  const arrow = item.direction ? `${ARROWS[item.direction]} ` : '';
  const delta = typeof item.delta === 'number' ? signed(item.delta) : (item.delta ?? item.direction ?? '');
  return textAt(x, y, fitted(`${arrow}${delta}`, room, font), { class: 'lc-soft', size: font });
}

/** A change says which way it goes. */
function signed(value: number): string {
  return value > 0 ? `+${numberText(value)}` : numberText(value);
}
