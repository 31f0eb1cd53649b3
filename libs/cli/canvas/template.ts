import { CanvasError, lineAt } from './canvas-error.js';
import { compileExpression, ExpressionRefused, local } from './expression.js';
import { type Attribute, attributeOf, type ElementNode, type Node } from './html-tree.js';
import { piecesOf } from './interpolation.js';

export interface CompiledTemplate {
  /** A JavaScript expression: `(r, v, f) => …`, with the runtime, the values, and the branches that are forced. */
  readonly code: string;
  /** Names of the canvases that it shows as parts, with the line of the first use. */
  readonly parts: ReadonlyMap<string, number>;
  /** Local or remote scripts whose global components it shows. */
  readonly scripts: ReadonlyMap<string, number>;
  readonly screens: readonly Screen[];
  /** Addresses outside of the page. */
  readonly remote: readonly { readonly url: string; readonly line: number }[];
}

/** A labelled element, and which branches to force so that it shows. */
export interface Screen {
  readonly label: string;
  readonly forced: Readonly<Record<number, boolean>>;
}

const BOOLEAN = new Set(
  'allowfullscreen async autofocus autoplay checked controls default defer disabled formnovalidate hidden inert ismap itemscope loop multiple muted nomodule novalidate open playsinline readonly required reversed selected'.split(
    ' ',
  ),
);

/** HTML names that React spells otherwise, where it matters for what it does. */
const SPELLED: Readonly<Record<string, string>> = {
  autofocus: 'autoFocus',
  autoplay: 'autoPlay',
  class: 'className',
  classname: 'className',
  contenteditable: 'contentEditable',
  crossorigin: 'crossOrigin',
  for: 'htmlFor',
  htmlfor: 'htmlFor',
  maxlength: 'maxLength',
  minlength: 'minLength',
  novalidate: 'noValidate',
  playsinline: 'playsInline',
  readonly: 'readOnly',
  spellcheck: 'spellCheck',
  srcset: 'srcSet',
  tabindex: 'tabIndex',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
  defaultvalue: 'defaultValue',
  defaultchecked: 'defaultChecked',
};

const LINKS = new Set(['href', 'src', 'action', 'poster', 'srcset', 'xlink:href']);
const REMOTE = /^(?:https?:)?\/\//i;

/** Writes the render function of a template. */
export class TemplateCompiler {
  private readonly parts = new Map<string, number>();
  private readonly scripts = new Map<string, number>();
  private readonly screens: Screen[] = [];
  private readonly remote: { url: string; line: number }[] = [];
  private branches = 0;

  constructor(
    private readonly file: string,
    private readonly source: string,
  ) {}

  /** @throws CanvasError */
  compile(template: ElementNode): CompiledTemplate {
    const children = this.children(template.children, new Set(), { inBranch: false, tight: false });
    const code = `(r, v, f) => r.h(r.F, null${children.map((child) => `, ${child}`).join('')})`;
    const { parts, scripts, screens, remote } = this;
    return { code, parts, scripts, screens, remote };
  }

  private children(nodes: readonly Node[], names: ReadonlySet<string>, place: Place): string[] {
    const group = place.inBranch
      ? []
      : nodes.filter((node) => node.kind === 'element' && isTag(node, 'sc-if'));
    const ids = new Map(group.map((node) => [node, this.branches++]));
    for (const [node, id] of ids) this.noteScreens(node as ElementNode, id, [...ids.values()]);
    return nodes.flatMap((node) => {
      if (node.kind === 'text') return this.text(node.text, node.offset, names, place.tight);
      return this.element(node, names, place, ids.get(node) ?? null);
    });
  }

  private noteScreens(branch: ElementNode, id: number, siblings: readonly number[]): void {
    const label = attributeOf(branch, 'data-screen-label');
    if (label?.value.trim()) {
      const forced = Object.fromEntries(siblings.map((sibling) => [sibling, sibling === id]));
      this.screens.push({ label: label.value.trim(), forced });
    }
    for (const child of branch.children) if (child.kind === 'element') this.noteScreens(child, id, siblings);
  }

  private text(text: string, offset: number, names: ReadonlySet<string>, tight: boolean): string[] {
    if (text.trim() === '' && (tight || text === '')) return [];
    return piecesOf(text).map((piece) =>
      piece.kind === 'plain'
        ? JSON.stringify(piece.text)
        : `r.t(${this.expression(piece.text, offset + piece.offset, names)})`,
    );
  }

  private element(
    element: ElementNode,
    names: ReadonlySet<string>,
    place: Place,
    branch: number | null,
  ): string {
    // The editor writes `sc-raw-select` where a browser's parser would not leave a `select` alone.
    const tag = element.tag.toLowerCase().replace(/^sc-raw-/, '');
    if (tag === 'sc-if') return this.condition(element, names, place, branch);
    if (tag === 'sc-for') return this.loop(element, names, place);
    if (tag === 'dc-import') return this.part(element, names, place);
    if (tag === 'x-import') return this.foreign(element, names, place);
    if (tag === 'script') return 'null';
    const inSvg = (place.inSvg || tag === 'svg') && tag !== 'foreignobject';
    // The text of a field is its first value, not its content.
    const content = tag === 'textarea' ? [] : element.children;
    const children = this.children(content, names, { ...place, inSvg, tight: TIGHT.has(tag) });
    const name =
      place.inSvg || tag === 'svg' || CUSTOM.test(tag) ? element.tag.replace(/^sc-raw-/i, '') : tag;
    const props = this.props(element, names, tag);
    return `r.h(${[JSON.stringify(name), props, ...children].join(', ')})`;
  }

  private condition(
    element: ElementNode,
    names: ReadonlySet<string>,
    place: Place,
    branch: number | null,
  ): string {
    const value = this.needed(element, 'value', names);
    const test = branch === null ? value : `r.c(f, ${branch}, ${value})`;
    const children = this.children(element.children, names, { ...place, inBranch: true });
    return `(${test} ? r.h(r.F, null${children.map((child) => `, ${child}`).join('')}) : null)`;
  }

  private loop(element: ElementNode, names: ReadonlySet<string>, place: Place): string {
    const list = this.needed(element, 'list', names);
    const as = attributeOf(element, 'as')?.value.trim() ?? 'item';
    if (!/^[A-Za-z_$][\w$]*$/.test(as)) throw this.error(element.offset, `sc-for: "${as}" is no name`);
    const inner = new Set([...names, as, '$index']);
    const children = this.children(element.children, inner, { ...place, inBranch: true });
    const made = `r.h(r.F, {key: ${local('$index')}}${children.map((child) => `, ${child}`).join('')})`;
    return `r.l(${list}).map((${local(as)}, ${local('$index')}) => ${made})`;
  }

  private part(element: ElementNode, names: ReadonlySet<string>, place: Place): string {
    const name = attributeOf(element, 'name')?.value.trim();
    if (!name) throw this.error(element.offset, 'dc-import has no name');
    if (!this.parts.has(name)) this.parts.set(name, lineAt(this.source, element.offset));
    const children = this.children(element.children, names, { ...place, inBranch: true });
    const props = this.ownProps(element, names, ['name']);
    return `r.h(${[`r.p(${JSON.stringify(name)})`, props, ...children].join(', ')})`;
  }

  private foreign(element: ElementNode, names: ReadonlySet<string>, place: Place): string {
    const from = attributeOf(element, 'from')?.value.trim();
    const component = attributeOf(element, 'component-from-global-scope')?.value.trim();
    if (!component) throw this.error(element.offset, 'x-import needs component-from-global-scope');
    // Without `from` a script of the head has left the component on the window.
    if (from && !this.scripts.has(from)) this.scripts.set(from, lineAt(this.source, element.offset));
    const children = this.children(element.children, names, { ...place, inBranch: true });
    const props = this.ownProps(element, names, ['from', 'component-from-global-scope']);
    const type = CUSTOM.test(component) ? JSON.stringify(component) : `r.g(${JSON.stringify(component)})`;
    return `r.h(${[type, props, ...children].join(', ')})`;
  }

  /** Attributes of a component: names as they were written, and `two-words` also as `twoWords`. */
  private ownProps(element: ElementNode, names: ReadonlySet<string>, without: readonly string[]): string {
    const entries = element.attributes
      .filter(({ name }) => !without.includes(name.toLowerCase()) && !name.toLowerCase().startsWith('hint-'))
      .map((attribute) => {
        const name = written(attribute.name);
        if (name === 'style') return `style: r.s(${this.value(attribute, names)})`;
        if (name === 'class') return `className: ${this.value(attribute, names)}`;
        const camel = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
        return `${JSON.stringify(/^(data|aria)-/.test(name) ? name : camel)}: ${this.value(attribute, names)}`;
      });
    return `{${entries.join(', ')}}`;
  }

  private props(element: ElementNode, names: ReadonlySet<string>, tag: string): string {
    const entries: string[] = [];
    const classes: string[] = [];
    const type = attributeOf(element, 'type')?.value ?? '';
    for (const given of element.attributes) {
      const attribute = { ...given, name: written(given.name) };
      const name = attribute.name.toLowerCase();
      if (name.startsWith('hint-')) continue;
      const pseudo = /^style-(hover|focus|active)$/.exec(name)?.[1];
      if (pseudo) classes.push(`r.y(${JSON.stringify(pseudo)}, ${this.value(attribute, names)})`);
      else if (name === 'class' || name === 'classname') classes.unshift(this.value(attribute, names));
      else {
        const entry = this.prop(attribute, name, names, tag, type);
        if (entry) entries.push(entry);
      }
    }
    const [typed] = tag === 'textarea' ? element.children : [];
    if (typed?.kind === 'text' && !entries.some((entry) => /^"?(value|defaultValue)"?:/.test(entry))) {
      entries.push(`defaultValue: ${this.value({ value: typed.text, offset: typed.offset }, names)}`);
    }
    if (classes.length === 1) entries.push(`className: ${classes[0]}`);
    if (classes.length > 1) entries.push(`className: r.j(${classes.join(', ')})`);
    return entries.length === 0 ? 'null' : `{${entries.join(', ')}}`;
  }

  private prop(
    attribute: Attribute,
    name: string,
    names: ReadonlySet<string>,
    tag: string,
    type: string,
  ): string | null {
    const dynamic = piecesOf(attribute.value).some(({ kind }) => kind === 'expression');
    if (name === 'style') {
      this.noteRemote(attribute);
      return `style: r.s(${this.value(attribute, names)})`;
    }
    if (name.startsWith('on')) {
      // Code in a text would need eval.
      return dynamic ? `${JSON.stringify(eventName(attribute.name))}: ${this.value(attribute, names)}` : null;
    }
    if (LINKS.has(name)) {
      if (!dynamic && REMOTE.test(attribute.value) && name !== 'href') {
        this.remote.push({ url: attribute.value, line: lineAt(this.source, attribute.offset) });
      }
      return `${JSON.stringify(SPELLED[name] ?? attribute.name)}: r.a(${this.value(attribute, names)})`;
    }
    const field = tag === 'input' || tag === 'textarea' || tag === 'select';
    if (field && !dynamic && name === 'value' && !FIXED_VALUE.test(type)) {
      return `defaultValue: ${this.value(attribute, names)}`;
    }
    if (tag === 'input' && !dynamic && name === 'checked') return 'defaultChecked: true';
    const spelled = SPELLED[name] ?? attribute.name;
    if (!dynamic && BOOLEAN.has(name)) return `${JSON.stringify(spelled)}: true`;
    return `${JSON.stringify(spelled)}: ${this.value(attribute, names)}`;
  }

  /** Pictures and fonts that a style takes from other hosts. */
  private noteRemote({ value, offset }: Attribute): void {
    for (const url of remoteUrls(value)) this.remote.push({ url, line: lineAt(this.source, offset) });
  }

  /** The value of an attribute: the very value of one expression, or a text made of several pieces. */
  private value({ value, offset }: Pick<Attribute, 'value' | 'offset'>, names: ReadonlySet<string>): string {
    const at = this.source.indexOf(value, offset);
    const from = at === -1 ? offset : at;
    const pieces = piecesOf(value).filter((piece) => piece.kind === 'expression' || piece.text !== '');
    const [only] = pieces;
    if (!only) return '""';
    const spaceless = pieces.filter((piece) => piece.kind === 'expression' || piece.text.trim() !== '');
    if (spaceless.length === 1 && spaceless[0]!.kind === 'expression') {
      return this.expression(spaceless[0]!.text, from + spaceless[0]!.offset, names);
    }
    const texts = pieces.map((piece) =>
      piece.kind === 'plain'
        ? JSON.stringify(piece.text)
        : `r.x(${this.expression(piece.text, from + piece.offset, names)})`,
    );
    return texts.length === 1 ? texts[0]! : `(${texts.join(' + ')})`;
  }

  private needed(element: ElementNode, name: string, names: ReadonlySet<string>): string {
    const attribute = attributeOf(element, name);
    if (!attribute) throw this.error(element.offset, `${element.tag} has no ${name}`);
    return this.value(attribute, names);
  }

  private expression(text: string, offset: number, names: ReadonlySet<string>): string {
    try {
      return compileExpression(text, names);
    } catch (error) {
      if (!(error instanceof ExpressionRefused)) throw error;
      throw this.error(offset, `{{ ${text.trim()} }}: ${error.message}`);
    }
  }

  private error(offset: number, reason: string): CanvasError {
    return new CanvasError(this.file, lineAt(this.source, offset), reason);
  }
}

interface Place {
  readonly inBranch: boolean;
  /** Blank text has no place here. */
  readonly tight: boolean;
  readonly inSvg?: boolean;
}

const TIGHT = new Set([
  'table',
  'tbody',
  'thead',
  'tfoot',
  'tr',
  'colgroup',
  'select',
  'optgroup',
  'datalist',
  'ul',
  'ol',
  'dl',
]);
const CUSTOM = /-/;
/** Inputs whose value nobody types. */
const FIXED_VALUE = /^(button|submit|reset|radio|checkbox|hidden)$/i;

/** Addresses of other hosts in a CSS text. */
export function remoteUrls(css: string): string[] {
  return [...css.matchAll(/url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)/gi)].map(([, url]) => url!);
}

function isTag(element: ElementNode, tag: string): boolean {
  return element.tag.toLowerCase() === tag;
}

/** The editor writes `sc-camel-on-change` for `onChange`, since HTML forgets the case. */
function written(name: string): string {
  const camel = /^sc-camel-(.+)$/i.exec(name)?.[1];
  if (camel === undefined) return name;
  return camel.toLowerCase().replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** `onclick` and `onClick` are one event. */
function eventName(written: string): string {
  if (/[A-Z]/.test(written)) return written;
  return EVENTS[written] ?? `on${written.charAt(2).toUpperCase()}${written.slice(3)}`;
}

const EVENTS: Readonly<Record<string, string>> = Object.fromEntries(
  'onKeyDown onKeyUp onKeyPress onMouseDown onMouseUp onMouseMove onMouseEnter onMouseLeave onMouseOver onMouseOut onDoubleClick onPointerDown onPointerUp onPointerMove onPointerEnter onPointerLeave onTouchStart onTouchEnd onTouchMove onDragStart onDragEnd onDragOver onDragEnter onDragLeave onContextMenu onAnimationEnd onTransitionEnd'
    .split(' ')
    .map((name) => [name.toLowerCase(), name]),
);
