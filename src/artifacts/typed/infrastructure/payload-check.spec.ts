import { Ajv2020 } from 'ajv/dist/2020.js';
import { TYPED_ARTIFACT_TYPES, type TypedArtifactType, type TypedPayload } from '../domain/payload.js';
import { brokenRules } from '../domain/payload-rules.js';
import { payloadSchema } from '../domain/payload-schemas.js';
import { AjvPayloadCheck } from './ajv-payload-check.js';

const check = new AjvPayloadCheck();

/** Everything that is wrong, as a refusal says it. */
function wrong(type: TypedArtifactType, payload: unknown): string[] {
  const ofShape = check.problemsOf(type, payload);
  const problems = ofShape.length > 0 ? ofShape : brokenRules({ type, payload } as TypedPayload);
  return problems.map(({ pointer, sentence }) => `${pointer} ${sentence}`);
}

const series = (points: unknown, more: object = {}) => ({ series: [{ name: 'A', points }], ...more });
const numbered = (count: number) => Array.from({ length: count }, (_, x) => ({ x, y: x }));

describe('payloads that fit', () => {
  const fitting: [TypedArtifactType, unknown][] = [
    ['line_chart', series([])],
    ['line_chart', series(numbered(5000))],
    ['line_chart', { series: Array.from({ length: 20 }, () => ({ name: 'n', points: [] })) }],
    [
      'line_chart',
      series([{ x: 'a', y: null }], { x: { label: '' }, y: { unit: 'ms', min: -1, max: 0 }, note: '' }),
    ],
    [
      'line_chart',
      series(
        [
          { x: '2026-02-28', y: 1 },
          { x: '2026-03-01T10:00:00+02:00', y: 2 },
        ],
        { x: { type: 'time' } },
      ),
    ],
    ['area_chart', series([{ x: 1, y: 1 }], { stacked: true })],
    ['bar_chart', series([{ x: 'a', y: 1 }], { stacked: false, orientation: 'horizontal' })],
    ['scatter_chart', series([{ x: 1, y: 2, label: 'p' }])],
    [
      'pie_chart',
      {
        slices: [
          { label: 'a', value: 0 },
          { label: 'b', value: 0.1 },
        ],
        unit: '%',
        donut: true,
      },
    ],
    [
      'table',
      {
        columns: [
          { key: 'a', label: '' },
          { key: 'b/c~', label: 'B', type: 'url', align: 'center' },
        ],
        rows: [{}, { a: null }, { a: 'x'.repeat(2000), 'b/c~': false }, { a: 1.5 }],
      },
    ],
    [
      'stat',
      {
        items: [
          { label: 'A', value: 'x' },
          { label: 'B', value: 1, unit: 'ms', delta: -1, direction: 'flat' },
        ],
      },
    ],
  ];

  it.each(fitting)('%s', (type, payload) => expect(wrong(type, payload)).toEqual([]));
});

describe('payloads that do not fit', () => {
  const misfits: [TypedArtifactType, unknown, string[]][] = [
    ['line_chart', undefined, [' must be an object']],
    ['line_chart', [], [' must be an object']],
    ['line_chart', {}, ['/series is required']],
    ['line_chart', { series: [] }, ['/series must hold 1 to 20 entries']],
    ['line_chart', series([{ x: 'a', y: '4' }]), ['/series/0/points/0/y must be a number or null']],
    ['line_chart', series([{ x: true, y: 4 }]), ['/series/0/points/0/x must be a string or a number']],
    ['line_chart', series([{ x: 'a', y: 1, label: 'l' }]), ['/series/0/points/0/label is not a known key']],
    ['line_chart', series([{ x: 'a' }]), ['/series/0/points/0/y is required']],
    ['line_chart', series([], { stacked: true }), ['/stacked is not a known key']],
    ['line_chart', series([], { colour: 1 }), ['/colour is not a known key']],
    ['line_chart', series([], { x: { type: 'date' } }), ['/x/type must be category, time or number']],
    ['line_chart', series([], { note: 'n'.repeat(501) }), ['/note must have at most 500 characters']],
    ['line_chart', series([], { y: { min: 3, max: 3 } }), ['/y/max must be above /y/min']],
    [
      'line_chart',
      series([{ x: 'a', y: Number.POSITIVE_INFINITY }]),
      ['/series/0/points/0/y must be a number or null'],
    ],
    ['line_chart', { series: [{ name: '', points: [] }] }, ['/series/0/name must not be empty']],
    [
      'line_chart',
      series([
        { x: 'a', y: 1 },
        { x: 2, y: 1 },
        { x: 'b', y: 1 },
        { x: 3, y: 1 },
      ]),
      [
        '/series/0/points/1/x must be a string, as every x before it',
        '/series/0/points/3/x must be a string, as every x before it',
      ],
    ],
    [
      'line_chart',
      series(
        [
          { x: '2026-02-30', y: 1 },
          { x: 'yesterday', y: 1 },
        ],
        { x: { type: 'time' } },
      ),
      [
        '/series/0/points/0/x must be an ISO 8601 time, as x.type says',
        '/series/0/points/1/x must be an ISO 8601 time, as x.type says',
      ],
    ],
    [
      'bar_chart',
      series([{ x: '1', y: 1 }], { x: { type: 'number' } }),
      ['/series/0/points/0/x must be a number, as x.type says'],
    ],
    ['bar_chart', series([], { orientation: 'up' }), ['/orientation must be vertical or horizontal']],
    ['scatter_chart', series([{ x: 1, y: null }]), ['/series/0/points/0/y must be a number']],
    ['scatter_chart', series([{ x: 'a', y: 1 }]), ['/series/0/points/0/x must be a number']],
    ['pie_chart', { slices: [{ label: 'a', value: 0 }] }, ['/slices must hold at least one value above 0']],
    ['pie_chart', { slices: [{ label: 'a', value: -1 }] }, ['/slices/0/value must be 0 or more']],
    [
      'table',
      {
        columns: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
        rows: [{ a: 1 }, { 'b/c~': 1 }],
      },
      ['/columns/1/key is the key of a column before it', '/rows/1/b~1c~0 is not the key of a column'],
    ],
    [
      'table',
      { columns: [{ key: 'a', label: 'A' }], rows: [{ a: {} }] },
      ['/rows/0/a must be a string, a number, true or false or null'],
    ],
    [
      'table',
      { columns: [{ key: 'a', label: 'A' }], rows: [{ a: 'x'.repeat(2001) }] },
      ['/rows/0/a must have at most 2000 characters'],
    ],
    ['stat', { items: [] }, ['/items must hold 1 to 12 entries']],
    ['stat', { items: [{ label: 'a', value: null }] }, ['/items/0/value must be a string or a number']],
  ];

  it.each(misfits)('artifacts 4: %s %j', (type, payload, sentences) =>
    expect(wrong(type, payload)).toEqual(sentences),
  );

  it('artifacts 4: more than 5,000 points in all series', () => {
    const payload = { series: [1, 2].map((n) => ({ name: `s${n}`, points: numbered(2501) })) };
    expect(wrong('line_chart', payload)).toEqual(['/series holds 5002 points; the limit is 5000']);
  });

  it('lists five problems at most', () => {
    expect(wrong('line_chart', series(numbered(9).map(({ x }) => ({ x, y: 'no' }))))).toHaveLength(5);
    expect(
      wrong('line_chart', series(numbered(9).map(({ x }) => ({ x: x % 2 ? x : `${x}`, y: 1 })))),
    ).toHaveLength(4);
  });

  it('keeps a made-up key short and on one line, also the names of prototypes', () => {
    const [problem] = wrong('line_chart', series([], { [`a\n${'b'.repeat(900)}`]: 1 }));
    expect(problem).toMatch(/^\/a\?b{58} is not a known key$/);
    const poisoned = JSON.parse('{"series":[],"__proto__":{"series":1},"constructor":2}');
    expect(wrong('line_chart', poisoned)).toEqual([
      '/__proto__ is not a known key',
      '/constructor is not a known key',
      '/series must hold 1 to 20 entries',
    ]);
    const row = JSON.parse('{"columns":[{"key":"a","label":"A"}],"rows":[{"__proto__":1,"toString":2}]}');
    expect(wrong('table', row)).toEqual([
      '/rows/0/__proto__ is not the key of a column',
      '/rows/0/toString is not the key of a column',
    ]);
  });
});

describe('the schemas', () => {
  it.each(TYPED_ARTIFACT_TYPES)(
    'artifacts 4: %s is JSON Schema 2020-12 that refuses unknown keys everywhere',
    (type) => {
      const schema = payloadSchema(type, `https://loupe.example.com/schemas/typed-artifacts/${type}.json`);
      const ajv = new Ajv2020({ allowUnionTypes: true });
      expect(ajv.validateSchema(schema)).toBe(true);
      const open: string[] = [];
      const walk = (node: unknown, path: string): void => {
        if (node === null || typeof node !== 'object') return;
        const { type: kind, additionalProperties } = node as Record<string, unknown>;
        if (kind === 'object' && additionalProperties === undefined) open.push(path);
        for (const [key, inner] of Object.entries(node)) walk(inner, `${path}/${key}`);
      };
      walk(schema, '');
      expect(open).toEqual([]);
      expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    },
  );
});
