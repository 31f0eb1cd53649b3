import type { Box, Color, Effect, FigmaNode, Paint, TypeStyle } from './figma-node.js';
import { isVisible } from './figma-node.js';

/** CSS declarations of one element, in order. */
export type Declarations = Record<string, string>;

/** Address of the file that an image fill was kept as; null when it was left out. */
export type PictureOf = (imageRef: string) => string | null;

/** What a node looks like: fills, strokes, radii, effects. */
export function lookOf(node: FigmaNode, pictureOf: PictureOf): Declarations {
  const shadows = [...strokeShadows(node), ...(node.effects ?? []).filter(isVisible).flatMap(shadowOf)];
  const blurs = (node.effects ?? []).filter(isVisible);
  return compact({
    ...(node.type === 'TEXT' ? {} : backgroundOf(node, pictureOf)),
    'border-radius': radiusOf(node),
    ...sideBorders(node),
    'box-shadow': node.type === 'TEXT' ? null : shadows.join(', ') || null,
    'text-shadow':
      node.type === 'TEXT'
        ? shadows.filter((shadow) => !shadow.startsWith('inset')).join(', ') || null
        : null,
    filter: blurOf(blurs, 'LAYER_BLUR'),
    'backdrop-filter': blurOf(blurs, 'BACKGROUND_BLUR'),
    opacity: node.opacity !== undefined && node.opacity < 1 ? decimal(node.opacity) : null,
    overflow: node.clipsContent ? 'hidden' : null,
  });
}

/** How text looks: font, size, colour. `fills` are those of the node where a run has none of its own. */
export function typeOf(style: TypeStyle, fills: readonly Paint[] = []): Declarations {
  const color = (style.fills ?? fills).filter(isVisible).at(-1);
  const decoration = { UNDERLINE: 'underline', STRIKETHROUGH: 'line-through' }[style.textDecoration ?? ''];
  const casing = { UPPER: 'uppercase', LOWER: 'lowercase', TITLE: 'capitalize' }[style.textCase ?? ''];
  return compact({
    color: color ? (color.color ? cssColor(color.color, color.opacity) : firstStop(color)) : null,
    'font-family': style.fontFamily ? `"${plainName(style.fontFamily)}", system-ui, sans-serif` : null,
    'font-size': style.fontSize ? px(style.fontSize) : null,
    'font-weight': style.fontWeight ? String(Math.round(num(style.fontWeight))) : null,
    'font-style': style.italic ? 'italic' : null,
    'line-height':
      style.lineHeightPx && style.lineHeightUnit !== 'INTRINSIC_%' ? px(style.lineHeightPx) : null,
    'letter-spacing': style.letterSpacing ? px(style.letterSpacing) : null,
    'text-decoration': decoration ?? null,
    'text-transform': casing ?? null,
    'text-align':
      { CENTER: 'center', RIGHT: 'right', JUSTIFIED: 'justify' }[style.textAlignHorizontal ?? ''] ?? null,
  });
}

export function compact(declarations: Readonly<Record<string, string | null | undefined>>): Declarations {
  return Object.fromEntries(
    Object.entries(declarations).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

export function px(value: number): string {
  const rounded = Math.round(num(value) * 100) / 100;
  return rounded === 0 ? '0' : `${rounded}px`;
}

function num(value: unknown): number {
  const number = Number(value);
  return Number.isFinite(number) ? Math.min(Math.max(number, -1e6), 1e6) : 0;
}

function decimal(value: number): string {
  return String(Math.round(num(value) * 1000) / 1000);
}

function cssColor({ r, g, b, a = 1 }: Color, opacity = 1): string {
  const part = (value: number) => Math.round(Math.min(Math.max(num(value), 0), 1) * 255);
  const alpha = Math.round(num(a) * num(opacity) * 1000) / 1000;
  const rgb = [part(r), part(g), part(b)];
  if (alpha >= 1) return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return `rgba(${rgb.join(', ')}, ${alpha})`;
}

function backgroundOf(node: FigmaNode, pictureOf: PictureOf): Declarations {
  const fills = (node.fills ?? []).filter(isVisible);
  const [only] = fills;
  if (fills.length === 1 && only?.type === 'SOLID' && only.color) {
    return { 'background-color': cssColor(only.color, only.opacity) };
  }
  // Figma names the lowest first, CSS the highest.
  const layers = fills
    .map((fill) => layerOf(fill, node.absoluteBoundingBox ?? null, pictureOf))
    .filter((layer) => layer !== null)
    .reverse();
  return layers.length === 0 ? {} : { background: layers.join(', ') };
}

function layerOf(fill: Paint, box: Box | null, pictureOf: PictureOf): string | null {
  if (fill.type === 'SOLID' && fill.color) {
    const color = cssColor(fill.color, fill.opacity);
    return `linear-gradient(${color}, ${color})`;
  }
  if (fill.type === 'IMAGE' && fill.imageRef) {
    const picture = pictureOf(fill.imageRef);
    const size = {
      FIT: 'center / contain no-repeat',
      TILE: '0 0 repeat',
      STRETCH: '0 0 / 100% 100% no-repeat',
    }[fill.scaleMode ?? ''];
    return picture && `url("${picture}") ${size ?? 'center / cover no-repeat'}`;
  }
  const stops = (fill.gradientStops ?? []).map(
    ({ position, color }) => `${cssColor(color, fill.opacity)} ${decimal(num(position) * 100)}%`,
  );
  if (stops.length === 0) return null;
  const [from, to] = fill.gradientHandlePositions ?? [];
  if (fill.type === 'GRADIENT_LINEAR') {
    const dx = (num(to?.x) - num(from?.x)) * num(box?.width ?? 1);
    const dy = (num(to?.y) - num(from?.y)) * num(box?.height ?? 1);
    const angle = dx === 0 && dy === 0 ? 180 : Math.round((Math.atan2(dy, dx) * 180) / Math.PI + 90);
    return `linear-gradient(${angle}deg, ${stops.join(', ')})`;
  }
  const center = `${decimal(num(from?.x ?? 0.5) * 100)}% ${decimal(num(from?.y ?? 0.5) * 100)}%`;
  if (fill.type === 'GRADIENT_ANGULAR') return `conic-gradient(from 90deg at ${center}, ${stops.join(', ')})`;
  return `radial-gradient(circle at ${center}, ${stops.join(', ')})`;
}

function firstStop(fill: Paint): string | null {
  const [first] = fill.gradientStops ?? [];
  return first ? cssColor(first.color, fill.opacity) : null;
}

function radiusOf(node: FigmaNode): string | null {
  if (node.type === 'ELLIPSE') return '50%';
  const radii = node.rectangleCornerRadii;
  if (radii?.length === 4 && radii.some((radius) => num(radius) !== 0)) return radii.map(px).join(' ');
  return node.cornerRadius ? px(node.cornerRadius) : null;
}

function strokeColor(node: FigmaNode): string | null {
  const stroke = (node.strokes ?? []).filter(isVisible).at(-1);
  if (!stroke) return null;
  return stroke.color ? cssColor(stroke.color, stroke.opacity) : firstStop(stroke);
}

/** A stroke takes no place in a layout, so it is a shadow and no border. */
function strokeShadows(node: FigmaNode): string[] {
  const color = strokeColor(node);
  if (
    !color ||
    !node.strokeWeight ||
    node.individualStrokeWeights ||
    node.strokeDashes?.length ||
    node.type === 'TEXT'
  )
    return [];
  const width = px(node.strokeWeight);
  return [`${node.strokeAlign === 'OUTSIDE' ? '' : 'inset '}0 0 0 ${width} ${color}`];
}

function sideBorders(node: FigmaNode): Readonly<Record<string, string | null>> {
  const color = strokeColor(node);
  if (!color || node.type === 'TEXT') return {};
  const { individualStrokeWeights: weights, strokeDashes, strokeWeight } = node;
  if (!weights)
    return strokeDashes?.length && strokeWeight ? { border: `${px(strokeWeight)} dashed ${color}` } : {};
  const side = (weight = 0) => (weight > 0 ? `${px(weight)} solid ${color}` : null);
  return {
    'border-top': side(weights.top),
    'border-right': side(weights.right),
    'border-bottom': side(weights.bottom),
    'border-left': side(weights.left),
  };
}

function shadowOf(effect: Effect): string[] {
  if (!/^(DROP|INNER)_SHADOW$/.test(effect.type) || !effect.color) return [];
  const inset = effect.type === 'INNER_SHADOW' ? 'inset ' : '';
  const lengths = [effect.offset?.x ?? 0, effect.offset?.y ?? 0, effect.radius ?? 0, effect.spread ?? 0];
  return [`${inset}${lengths.map(px).join(' ')} ${cssColor(effect.color)}`];
}

function blurOf(effects: readonly Effect[], type: string): string | null {
  const blur = effects.find((effect) => effect.type === type);
  return blur?.radius ? `blur(${px(blur.radius / 2)})` : null;
}

/** A font name without anything that ends the text it stands in. */
function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N} ._-]/gu, '').slice(0, 100);
}
