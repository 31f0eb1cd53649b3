import { isoTime } from './iso-time.js';
import type { Align, Cell, ColumnType, SeriesPayload, TypedPayload } from './payload.js';
import { pieShares } from './pie-shares.js';

/** The payload as a table: the full alternative of a picture. */
export interface ChartData {
  readonly columns: readonly {
    readonly key: string;
    readonly label: string;
    readonly type: ColumnType;
    readonly align: Align;
  }[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly note: string | null;
}

type Column = ChartData['columns'][number];

export function chartData(typed: TypedPayload): ChartData {
  switch (typed.type) {
    case 'table': {
      const { columns, rows, note } = typed.payload;
      return {
        columns: columns.map(({ key, label, type = 'text', align }) => column(key, label, type, align)),
        // An own object for each row: a key may be any text.
        rows: rows.map((row) => Object.fromEntries(columns.map(({ key }) => [key, own(row, key)]))),
        note: note ?? null,
      };
    }
    case 'stat':
      return ofStat(typed.payload);
    case 'pie_chart': {
      const { slices, unit } = typed.payload;
      const { shares } = pieShares(slices);
      return {
        columns: [
          column('label', 'Label', 'text'),
          column('value', named('Value', unit), 'number'),
          column('share', 'Share (%)', 'number'),
        ],
        rows: slices.map(({ label, value }, index) => ({
          label,
          value,
          share: Math.round(shares[index]! * 10) / 10,
        })),
        note: null,
      };
    }
    default:
      return typed.type === 'scatter_chart' ? ofScatter(typed.payload) : ofSeries(typed.payload);
  }
}

function column(key: string, label: string, type: ColumnType, align?: Align): Column {
  return { key, label, type, align: align ?? (type === 'number' ? 'right' : 'left') };
}

function own(row: Readonly<Record<string, Cell>>, key: string): Cell {
  return Object.hasOwn(row, key) ? row[key]! : null;
}

function named(label: string, unit: string | undefined): string {
  return unit ? `${label} (${unit})` : label;
}

function ofStat({ items, note }: Extract<TypedPayload, { readonly type: 'stat' }>['payload']): ChartData {
  const has = (key: 'unit' | 'delta' | 'direction') => items.some((item) => item[key] !== undefined);
  return {
    columns: [
      column('label', 'Figure', 'text'),
      column(
        'value',
        'Value',
        items.every(({ value }) => typeof value === 'number') ? 'number' : 'text',
        'right',
      ),
      ...(has('unit') ? [column('unit', 'Unit', 'text')] : []),
      ...(has('delta') ? [column('delta', 'Change', 'text', 'right')] : []),
      ...(has('direction') ? [column('direction', 'Direction', 'text')] : []),
    ],
    rows: items.map(({ label, value, unit = null, delta = null, direction = null }) => ({
      label,
      value,
      ...(has('unit') ? { unit } : {}),
      ...(has('delta') ? { delta } : {}),
      ...(has('direction') ? { direction } : {}),
    })),
    note: note ?? null,
  };
}

/** A row for each x, a column for each series. Two points of a series at one x take two rows. */
function ofSeries({ series, x, y, note }: SeriesPayload): ChartData {
  const rows: Record<string, Cell>[] = [];
  const rowsAt = new Map<string | number, Record<string, Cell>[]>();
  for (const [index, { points }] of series.entries()) {
    const key = `s${index}`;
    for (const point of points) {
      const at = rowsAt.get(point.x) ?? [];
      let row = at.find((candidate) => !Object.hasOwn(candidate, key));
      if (!row) {
        row = { x: point.x };
        at.push(row);
        rows.push(row);
        rowsAt.set(point.x, at);
      }
      row[key] = point.y;
    }
  }
  const whole = rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      series.flatMap((_, index) => (Object.hasOwn(row, `s${index}`) ? [] : [[`s${index}`, null]])),
    ),
  }));
  const numeric = rows.every((row) => typeof row.x === 'number');
  const type = x?.type === 'time' ? 'date' : numeric && rows.length > 0 ? 'number' : 'text';
  return {
    columns: [
      column('x', x?.label || (type === 'date' ? 'Time' : 'x'), type, 'left'),
      ...series.map(({ name }, index) => column(`s${index}`, named(name, y?.unit), 'number')),
    ],
    rows: inOrder(whole, type),
    note: note ?? null,
  };
}

/** By time or number; categories stay as they came. */
function inOrder(
  rows: readonly Readonly<Record<string, Cell>>[],
  type: ColumnType,
): readonly Readonly<Record<string, Cell>>[] {
  if (type === 'text') return rows;
  const place = (row: Readonly<Record<string, Cell>>) =>
    typeof row.x === 'number' ? row.x : (isoTime(String(row.x)) ?? 0);
  return [...rows].sort((a, b) => place(a) - place(b));
}

function ofScatter({ series, x, y, note }: SeriesPayload): ChartData {
  const labelled = series.some(({ points }) => points.some(({ label }) => label !== undefined));
  return {
    columns: [
      ...(series.length > 1 ? [column('series', 'Series', 'text')] : []),
      ...(labelled ? [column('label', 'Label', 'text')] : []),
      column('x', x?.label || 'x', 'number'),
      column('y', named(y?.label || 'y', y?.unit), 'number'),
    ],
    rows: series.flatMap(({ name, points }) =>
      points.map((point) => ({
        ...(series.length > 1 ? { series: name } : {}),
        ...(labelled ? { label: point.label ?? null } : {}),
        x: point.x,
        y: point.y,
      })),
    ),
    note: note ?? null,
  };
}

/** Whether there is anything to draw; what cannot be drawn is shown as a table. */
export function isDrawable(typed: TypedPayload): boolean {
  if (typed.type === 'table') return false;
  if (typed.type === 'stat' || typed.type === 'pie_chart') return true;
  return typed.payload.series.some(({ points }) => points.some(({ y }) => y !== null));
}
