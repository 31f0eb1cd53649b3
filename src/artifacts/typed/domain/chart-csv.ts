import type { ChartData } from './chart-data.js';
import type { Cell } from './payload.js';

/**
 * The table as CSV (RFC 4180) with a byte order mark, which spreadsheets need to read UTF-8. A text that a spreadsheet
 * would take for a formula gets an apostrophe before it.
 */
export function csvOf({ columns, rows }: ChartData): string {
  const lines = [
    columns.map(({ label }) => field(label)).join(','),
    ...rows.map((row) => columns.map(({ key }) => field(row[key] ?? null)).join(',')),
  ];
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function field(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) && !/^[+-]?\d+([.,]\d+)?%?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
