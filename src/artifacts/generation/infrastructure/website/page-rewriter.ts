import type { Element, Root } from 'hast';
import { isActiveAddress } from './active-content.js';
import type { PageAssets } from './page-assets.js';
import { elementsOf, without } from './page-tree.js';
import type { StylesheetPlace, StylesheetRewriter } from './stylesheet-rewriter.js';

/** What becomes of the site's own stylesheets. */
export type StyleMode = 'files' | 'elements' | 'collected';

export interface RewrittenPage {
  /** Text of all stylesheets in order, in mode `collected`. */
  readonly styles: string;
}

/** Where addresses of lazily loaded images stand before a script moves them. */
const LAZY = ['dataSrc', 'dataLazySrc', 'dataOriginal'] as const;
const LAZY_SETS = ['dataSrcSet', 'dataSrcset', 'dataLazySrcset'] as const;

/** Points everything that a cleaned page refers to at kept files, and its links at the site. */
export class PageRewriter {
  private readonly gone = new Set<Element>();

  constructor(
    private readonly assets: PageAssets,
    private readonly styles: StylesheetRewriter,
    /** Address of the page, or what its `base` named. */
    private readonly base: string,
    /** Address of the page itself. */
    private readonly address: string,
  ) {}

  async rewrite(tree: Root, mode: StyleMode): Promise<RewrittenPage> {
    const place: StylesheetPlace = {
      base: this.base,
      assets: mode === 'collected' ? '../assets/' : 'assets/',
      imports: mode === 'files' ? 'files' : 'text',
    };
    const styles = await Promise.all(elementsOf(tree).map((element) => this.element(element, mode, place)));
    without(tree, this.gone);
    return { styles: styles.filter(Boolean).join('\n') };
  }

  /** @returns text of its stylesheet in mode `collected` */
  private async element(element: Element, mode: StyleMode, place: StylesheetPlace): Promise<string> {
    const { tagName, properties } = element;
    if (typeof properties.style === 'string') {
      properties.style = await this.styles.text(
        properties.style,
        { ...place, assets: 'assets/' },
        'declarationList',
      );
    }
    if (properties.background) await this.image(element, 'background');
    switch (tagName) {
      case 'link':
        return this.link(element, mode, place);
      case 'style':
        return this.styleElement(element, mode, place);
      case 'img':
        takeLazyAddress(element);
        await Promise.all([this.image(element, 'src'), this.imageSet(element)]);
        return '';
      case 'source':
        await this.imageSet(element);
        if (properties.src) this.drop(element, 'src', 'it is sound or video');
        return '';
      case 'input':
        if (properties.src) await this.image(element, 'src');
        return '';
      case 'video':
      case 'audio':
      case 'track':
        if (properties.poster) await this.image(element, 'poster');
        if (properties.src) this.drop(element, 'src', 'it is sound or video');
        return '';
      case 'image':
      case 'feImage':
      case 'use':
        for (const name of ['href', 'xlinkHref']) if (properties[name]) await this.image(element, name);
        return '';
      default:
        if (properties.href !== undefined) this.hyperlink(element);
        if (properties.xlinkHref !== undefined && !String(properties.xlinkHref).startsWith('#')) {
          delete properties.xlinkHref;
        }
        return '';
    }
  }

  private async link(element: Element, mode: StyleMode, place: StylesheetPlace): Promise<string> {
    const { properties } = element;
    const relations = [properties.rel].flat().map((relation) => String(relation).toLowerCase());
    if (relations.some((relation) => /^(apple-touch-)?icon(-precomposed)?$/.test(relation))) {
      await this.image(element, 'href');
      if (!properties.href) this.leaveOut(element);
      return '';
    }
    const url = this.resolved(properties.href);
    const isStylesheet = relations.includes('stylesheet') && !relations.includes('alternate');
    if (!isStylesheet || !url || properties.disabled !== undefined) return this.leaveOut(element);
    if (mode === 'files') {
      const name = await this.styles.file(url);
      if (name === null) return this.leaveOut(element);
      properties.href = `assets/${name}`;
      delete properties.type;
      return '';
    }
    const text = await this.styles.linked(url, place);
    if (text === null) return this.leaveOut(element);
    const { media } = properties;
    if (mode === 'collected') {
      this.leaveOut(element);
      return media ? `@media ${media}{${text}}` : text;
    }
    element.tagName = 'style';
    element.properties = media ? { media } : {};
    element.children = [{ type: 'text', value: text }];
    return '';
  }

  private async styleElement(element: Element, mode: StyleMode, place: StylesheetPlace): Promise<string> {
    const css = element.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    const text = await this.styles.text(css, place);
    const { media } = element.properties;
    if (mode === 'collected') {
      this.leaveOut(element);
      return media ? `@media ${media}{${text}}` : text;
    }
    element.children = [{ type: 'text', value: text }];
    return '';
  }

  private async image(element: Element, name: string): Promise<void> {
    const given = String(element.properties[name] ?? '').trim();
    if (given.startsWith('#') || given.startsWith('data:')) return;
    const kept = await this.keptImage(given);
    if (kept === null) delete element.properties[name];
    else element.properties[name] = kept;
  }

  private async imageSet(element: Element): Promise<void> {
    const given = element.properties.srcSet;
    if (given === undefined) return;
    const kept = await Promise.all(
      candidatesOf(String(given)).map(async ({ address, descriptor }) => {
        const name = address.startsWith('data:') ? null : await this.keptImage(address);
        return name && [name, descriptor].filter(Boolean).join(' ');
      }),
    );
    const set = kept.filter(Boolean).join(', ');
    if (set === '') delete element.properties.srcSet;
    else element.properties.srcSet = set;
  }

  private async keptImage(address: string): Promise<string | null> {
    const url = this.resolved(address);
    if (url === null) return null;
    const name = await this.assets.keep(url, 'image');
    return name && `assets/${name}${new URL(url).hash}`;
  }

  /** Links stay links: to a place in the page, or with their full address. */
  private hyperlink({ properties }: Element): void {
    const given = String(properties.href).trim();
    if (given.startsWith('#')) return;
    const url = this.resolved(given);
    if (url === null || isActiveAddress(url) || !/^(https?|mailto|tel):/.test(url)) {
      delete properties.href;
      return;
    }
    const [page, place] = url.split('#', 2);
    properties.href = place !== undefined && page === this.address.split('#')[0] ? `#${place}` : url;
  }

  private leaveOut(element: Element): '' {
    this.gone.add(element);
    return '';
  }

  private drop(element: Element, name: string, why: string): void {
    const url = this.resolved(element.properties[name]);
    if (url && /^https?:/.test(url)) this.assets.leave(url, why);
    delete element.properties[name];
  }

  private resolved(given: unknown): string | null {
    const address = String(given ?? '').trim();
    return address !== '' && URL.canParse(address, this.base) ? new URL(address, this.base).href : null;
  }
}

function takeLazyAddress({ properties }: Element): void {
  if (!properties.src || String(properties.src).startsWith('data:')) {
    const lazy = LAZY.map((name) => properties[name]).find(Boolean);
    if (lazy) properties.src = String(lazy);
  }
  if (!properties.srcSet) {
    const lazy = LAZY_SETS.map((name) => properties[name]).find(Boolean);
    if (lazy) properties.srcSet = String(lazy);
  }
  for (const name of ['loading', ...LAZY, ...LAZY_SETS]) delete properties[name];
}

/** Addresses in a `srcset` may hold commas, but do not end with one. */
function candidatesOf(set: string): { address: string; descriptor: string }[] {
  return [...set.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:\s+([\d.]+[wxh]))?\s*(?:,|$)/g)].map((match) => ({
    address: match[1]!,
    descriptor: match[2] ?? '',
  }));
}
