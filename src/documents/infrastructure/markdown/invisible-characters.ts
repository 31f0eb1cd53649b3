import type { ElementContent, Root } from 'hast';

const IN_CODE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/;
// Overrides turn the order of letters around; no language needs them in running text.
const IN_PROSE = /[\u202D\u202E]/;

/** Wraps characters that cannot be seen but change what is read, so that the page can show them. */
export function markInvisible(root: Root): void {
  root.children = mark(root.children as ElementContent[], false);
}

function mark(nodes: readonly ElementContent[], inCode: boolean): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of nodes) {
    if (node.type === 'element') {
      const code = inCode || node.tagName === 'code' || node.tagName === 'pre' || node.tagName === 'kbd';
      node.children = mark(node.children, code);
      result.push(node);
    } else if (node.type === 'text' && (inCode ? IN_CODE : IN_PROSE).test(node.value)) {
      result.push(...split(node.value, inCode ? IN_CODE : IN_PROSE));
    } else {
      result.push(node);
    }
  }
  return result;
}

function split(value: string, pattern: RegExp): ElementContent[] {
  const result: ElementContent[] = [];
  let from = 0;
  for (let at = 0; at < value.length; at++) {
    if (!pattern.test(value[at]!)) continue;
    if (at > from) result.push({ type: 'text', value: value.slice(from, at) });
    const codePoint = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    result.push({
      type: 'element',
      tagName: 'span',
      properties: { className: ['invisible-mark'], dataCodePoint: `U+${codePoint}` },
      children: [{ type: 'text', value: value[at]! }],
    });
    from = at + 1;
  }
  if (from < value.length) result.push({ type: 'text', value: value.slice(from) });
  return result;
}
