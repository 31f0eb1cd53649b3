import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { applicationRoot } from '#libs/configuration/application-root.js';
import type { ChartToDraw } from '../../application/ports/chart-renderer.js';
import type { SeriesPayload, TypedPayload } from '../../domain/payload.js';
import { SvgChartRenderer } from './svg-chart-renderer.js';

const renderer = new SvgChartRenderer();

function draw(chart: TypedPayload, more: Partial<ChartToDraw> = {}): string {
  return renderer.svg({
    id: 42,
    chart,
    title: 'Title',
    description: 'What it shows',
    theme: 'light',
    size: 'page',
    titled: false,
    ...more,
  });
}

function chart(type: 'line_chart' | 'area_chart' | 'bar_chart' | 'scatter_chart', payload: SeriesPayload) {
  return { type, payload } as TypedPayload;
}

const one = (points: SeriesPayload['series'][number]['points'], more: object = {}): SeriesPayload => ({
  series: [{ name: 'EU', points }],
  ...more,
});

/** The visible texts of a picture, in the order in which they are drawn. */
function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) =>
    text!
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&'),
  );
}

/** Elements of a picture with their attributes. @throws Error when it is not well-formed. */
function elements(svg: string): { name: string; attributes: Map<string, string> }[] {
  const found: { name: string; attributes: Map<string, string> }[] = [];
  const open: string[] = [];
  const token =
    /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"<&]*(?:&(?:amp|lt|gt|quot|#39);[^"<&]*)*")*)\s*(\/?)>|([^<]+)/gy;
  while (token.lastIndex < svg.length) {
    const at = token.lastIndex;
    const match = token.exec(svg);
    if (!match) throw new Error(`Not well-formed: ${svg.slice(at, at + 80)}`);
    const [, closing, name, attributes, empty, text] = match;
    if (text !== undefined) {
      if (
        /&(?!(?:amp|lt|gt|quot|#39);)/.test(text) ||
        /(?![\t\n])\p{Cc}|[\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u.test(text)
      ) {
        throw new Error(`Unescaped text: ${text}`);
      }
    } else if (closing) {
      if (open.pop() !== name) throw new Error(`${name} closes nothing.`);
    } else {
      found.push({
        name: name!,
        attributes: new Map(
          [...attributes!.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
        ),
      });
      if (!empty) open.push(name!);
    }
  }
  if (open.length > 0) throw new Error(`Left open: ${open.join(', ')}`);
  return found;
}

const ELEMENTS = [
  'svg',
  'title',
  'desc',
  'style',
  'defs',
  'pattern',
  'clipPath',
  'rect',
  'path',
  'g',
  'text',
];

describe('every picture', () => {
  it('artifacts 11: is an image with a title and a description', () => {
    const svg = draw(chart('line_chart', one([{ x: 1, y: 1 }])));
    expect(svg).toContain('role="img" aria-labelledby="loupe-chart-42-title loupe-chart-42-desc"');
    expect(svg).toContain('<title id="loupe-chart-42-title">Title</title>');
    expect(svg).toContain('<desc id="loupe-chart-42-desc">What it shows</desc>');
    const untitled = draw(chart('line_chart', one([{ x: 1, y: 1 }])), { title: null });
    expect(untitled).toContain('>Line chart</title>');
  });

  it('artifacts 11: has a palette for light and for dark, and follows the reader when it is told no theme', () => {
    const payload = chart('line_chart', one([{ x: 1, y: 1 }]));
    const [light, dark, auto] = (['light', 'dark', 'auto'] as const).map((theme) => draw(payload, { theme }));
    expect(light).not.toContain('prefers-color-scheme');
    expect(light).toContain('.lc-k0{stroke:#034656}');
    expect(dark).toContain('.lc-k0{stroke:#1d8ba6}');
    expect(auto).toContain('.lc-k0{stroke:#034656}');
    expect(auto).toMatch(/@media \(prefers-color-scheme:dark\)\{.*\.lc-k0\{stroke:#1d8ba6\}/);
  });

  it('shows its title only where it stands alone', () => {
    const payload = chart('line_chart', one([{ x: 1, y: 1 }]));
    expect(texts(draw(payload))).not.toContain('Title');
    expect(texts(draw(payload, { titled: true }))).toContain('Title');
  });

  const hostile = `</text><script>alert("1")</script> & ' \u202Egnp.\u0001\uFFFE`;
  const shown = `</text><script>alert("1")</script> & ' gnp.`;

  it.each<[string, TypedPayload]>([
    [
      'line',
      chart('line_chart', {
        series: [
          {
            name: hostile,
            points: [
              { x: hostile, y: 1 },
              { x: 'b', y: 2 },
            ],
          },
        ],
        x: { label: hostile },
        y: { label: hostile, unit: hostile },
        note: hostile,
      }),
    ],
    [
      'bar',
      chart('bar_chart', {
        series: [{ name: hostile, points: [{ x: hostile, y: 1 }] }],
        orientation: 'horizontal',
        note: hostile,
      }),
    ],
    [
      'scatter',
      chart('scatter_chart', { series: [{ name: hostile, points: [{ x: 1, y: 1, label: hostile }] }] }),
    ],
    [
      'pie',
      { type: 'pie_chart', payload: { slices: [{ label: hostile, value: 1 }], unit: hostile, donut: true } },
    ],
    [
      'table',
      { type: 'table', payload: { columns: [{ key: 'a', label: hostile }], rows: [{ a: hostile }] } },
    ],
    [
      'stat',
      {
        type: 'stat',
        payload: { items: [{ label: hostile, value: hostile, unit: hostile, delta: hostile }] },
      },
    ],
  ])('artifacts 15.54: escapes whatever a stranger wrote into a %s', (_, payload) => {
    for (const size of ['page', 'card', 'narrow'] as const) {
      const svg = draw(payload, { title: hostile, description: hostile, titled: true, size });
      const used = new Set(elements(svg).map(({ name }) => name));
      expect([...used].filter((name) => !ELEMENTS.includes(name))).toEqual([]);
      for (const { attributes } of elements(svg)) {
        const names = [...attributes.keys()].filter((name) => /^on|href|src/i.test(name));
        expect(names).toEqual([]);
      }
      expect(svg).not.toContain('<script');
    }
    expect(texts(draw(payload, { title: hostile, titled: true })).join(' ')).toContain(shown.slice(0, 12));
  });

  it('is well-formed and finite for any payload, in every size', () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 });
    const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
    const y = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -100, max: 100 }),
    );
    const points = (x: fc.Arbitrary<string | number>) =>
      fc.array(fc.record({ x, y: fc.option(y) }), { maxLength: 40 });
    const seriesOf = (x: fc.Arbitrary<string | number>) =>
      fc.array(fc.record({ name, points: points(x) }), { minLength: 1, maxLength: 12 });
    const axes = {
      y: fc.option(fc.record({ label: text, unit: fc.constantFrom('', 'ms', '%', '$') }), { nil: undefined }),
      note: fc.option(text, { nil: undefined }),
      stacked: fc.boolean(),
      orientation: fc.constantFrom('vertical' as const, 'horizontal' as const),
    };
    const date = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });
    const payloads: fc.Arbitrary<TypedPayload> = fc.oneof(
      fc
        .tuple(
          fc.constantFrom('line_chart' as const, 'area_chart' as const, 'bar_chart' as const),
          fc.oneof(
            fc.record({ series: seriesOf(text), ...axes }),
            fc.record({ series: seriesOf(y), ...axes }),
            fc.record({
              series: seriesOf(date.map((d) => d.toISOString())),
              x: fc.constant({ type: 'time' as const }),
              ...axes,
            }),
          ),
        )
        .map(([type, payload]) => ({ type, payload }) as TypedPayload),
      fc
        .array(
          fc.record({ name, points: fc.array(fc.record({ x: y, y, label: text }), { maxLength: 30 }) }),
          { minLength: 1, maxLength: 8 },
        )
        .map((series) => ({ type: 'scatter_chart', payload: { series } }) as TypedPayload),
      fc
        .record({
          slices: fc.array(
            fc.record({
              label: name,
              value: fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }),
            }),
            { minLength: 1, maxLength: 60 },
          ),
          donut: fc.boolean(),
        })
        .map((payload) => ({ type: 'pie_chart', payload }) as TypedPayload),
      fc
        .array(fc.record({ label: name, value: fc.oneof(text, y), delta: fc.oneof(text, y) }), {
          minLength: 1,
          maxLength: 12,
        })
        .map((items) => ({ type: 'stat', payload: { items } }) as TypedPayload),
    );
    fc.assert(
      fc.property(
        payloads,
        fc.constantFrom('page' as const, 'card' as const, 'narrow' as const),
        (payload, size) => {
          const svg = draw(payload, { size, titled: true });
          for (const { attributes } of elements(svg)) {
            for (const [key, value] of attributes) {
              if (key !== 'class') expect(`${key}=${value}`).not.toMatch(/NaN|Infinity|undefined/);
              if (key === 'width' || key === 'height') expect(Number(value)).toBeGreaterThanOrEqual(0);
            }
          }
        },
      ),
      { numRuns: 250 },
    );
  });
});

describe('charts with axes', () => {
  it('artifacts 15.54: name their series, their axes with units, and their marks', () => {
    const said = texts(
      draw(
        chart('line_chart', {
          series: [
            {
              name: 'EU',
              points: [
                { x: 'Mon', y: 120 },
                { x: 'Tue', y: 180 },
              ],
            },
            { name: 'US', points: [{ x: 'Mon', y: 90 }] },
          ],
          x: { label: 'Day' },
          y: { label: 'Latency', unit: 'ms' },
          note: 'Measured at the edge.',
        }),
      ),
    );
    expect(said).toEqual(
      expect.arrayContaining([
        'EU',
        'US',
        'Mon',
        'Tue',
        'Day',
        'Latency (ms)',
        '0',
        '100',
        'Measured at the edge.',
      ]),
    );
    expect(texts(draw(chart('bar_chart', one([{ x: 'a', y: 40 }], { y: { unit: '%' } }))))).toEqual(
      expect.arrayContaining(['0%', '40%']),
    );
  });

  it('artifacts 4: a line breaks where a value is unknown; a point alone between gaps is a mark', () => {
    const points = [1, 2, null, 4, null, 6, 7].map((y, x) => ({ x, y }));
    const long = [...points, ...Array.from({ length: 40 }, (_, n) => ({ x: 7 + n, y: n }))];
    const svg = draw(chart('line_chart', one(long)));
    const [line] = elements(svg).filter(
      ({ attributes }) =>
        attributes.get('d')?.includes('L') && attributes.get('class')?.startsWith('lc-line lc-k0'),
    );
    expect(line!.attributes.get('d')!.match(/M/g)).toHaveLength(3);
    const marks = elements(svg).filter(({ attributes }) => attributes.get('class') === 'lc-f0 lc-edge');
    expect(marks).toHaveLength(1);
  });

  it('artifacts 11: at most 60 labels on a category axis', () => {
    for (const type of ['bar_chart', 'line_chart'] as const) {
      for (const orientation of ['vertical', 'horizontal'] as const) {
        const points = Array.from({ length: 400 }, (_, n) => ({ x: `c${n}`, y: n }));
        const labels = texts(draw(chart(type, one(points, { orientation })))).filter((text) =>
          /^c\d/.test(text),
        );
        expect(labels.length).toBeGreaterThan(3);
        expect(labels.length).toBeLessThanOrEqual(60);
      }
    }
  });

  it('artifacts 11: times are told in UTC, wherever the server stands', () => {
    const zone = process.env.TZ;
    process.env.TZ = 'Asia/Tokyo';
    try {
      const points = Array.from({ length: 13 }, (_, n) => ({
        x: new Date(Date.UTC(2026, 2, 3, n * 2)).toISOString(),
        y: n,
      }));
      const said = texts(draw(chart('line_chart', one(points, { x: { type: 'time' } }))));
      expect(said).toEqual(expect.arrayContaining(['3 Mar 00:00', '12:00', '4 Mar 00:00', 'UTC']));
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('draw points in the order of their times, whatever order they came in', () => {
    const points = [
      { x: '2026-03', y: 3 },
      { x: '2026-01', y: 1 },
      { x: '2026-02', y: 2 },
    ];
    const drawn = (given: typeof points) => draw(chart('line_chart', one(given, { x: { type: 'time' } })));
    expect(drawn(points)).toBe(drawn([points[1]!, points[2]!, points[0]!]));
  });

  it('keep the categories in the order they came in', () => {
    const labels = texts(draw(chart('bar_chart', one(['z', 'a', 'm'].map((x) => ({ x, y: 1 }))))));
    expect(labels.filter((text) => 'zam'.includes(text))).toEqual(['z', 'a', 'm']);
  });

  it('write days as people do where the payload says nothing of their kind, each where it came', () => {
    const points = ['2026-03-02', '2026-03-01', '2026-03-04'].map((x, y) => ({ x, y }));
    const said = (more: object) => texts(draw(chart('line_chart', one(points, more))));
    expect(said({}).filter((text) => text.endsWith('Mar'))).toEqual(['2 Mar', '1 Mar', '4 Mar']);
    expect(said({ x: { type: 'category' } })).toEqual(expect.arrayContaining(['2026-03-02']));
  });

  it('cut off at the ends that the payload sets', () => {
    const said = texts(
      draw(
        chart(
          'line_chart',
          one(
            [
              { x: 1, y: 50 },
              { x: 2, y: 60 },
            ],
            { y: { min: 40, max: 45 } },
          ),
        ),
      ),
    );
    expect(said).toEqual(expect.arrayContaining(['40', '45']));
    expect(said).not.toContain('50');
  });

  const bars = (payload: SeriesPayload) =>
    elements(draw(chart('bar_chart', payload)))
      .filter(({ name, attributes }) => name === 'rect' && /^lc-f\d/.test(attributes.get('class') ?? ''))
      .filter(({ attributes }) => Number(attributes.get('width')) !== 12)
      .map(({ attributes }) =>
        Object.fromEntries([...attributes].map(([key, value]) => [key, Number(value)])),
      );

  const two: SeriesPayload = {
    series: [
      {
        name: 'A',
        points: [
          { x: 'a', y: 10 },
          { x: 'b', y: null },
        ],
      },
      {
        name: 'B',
        points: [
          { x: 'a', y: 30 },
          { x: 'b', y: -20 },
        ],
      },
    ],
  };

  it('stand beside each other, or on each other when they are stacked', () => {
    const [a, b] = bars(two);
    expect(bars(two)).toHaveLength(3);
    expect(b!.height! / a!.height!).toBeCloseTo(3, 1);
    expect(b!.x!).toBeGreaterThanOrEqual(a!.x! + a!.width!);
    const [c, d] = bars({ ...two, stacked: true });
    expect(d!.x).toBe(c!.x);
    expect(d!.y! + d!.height!).toBeCloseTo(c!.y!, 0);
  });

  it('become one outline when there are too many to tell apart', () => {
    const points = Array.from({ length: 5000 }, (_, n) => ({ x: n, y: n % 7 }));
    const svg = draw(chart('bar_chart', one(points)));
    expect(bars(one(points))).toEqual([]);
    const [outline] = elements(svg).filter(({ attributes }) => attributes.get('class') === 'lc-f0');
    expect(outline).toBeDefined();
    expect(svg.match(/z/g)!.length).toBeGreaterThanOrEqual(5000);
    expect(svg.length).toBeLessThan(200_000);
  });

  it('lie when the payload says so', () => {
    const [a, b] = bars({ ...two, orientation: 'horizontal' });
    expect(b!.width! / a!.width!).toBeCloseTo(3, 1);
    expect(b!.y!).toBeGreaterThan(a!.y!);
  });

  it('are told apart by more than colour: shapes, dashes, stripes', () => {
    const series = Array.from({ length: 20 }, (_, n) => ({
      name: `s${n}`,
      points: [
        { x: 1, y: n },
        { x: 2, y: n + 1 },
      ],
    }));
    const lines = elements(draw(chart('line_chart', { series }))).filter(({ attributes }) =>
      attributes.get('class')?.startsWith('lc-line lc-k'),
    );
    const looks = lines.map(
      ({ attributes }) => `${attributes.get('class')} ${attributes.get('stroke-dasharray')}`,
    );
    expect(new Set(looks).size).toBe(20);
    expect(draw(chart('bar_chart', { series }))).toContain('url(#loupe-chart-42-hatch1)');
  });

  it('artifacts 11: what holds no value shows its table', () => {
    const said = texts(draw(chart('line_chart', one([{ x: 'Mon', y: null }]))));
    expect(said).toEqual(['x', 'Mon', 'EU', '–']);
  });

  it('a slice tells its value and its share, and once where the values are shares', () => {
    const said = (values: number[], unit?: string) =>
      texts(
        draw({
          type: 'pie_chart',
          payload: { slices: values.map((value, n) => ({ label: `s${n}`, value })), unit },
        }),
      );
    expect(said([30, 10]).slice(-6)).toEqual(['s0', '30', '75%', 's1', '10', '25%']);
    expect(said([75, 25], '%').slice(-4)).toEqual(['s0', '75%', 's1', '25%']);
  });

  it('labels of points touch neither each other nor the edge', () => {
    const points = Array.from({ length: 40 }, (_, n) => ({ x: n % 3, y: n % 5, label: `label ${n}` }));
    const said = texts(draw(chart('scatter_chart', one(points)))).filter((text) => text.startsWith('label'));
    expect(said.length).toBeGreaterThan(5);
    expect(said.length).toBeLessThan(40);
  });
});

describe('the colours', () => {
  /** The chart tokens of the product, as red, green and blue. */
  function token(name: string): [string, string] {
    const css = readFileSync(join(applicationRoot, 'libs/web-app/src/styles/tokens.css'), 'utf8');
    const number = '([\\d.]+)';
    const colour = `oklch\\(${number} ${number} ${number}\\)`;
    const match = new RegExp(`--${name}: light-dark\\(${colour}, ${colour}\\)`).exec(css);
    const [light, chroma, hue, ...dark] = match!.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return [hex(light, chroma, hue), hex(...(dark as [number, number, number]))];
  }

  /** OKLCH to sRGB (CSS Color 4, 10.2 and 16). */
  function hex(lightness: number, chroma: number, hue: number): string {
    const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
    const [l, m, s] = [
      (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
      (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
      (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
    ];
    const linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ];
    const parts = linear.map((part) => {
      const within = Math.min(1, Math.max(0, part));
      const value = within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055;
      return Math.round(value * 255)
        .toString(16)
        .padStart(2, '0');
    });
    return `#${parts.join('')}`;
  }

  function luminance(colour: string): number {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  }

  function contrast(a: string, b: string): number {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high! + 0.05) / (low! + 0.05);
  }

  const svg = (theme: 'light' | 'dark') => draw(chart('line_chart', one([{ x: 1, y: 1 }])), { theme });
  const colourOf = (theme: 'light' | 'dark', rule: string) =>
    new RegExp(`\\.${rule}\\{(?:fill|stroke):(#[0-9a-f]{6})\\}`).exec(svg(theme))![1]!;

  it('are those of the product', () => {
    for (let series = 0; series < 8; series += 1) {
      const own = [colourOf('light', `lc-f${series}`), colourOf('dark', `lc-f${series}`)];
      expect(own).toEqual(token(`chart-${series + 1}`));
    }
    const inks = {
      'lc-text': 'text',
      'lc-soft': 'text-2',
      'lc-plane': 'surface',
      'lc-grid': 'chart-grid',
      'lc-axis': 'chart-axis',
      'lc-rest': 'chart-rest',
    };
    for (const [rule, name] of Object.entries(inks)) {
      expect([rule, colourOf('light', rule), colourOf('dark', rule)]).toEqual([rule, ...token(name)]);
    }
  });

  it('artifacts 11: can be told from the plane, texts can be read on it, and figures in slices on their colour', () => {
    for (const theme of ['light', 'dark'] as const) {
      const plane = colourOf(theme, 'lc-plane');
      for (const ink of ['lc-text', 'lc-soft', 'lc-faint']) {
        expect([theme, ink, contrast(colourOf(theme, ink), plane) >= 4.5]).toEqual([theme, ink, true]);
      }
      for (let series = 0; series < 8; series += 1) {
        const fill = colourOf(theme, `lc-f${series}`);
        expect([theme, series, contrast(fill, plane) >= 2.9]).toEqual([theme, series, true]);
        expect([theme, series, contrast(colourOf(theme, `lc-i${series}`), fill) >= 4.5]).toEqual([
          theme,
          series,
          true,
        ]);
      }
    }
  });
});
