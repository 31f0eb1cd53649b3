import { generate, parse } from 'css-tree';
import type { Element, ElementContent, Root } from 'hast';

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));

const INLINE = new Set(
  'a abbr b bdi bdo button cite code data dfn em i img input kbd label mark q s samp select small span strong sub sup svg textarea time u var'.split(
    ' ',
  ),
);

/** Where React's names differ from those of the tree. */
const REACT_NAMES: Readonly<Record<string, string>> = {
  classId: 'classID',
  dataType: 'datatype',
  itemId: 'itemID',
  strokeDashArray: 'strokeDasharray',
  strokeDashOffset: 'strokeDashoffset',
  strokeLineCap: 'strokeLinecap',
  strokeLineJoin: 'strokeLinejoin',
  strokeMiterLimit: 'strokeMiterlimit',
  typeOf: 'typeof',
  xLinkActuate: 'xlinkActuate',
  xLinkArcRole: 'xlinkArcrole',
  xLinkHref: 'xlinkHref',
  xLinkRole: 'xlinkRole',
  xLinkShow: 'xlinkShow',
  xLinkTitle: 'xlinkTitle',
  xLinkType: 'xlinkType',
  xmlnsXLink: 'xmlnsXlink',
};

/** Children of a page as JSX, indented; with `isPre` text keeps its white space, else only where it can be seen. */
export function jsxOf(children: Root['children'] | ElementContent[], depth: number, isPre = false): string {
  return children
    .flatMap((child, index) => {
      if (child.type === 'text') {
        const isGap =
          !isPre &&
          /^\s*$/.test(child.value) &&
          !(isInline(children[index - 1]) && isInline(children[index + 1]));
        return isGap ? [] : textOf(child.value, isPre);
      }
      return child.type === 'element' && child.tagName !== 'template' ? [elementOf(child, depth, isPre)] : [];
    })
    .map((line) => `${'  '.repeat(depth)}${line}\n`)
    .join('');
}

/** White space beside such a neighbour can be seen. */
function isInline(node: Root['children'][number] | undefined): boolean {
  return node?.type === 'text' || (node?.type === 'element' && INLINE.has(node.tagName));
}

function elementOf(element: Element, depth: number, isPre: boolean): string {
  const attributes = Object.entries(element.properties).flatMap(([name, value]) =>
    attributeOf(element, name, value),
  );
  const start = [element.tagName, ...attributes].join(' ');
  if (VOID.has(element.tagName)) return `<${start} />`;
  if (element.tagName === 'textarea') {
    const text = element.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
    return `<${start} defaultValue={${JSON.stringify(text)}} />`;
  }
  const inner = jsxOf(element.children, depth + 1, isPre || element.tagName === 'pre');
  return inner === '' ? `<${start} />` : `<${start}>\n${inner}${'  '.repeat(depth)}</${element.tagName}>`;
}

function attributeOf(element: Element, name: string, value: unknown): string[] {
  if (value === null || value === undefined || value === false) return [];
  const { tagName } = element;
  if (tagName === 'option' && name === 'selected') return [];
  if (name === 'style') return typeof value === 'string' ? styleOf(value) : [];
  const jsxName =
    tagName === 'input' && name === 'value'
      ? 'defaultValue'
      : name === 'checked'
        ? 'defaultChecked'
        : Object.hasOwn(REACT_NAMES, name)
          ? REACT_NAMES[name]!
          : kebabOf(name);
  // What is no name in JSX was none of a known attribute.
  if (!/^[A-Za-z_][\w-]*$/.test(jsxName)) return [];
  if (value === true) return [jsxName];
  if (typeof value === 'number') return [`${jsxName}={${value}}`];
  return [`${jsxName}=${quoted(Array.isArray(value) ? value.join(' ') : String(value))}`];
}

/** A plain text in quotes; anything else as an expression. */
function quoted(text: string): string {
  return /^[^"&\\\p{Cc}]*$/u.test(text) ? `"${text}"` : `{${JSON.stringify(text)}}`;
}

/** `dataFooBar` and `ariaLabel` are written with hyphens. */
function kebabOf(name: string): string {
  return /^(data|aria)[A-Z0-9]/.test(name)
    ? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : name;
}

function styleOf(css: string): string[] {
  const tree = parse(css, { context: 'declarationList', parseValue: false });
  if (tree.type !== 'DeclarationList') return [];
  const entries = tree.children.toArray().flatMap((node) => {
    if (node.type !== 'Declaration') return [];
    const name = node.property.startsWith('--')
      ? node.property
      : node.property
          .replace(/^-ms-/, 'ms-')
          .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [`${JSON.stringify(name)}: ${JSON.stringify(generate(node.value).trim())}`];
  });
  return entries.length === 0 ? [] : [`style={{ ${entries.join(', ')} }}`];
}

function textOf(value: string, isPre: boolean): string[] {
  if (isPre) return value === '' ? [] : [`{${JSON.stringify(value)}}`];
  const text = value.replace(/[ \t\r\n\f]+/g, ' ');
  if (text === '') return [];
  const isPlain = text === text.trim() && !/[{}<>&\\]/.test(text);
  return [isPlain ? text : `{${JSON.stringify(text)}}`];
}
