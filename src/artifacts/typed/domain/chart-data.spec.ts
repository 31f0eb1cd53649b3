import { csvOf } from './chart-csv.js';
import { chartData, isDrawable } from './chart-data.js';
import { chartSummary } from './chart-summary.js';
import { isoTime } from './iso-time.js';
import { numberText, shortNumber, withUnit } from './number-text.js';
import type { TypedPayload } from './payload.js';

const line = (payload: object): TypedPayload => ({ type: 'line_chart', payload }) as TypedPayload;

describe('the table of a chart', () => {
  it('artifacts 15.54: holds every point of the payload, a row for each x and a column for each series', () => {
    const data = chartData(
      line({
        y: { unit: 'ms' },
        series: [
          {
            name: 'EU',
            points: [
              { x: 'a', y: 1 },
              { x: 'b', y: null },
            ],
          },
          {
            name: 'US',
            points: [
              { x: 'b', y: 4 },
              { x: 'c', y: 5 },
            ],
          },
        ],
      }),
    );
    expect(data.columns.map(({ label, type, align }) => [label, type, align])).toEqual([
      ['x', 'text', 'left'],
      ['EU (ms)', 'number', 'right'],
      ['US (ms)', 'number', 'right'],
    ]);
    expect(data.rows).toEqual([
      { x: 'a', s0: 1, s1: null },
      { x: 'b', s0: null, s1: 4 },
      { x: 'c', s0: null, s1: 5 },
    ]);
  });

  it('loses no second value at one x, and puts times in their order', () => {
    const data = chartData(
      line({
        x: { type: 'time', label: 'Day' },
        series: [
          {
            name: 'A',
            points: [
              { x: '2026-03-02', y: 2 },
              { x: '2026-03-01T23:00-02:00', y: 3 },
              { x: '2026-03-02', y: 9 },
            ],
          },
        ],
      }),
    );
    expect(data.rows.map(({ x, s0 }) => [x, s0])).toEqual([
      ['2026-03-02', 2],
      ['2026-03-02', 9],
      ['2026-03-01T23:00-02:00', 3],
    ]);
    expect(data.columns[0]).toMatchObject({ label: 'Day', type: 'date' });
  });

  it('of a pie has shares, of points their labels, of figures what they have', () => {
    expect(
      chartData({
        type: 'pie_chart',
        payload: {
          slices: [
            { label: 'a', value: 1 },
            { label: 'b', value: 2 },
          ],
        },
      }).rows,
    ).toEqual([
      { label: 'a', value: 1, share: 33.3 },
      { label: 'b', value: 2, share: 66.7 },
    ]);
    const scatter = chartData({
      type: 'scatter_chart',
      payload: {
        series: [
          {
            name: 'A',
            points: [
              { x: 1, y: 2, label: 'p' },
              { x: 3, y: 4 },
            ],
          },
        ],
      },
    });
    expect(scatter.rows).toEqual([
      { label: 'p', x: 1, y: 2 },
      { label: null, x: 3, y: 4 },
    ]);
    const stat = chartData({
      type: 'stat',
      payload: {
        items: [
          { label: 'A', value: 1, unit: 'ms' },
          { label: 'B', value: 'x' },
        ],
      },
    });
    expect(stat.rows).toEqual([
      { label: 'A', value: 1, unit: 'ms' },
      { label: 'B', value: 'x', unit: null },
    ]);
  });

  it('of a table is the table, with null where a row has nothing, whatever its keys are called', () => {
    const payload = JSON.parse(
      '{"columns":[{"key":"__proto__","label":"P"},{"key":"toString","label":"T","type":"number"}],"rows":[{"__proto__":"x"},{"toString":2}],"note":"n"}',
    );
    const { rows, columns, note } = chartData({ type: 'table', payload });
    expect(JSON.stringify(rows)).toBe('[{"__proto__":"x","toString":null},{"__proto__":null,"toString":2}]');
    expect(columns.map(({ align }) => align)).toEqual(['left', 'right']);
    expect(note).toBe('n');
  });

  it('artifacts 11: what holds no value at all cannot be drawn', () => {
    expect(isDrawable(line({ series: [{ name: 'A', points: [{ x: 1, y: null }] }] }))).toBe(false);
    expect(
      isDrawable(
        line({
          series: [
            { name: 'A', points: [] },
            { name: 'B', points: [{ x: 1, y: 0 }] },
          ],
        }),
      ),
    ).toBe(true);
    expect(isDrawable({ type: 'table', payload: { columns: [], rows: [] } })).toBe(false);
  });
});

describe('a table for spreadsheets', () => {
  it('quotes what needs it, and runs nothing that a cell says', () => {
    const payload = {
      columns: [
        { key: 'a', label: 'A, "B"' },
        { key: 'b', label: '=1+1' },
      ],
      rows: [
        { a: 'two\nlines', b: '=HYPERLINK("http://x")' },
        { a: '@cmd', b: -5 },
        { a: '-5', b: '+49 30' },
        { a: true, b: null },
      ],
    };
    expect(csvOf(chartData({ type: 'table', payload }))).toBe(
      '\uFEFF"A, ""B""",\'=1+1\r\n"two\nlines","\'=HYPERLINK(""http://x"")"\r\n\'@cmd,-5\r\n-5,\'+49 30\r\ntrue,\r\n',
    );
  });
});

describe('the summary of a chart', () => {
  it.each<[TypedPayload, string]>([
    [
      line({
        y: { unit: '%' },
        series: [
          {
            name: 'EU',
            points: [
              { x: 1, y: -2.5 },
              { x: 12000, y: 3 },
            ],
          },
        ],
      }),
      'Line chart of EU, x from 1 to 12,000. Values from −2.5% to 3%.',
    ],
    [
      line({
        x: { type: 'time' },
        series: [
          {
            name: 'A',
            points: [
              { x: '2026-02', y: 1 },
              { x: '2026-01', y: 1 },
            ],
          },
        ],
      }),
      'Line chart of A, from 2026-01 to 2026-02. Values from 1 to 1.',
    ],
    [line({ series: [{ name: 'A', points: [] }] }), 'Line chart of A. It holds no value.'],
    [
      line({ series: Array.from({ length: 7 }, (_, n) => ({ name: `s${n}`, points: [{ x: 'a', y: n }] })) }),
      'Line chart of 7 series, s0, s1, s2, s3, s4 and 2 more, a. Values from 0 to 6.',
    ],
    [
      {
        type: 'pie_chart',
        payload: {
          donut: true,
          unit: '$',
          slices: [
            { label: 'a', value: 1 },
            { label: 'b', value: 2.5 },
          ],
        },
      },
      'Donut chart of 2 slices, in all $3.50. The largest is b with 71.4%.',
    ],
    [
      { type: 'table', payload: { columns: [{ key: 'a', label: 'A' }], rows: [{ a: 1 }] } },
      'Table of 1 row and 1 column: A.',
    ],
    [
      {
        type: 'stat',
        payload: {
          items: [
            { label: 'Cost', value: 3, unit: '€' },
            { label: 'State', value: 'good' },
          ],
        },
      },
      'Figures: Cost €3, State good.',
    ],
  ])('%#: says type, series and range', (typed, text) => expect(chartSummary(typed)).toBe(text));
});

describe('times', () => {
  it.each([
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-05', '2026-05-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-05-04T10:20', '2026-05-04T10:20:00.000Z'],
    ['2026-05-04 10:20:30.5', '2026-05-04T10:20:30.500Z'],
    ['2026-05-04T10:20:30.123456789Z', '2026-05-04T10:20:30.123Z'],
    ['2026-05-04T00:20+02:00', '2026-05-03T22:20:00.000Z'],
    ['2026-05-04T00:20-0530', '2026-05-04T05:50:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => expect(new Date(isoTime(text)!).toISOString()).toBe(expected));

  it.each([
    '',
    '26',
    '2026-13',
    '2026-02-30',
    '2026-00-01',
    '2026-1-1',
    '2026-05-04T24:00',
    '2026-05-04T10',
    'now',
    '2026-05-04T10:20+99:00',
  ])('%j is none', (text) => expect(isoTime(text)).toBeNull());
});

describe('numbers for people', () => {
  it.each([
    [0, '0'],
    [-1234.5, '−1,234.5'],
    [0.1 + 0.2, '0.3'],
    [1e-9, '1.00e−9'],
    [-1.5e20, '−1.50e20'],
  ])('%d is %s', (value, text) => expect(numberText(value)).toBe(text));

  it('are short on marks, and carry their unit as a person writes it', () => {
    expect(shortNumber(12_500)).toBe('12.5K');
    expect(shortNumber(9_999)).toBe('9,999');
    expect(withUnit('−5', '€')).toBe('−€5');
    expect(withUnit('5', '%')).toBe('5%');
    expect(withUnit('5', 'ms')).toBe('5 ms');
    expect(withUnit('5', undefined)).toBe('5');
  });
});
