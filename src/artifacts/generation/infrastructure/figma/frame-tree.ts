import type { Element, ElementContent } from 'hast';
import { containerOf, placeOf } from './figma-layout.js';
import { type FigmaNode, isDrawn, isVisible, type TypeStyle } from './figma-node.js';
import { type Declarations, lookOf, typeOf } from './figma-styles.js';
import type { StyleWriter } from './style-writer.js';

/** Names of the files in `assets/` that pictures were kept as. */
export interface KeptPictures {
  /** By the reference of an image fill. */
  readonly fills: ReadonlyMap<string, string>;
  /** By the id of a node that Figma rendered. */
  readonly drawn: ReadonlyMap<string, string>;
}

export interface FramePlace {
  /** From the page to `assets/`. */
  readonly fromPage: string;
  /** From the stylesheet to `assets/`. */
  readonly fromStyles: string;
}

/** Turns a frame into elements: auto layout into flexbox, other children into absolute places. */
export class FrameTree {
  constructor(
    private readonly pictures: KeptPictures,
    private readonly styles: StyleWriter,
    private readonly place: FramePlace,
  ) {}

  build(frame: FigmaNode): Element {
    return this.element(frame, null) ?? { type: 'element', tagName: 'main', properties: {}, children: [] };
  }

  private element(node: FigmaNode, parent: FigmaNode | null): Element | null {
    if (!isVisible(node)) return null;
    const place = placeOf(node, parent);
    if (isDrawn(node)) return this.picture(node, place);
    const look = lookOf(node, (reference) => {
      const name = this.pictures.fills.get(reference);
      return name === undefined ? null : `${this.place.fromStyles}${name}`;
    });
    if (node.type === 'TEXT') return this.text(node, { ...place, ...look });
    const children = (node.children ?? []).flatMap((child) => this.element(child, node) ?? []);
    const declarations = { ...place, ...containerOf(node), 'box-sizing': 'border-box', ...look };
    return this.made(parent ? 'div' : 'main', node, declarations, children);
  }

  private picture(node: FigmaNode, place: Declarations): Element | null {
    const name = this.pictures.drawn.get(node.id);
    if (name === undefined) return null;
    const image = this.made('img', node, { ...place, display: 'block' }, []);
    image.properties.src = `${this.place.fromPage}${name}`;
    image.properties.alt = '';
    return image;
  }

  private text(node: FigmaNode, outer: Declarations): Element {
    const declarations = {
      ...outer,
      margin: '0',
      'white-space': outer['white-space'] ?? 'pre-wrap',
      ...typeOf(node.style ?? {}, node.fills),
    };
    return this.made('p', node, declarations, this.runs(node));
  }

  /** Parts of a text that have a style of their own. */
  private runs(node: FigmaNode): ElementContent[] {
    const text = node.characters ?? '';
    const overrides = node.characterStyleOverrides ?? [];
    const parts: { text: string; style: number }[] = [];
    for (let index = 0; index < text.length; index += 1) {
      const style = Number(overrides[index] ?? 0);
      const last = parts.at(-1);
      if (last?.style === style) last.text += text[index];
      else parts.push({ text: text[index]!, style });
    }
    return parts.map((part) => {
      const own: TypeStyle | undefined = node.styleOverrideTable?.[part.style];
      const value: ElementContent = { type: 'text', value: part.text };
      return own ? this.made('span', node, typeOf(own), [value]) : value;
    });
  }

  private made(
    tagName: string,
    node: FigmaNode,
    declarations: Declarations,
    children: ElementContent[],
  ): Element {
    const { className, style } = this.styles.write(node.name ?? '', declarations);
    const properties: Element['properties'] = {};
    if (className) properties.className = className.split(' ');
    if (style) properties.style = style;
    return { type: 'element', tagName, properties, children };
  }
}

/** Image fills and drawn nodes of frames, each once, in order; and the fonts that their texts use. */
export function wantedBy(frames: readonly FigmaNode[]): {
  fills: string[];
  drawn: string[];
  fonts: string[];
  count: number;
} {
  const fills = new Set<string>();
  const drawn = new Set<string>();
  const fonts = new Set<string>();
  let count = 0;
  const visit = (node: FigmaNode): void => {
    if (!isVisible(node)) return;
    count += 1;
    if (isDrawn(node)) {
      drawn.add(node.id);
      return;
    }
    for (const fill of node.fills ?? []) {
      if (fill.type === 'IMAGE' && fill.imageRef && isVisible(fill)) fills.add(fill.imageRef);
    }
    if (node.style?.fontFamily) fonts.add(node.style.fontFamily);
    node.children?.forEach(visit);
  };
  frames.forEach(visit);
  return { fills: [...fills], drawn: [...drawn], fonts: [...fonts], count };
}
