import { type Atrule, type CssNode, generate, type List, type ListItem, parse, walk } from 'css-tree';
import { decodedText } from './decoded-text.js';
import type { PageAssets } from './page-assets.js';

const MAX_IMPORT_DEPTH = 5;
/** Larger ones would take more memory to be read than the whole page may have. */
export const MAX_STYLESHEET_BYTES = 4 * 1024 * 1024;

export interface StylesheetPlace {
  /** Address that relative ones in the text are relative to. */
  readonly base: string;
  /** From where the text will stand to `assets/`: `assets/` in the page, nothing inside `assets/`. */
  readonly assets: string;
  /** Whether imported stylesheets become files, or part of the text. */
  readonly imports: 'files' | 'text';
}

type Context = 'stylesheet' | 'declarationList';

/** Rewrites the addresses in CSS to the kept files. What was left out points nowhere. */
export class StylesheetRewriter {
  constructor(private readonly assets: PageAssets) {}

  /** A linked or imported stylesheet as a file. @returns its name in `assets/`, or null when it was left out. */
  async file(url: string, above: readonly string[] = []): Promise<string | null> {
    const text = await this.linked(url, { assets: '', imports: 'files' }, above);
    return text === null ? null : this.assets.add(Buffer.from(text), 'css');
  }

  /** A linked stylesheet as text. */
  async linked(
    url: string,
    place: Omit<StylesheetPlace, 'base'>,
    above: readonly string[] = [],
  ): Promise<string | null> {
    if (above.includes(url) || above.length > MAX_IMPORT_DEPTH) return null;
    const page = await this.assets.stylesheet(url);
    if (!page) return null;
    if (page.bytes.length > MAX_STYLESHEET_BYTES)
      return this.assets.leave(url, 'it is a stylesheet of more than 4 MiB');
    return this.text(decodedText(page), { ...place, base: page.url }, 'stylesheet', [...above, url]);
  }

  /** CSS with its addresses rewritten. */
  async text(
    css: string,
    place: StylesheetPlace,
    context: Context = 'stylesheet',
    above: readonly string[] = [],
  ): Promise<string> {
    const tree = parse(css, { context, parseCustomProperty: true });
    const work: Promise<void>[] = [];
    walk(tree, {
      enter: (node: CssNode, item: ListItem<CssNode>, list: List<CssNode>) => {
        if (node.type === 'Atrule' && node.name.toLowerCase() === 'import') {
          work.push(this.importRule(node, item, list, place, above));
          return walk.skip;
        }
        if (node.type === 'Url') work.push(this.address(node, place));
        if (node.type === 'Raw' && /url\(/i.test(node.value)) work.push(this.rawAddresses(node, place));
        return undefined;
      },
    });
    await Promise.all(work);
    // What looks like a tag could end the element that the text stands in, or become one when it is parsed again.
    return generate(tree).replace(/<(?=[a-z/!?])/gi, '\\3c ');
  }

  private async address(node: { value: string }, place: StylesheetPlace): Promise<void> {
    node.value = await this.kept(node.value, place);
  }

  /** Values that are no valid CSS stay as text. */
  private async rawAddresses(node: { value: string }, place: StylesheetPlace): Promise<void> {
    const found = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)/gi;
    const addresses = [...node.value.matchAll(found)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
    const kept = await Promise.all(addresses.map((address) => this.kept(address, place)));
    let index = 0;
    node.value = node.value.replace(found, () => `url("${kept[index++]}")`);
  }

  private async kept(address: string, place: StylesheetPlace): Promise<string> {
    const given = address.trim();
    if (given === '' || given.startsWith('#') || /^data:(image|font|application\/(x-)?font)/i.test(given))
      return given;
    if (!URL.canParse(given, place.base)) return '';
    const url = new URL(given, place.base);
    const name = await this.assets.keep(url.href, 'picture-or-font');
    return name === null ? '' : `${place.assets}${name}${url.hash}`;
  }

  private async importRule(
    node: Atrule,
    item: ListItem<CssNode>,
    list: List<CssNode>,
    place: StylesheetPlace,
    above: readonly string[],
  ): Promise<void> {
    const prelude = node.prelude?.type === 'AtrulePrelude' ? node.prelude.children.toArray() : [];
    const [source, ...conditions] = prelude;
    const given = source?.type === 'Url' || source?.type === 'String' ? source.value : null;
    const drop = () => list.remove(item);
    if (given === null || !URL.canParse(given, place.base)) return void drop();
    const url = new URL(given, place.base).href;
    if (place.imports === 'files') {
      const name = await this.file(url, above);
      if (name === null) drop();
      else (source as { value: string }).value = `${place.assets}${name}`;
      return;
    }
    const text = await this.linked(url, place, above);
    if (text === null) return void drop();
    const query = conditions
      .map((part) => generate(part))
      .join(' ')
      .trim();
    const isMedia = query !== '' && !/^(layer|supports)\b/i.test(query);
    item.data = { type: 'Raw', value: isMedia ? `@media ${query}{${text}}` : text };
  }
}
