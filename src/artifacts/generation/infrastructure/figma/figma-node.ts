/** What the generator reads of a node of the Figma API; everything may be missing or of another form. */
export interface FigmaNode {
  readonly id: string;
  readonly name?: string;
  readonly type: string;
  readonly visible?: boolean;
  readonly opacity?: number;
  readonly rotation?: number;
  readonly absoluteBoundingBox?: Box | null;
  readonly children?: readonly FigmaNode[];
  readonly clipsContent?: boolean;
  readonly layoutMode?: string;
  readonly layoutWrap?: string;
  readonly layoutPositioning?: string;
  readonly layoutSizingHorizontal?: string;
  readonly layoutSizingVertical?: string;
  readonly layoutGrow?: number;
  readonly layoutAlign?: string;
  readonly primaryAxisAlignItems?: string;
  readonly counterAxisAlignItems?: string;
  readonly itemSpacing?: number;
  readonly counterAxisSpacing?: number;
  readonly paddingTop?: number;
  readonly paddingRight?: number;
  readonly paddingBottom?: number;
  readonly paddingLeft?: number;
  readonly fills?: readonly Paint[];
  readonly strokes?: readonly Paint[];
  readonly strokeWeight?: number;
  readonly strokeAlign?: string;
  readonly strokeDashes?: readonly number[];
  readonly individualStrokeWeights?: { readonly [side in 'top' | 'right' | 'bottom' | 'left']?: number };
  readonly cornerRadius?: number;
  readonly rectangleCornerRadii?: readonly number[];
  readonly effects?: readonly Effect[];
  readonly characters?: string;
  readonly style?: TypeStyle;
  readonly characterStyleOverrides?: readonly number[];
  readonly styleOverrideTable?: Readonly<Record<string, TypeStyle>>;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a?: number;
}

export interface Paint {
  readonly type: string;
  readonly visible?: boolean;
  readonly opacity?: number;
  readonly color?: Color;
  readonly imageRef?: string;
  readonly scaleMode?: string;
  readonly gradientStops?: readonly { readonly position: number; readonly color: Color }[];
  readonly gradientHandlePositions?: readonly { readonly x: number; readonly y: number }[];
}

export interface Effect {
  readonly type: string;
  readonly visible?: boolean;
  readonly color?: Color;
  readonly offset?: { readonly x: number; readonly y: number };
  readonly radius?: number;
  readonly spread?: number;
}

export interface TypeStyle {
  readonly fontFamily?: string;
  readonly fontWeight?: number;
  readonly fontSize?: number;
  readonly italic?: boolean;
  readonly lineHeightPx?: number;
  readonly lineHeightUnit?: string;
  readonly letterSpacing?: number;
  readonly textAlignHorizontal?: string;
  readonly textCase?: string;
  readonly textDecoration?: string;
  readonly fills?: readonly Paint[];
}

const DRAWN = new Set(['VECTOR', 'STAR', 'LINE', 'REGULAR_POLYGON', 'POLYGON', 'BOOLEAN_OPERATION', 'ARC']);
const BOXES = new Set([
  'FRAME',
  'GROUP',
  'SECTION',
  'COMPONENT',
  'COMPONENT_SET',
  'INSTANCE',
  'RECTANGLE',
  'ELLIPSE',
  'TEXT',
]);

export function isVisible(node: { readonly visible?: boolean; readonly opacity?: number }): boolean {
  return node.visible !== false && node.opacity !== 0;
}

/** True for nodes that CSS cannot draw, and for groups of nothing else, such as icons: Figma renders them. */
export function isDrawn(node: FigmaNode): boolean {
  if (DRAWN.has(node.type) || !BOXES.has(node.type)) return true;
  if (Math.abs(node.rotation ?? 0) > 0.01 && node.type !== 'TEXT') return true;
  const shown = (node.children ?? []).filter(isVisible);
  return node.type !== 'TEXT' && shown.length > 0 && shown.every(isDrawn) && !hasPicture(node);
}

function hasPicture(node: FigmaNode): boolean {
  return (node.fills ?? []).some((fill) => fill.type === 'IMAGE') || (node.children ?? []).some(hasPicture);
}
