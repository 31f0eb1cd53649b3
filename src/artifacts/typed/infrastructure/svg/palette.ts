import type { ChartTheme } from '../../application/ports/chart-renderer.js';

/** The chart colours of the product's tokens, light and dark, for readers of SVG that know no OKLCH. */
const SERIES: readonly (readonly [string, string])[] = [
  ['#034656', '#1d8ba6'],
  ['#cd771e', '#f9e390'],
  ['#43217c', '#5f65c3'],
  ['#789471', '#a4d5b0'],
  ['#7a230c', '#9a5d65'],
  ['#5d8be2', '#c6e4fb'],
  ['#201b0e', '#6a6815'],
  ['#a863a6', '#e1a8ea'],
];

export const COLOURS = SERIES.length;

const INK = {
  text: ['#182024', '#e9e8e4'],
  soft: ['#454e53', '#b4babc'],
  faint: ['#5b6469', '#90989c'],
  plane: ['#fefefd', '#14191b'],
  grid: ['#e5e4e0', '#22282c'],
  axis: ['#828a8e', '#6f787d'],
  rest: ['#81878a', '#707579'],
  sunken: ['#f0efec', '#1d2327'],
  good: ['#145e37', '#81d39f'],
  bad: ['#a12825', '#f89e97'],
} as const;

type Ink = keyof typeof INK;

const FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif';

/** Class of a series for fills (`f`) and for strokes (`k`); more than eight begin again, told apart by their pattern. */
export function fillOf(series: number): string {
  return `lc-f${series % COLOURS}`;
}

export function strokeOf(series: number): string {
  return `lc-k${series % COLOURS}`;
}

/** How often the colours have begun again: 0, 1 or 2. */
export function roundOf(series: number): number {
  return Math.floor(series / COLOURS);
}

/** Dashes of a line, so that nothing is told by colour alone once the colours begin again. */
export function dashesOf(series: number): string | undefined {
  return [undefined, '7 4', '2 4'][roundOf(series) % 3];
}

/** The style sheet of a picture. Only plain values: many programs that show SVG know no variables. */
export function styleSheet(theme: ChartTheme): string {
  const plain = `text{font-family:${FONT};font-variant-numeric:tabular-nums}.lc-line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}.lc-wash{fill-opacity:.16}`;
  if (theme !== 'auto') return plain + colours(theme === 'dark' ? 1 : 0);
  return `${plain}${colours(0)}@media (prefers-color-scheme:dark){${colours(1)}}`;
}

function colours(theme: 0 | 1): string {
  const ink = (name: Ink) => INK[name][theme];
  const series = SERIES.map(
    (pair, index) =>
      `.lc-f${index}{fill:${pair[theme]}}.lc-k${index}{stroke:${pair[theme]}}.lc-i${index}{fill:${inkOn(pair[theme])}}`,
  );
  return [
    `.lc-text{fill:${ink('text')}}.lc-soft{fill:${ink('soft')}}.lc-faint{fill:${ink('faint')}}`,
    `.lc-good{fill:${ink('good')}}.lc-bad{fill:${ink('bad')}}`,
    `.lc-plane{fill:${ink('plane')}}.lc-edge{stroke:${ink('plane')}}.lc-sunken{fill:${ink('sunken')}}`,
    `.lc-grid{stroke:${ink('grid')}}.lc-axis{stroke:${ink('axis')}}`,
    `.lc-rest{fill:${ink('rest')}}.lc-irest{fill:#fff}`,
    ...series,
  ].join('');
}

/** Black or white, whichever is easier to read on a colour (WCAG 2.2, relative luminance). */
function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}
