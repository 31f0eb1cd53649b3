import type { Element, ElementContent, Root, RootContent } from 'hast';

/** Elements that run code, load other documents, or change what the page may do. */
const ACTIVE = new Set([
  'script',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'portal',
  'fencedframe',
  'base',
]);

/** Attributes that run, send, or no longer fit what is left. */
const DROPPED = new Set([
  'srcDoc',
  'formAction',
  'action',
  'ping',
  'integrity',
  'nonce',
  'crossOrigin',
  'referrerPolicy',
  'is',
  'manifest',
  'fetchPriority',
  'imageSrcSet',
  'imageSizes',
]);

/** SVG elements that can write an attribute of another one. */
const ANIMATIONS = new Set(['animate', 'set', 'animatemotion', 'animatetransform']);

/** Takes out of a tree everything that could run, with what only makes sense for it. @returns how many scripts there were */
export function removeActive(tree: Root | Element): number {
  let scripts = 0;
  const children: (RootContent | ElementContent)[] = [];
  for (const child of tree.children) {
    if (child.type === 'comment') continue;
    if (child.type !== 'element') {
      children.push(child);
      continue;
    }
    const name = child.tagName.toLowerCase().replace(/^.*:/, '');
    if (name === 'script') scripts += 1;
    if (ACTIVE.has(name) || isUnsafeMeta(child) || isAnimationOfAddress(name, child)) continue;
    cleanAttributes(child);
    scripts += removeActive(child);
    if (child.content) scripts += removeActive(child.content);
    // With no script left, what was meant for its absence shows.
    if (name === 'noscript') children.push(...child.children.filter((inner) => !isPixel(inner)));
    else children.push(child);
  }
  (tree as { children: (RootContent | ElementContent)[] }).children = children;
  return scripts;
}

/** True for addresses that run code or hold another document. */
export function isActiveAddress(value: unknown): boolean {
  // Browsers skip control characters and white space inside a scheme.
  const address = String(value ?? '')
    .replace(/[\p{Cc}\p{Z}]+/gu, '')
    .toLowerCase();
  return (
    /^(javascript|vbscript|livescript|mocha):/.test(address) ||
    /^data:(?!image\/(?!svg)|font\/)/.test(address)
  );
}

/** Elements that show an image and can do nothing else with it, so that an SVG in its address runs nothing. */
const IMAGE_HOLDERS = new Set(['img', 'input', 'video', 'body', 'table', 'td', 'th']);

function cleanAttributes({ tagName, properties }: Element): void {
  for (const [name, value] of Object.entries(properties)) {
    const isPicture = IMAGE_HOLDERS.has(tagName) && /^(src|poster|background)$/.test(name);
    const isKept = isPicture && /^\s*data:image\//i.test(String(value));
    if (/^on/i.test(name) || DROPPED.has(name) || loadsElsewhere(name, value)) delete properties[name];
    else if (ADDRESSES.test(name) && !isKept && isActiveAddress(value)) delete properties[name];
  }
}

const ADDRESSES = /^(href|src|xlinkHref|data|poster|background|longDesc|cite|to|from|values|by)$/i;

/** Presentation attributes of SVG may name a place in another document. */
function loadsElsewhere(name: string, value: unknown): boolean {
  return (
    name !== 'style' &&
    /url\(\s*["']?\s*(?!#)/i.test(String(value)) &&
    !/^(title|alt|content|label|value|placeholder|aria)/i.test(name)
  );
}

function isUnsafeMeta({ tagName, properties }: Element): boolean {
  return tagName === 'meta' && properties.httpEquiv !== undefined;
}

function isAnimationOfAddress(name: string, { properties }: Element): boolean {
  return ANIMATIONS.has(name) && /href$/i.test(String(properties.attributeName ?? ''));
}

function isPixel(node: ElementContent): boolean {
  return (
    node.type === 'element' &&
    node.tagName === 'img' &&
    [node.properties.width, node.properties.height].some((size) => Number(size) <= 1)
  );
}
