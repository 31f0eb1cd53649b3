import type { Nodes } from 'mdast';

/** Elements that take what follows with them, or turn it around, as long as they are not closed. */
const MUST_CLOSE =
  'applet audio canvas frameset head iframe math noembed noframes noscript object plaintext script select style svg ' +
  'table template textarea title video xmp';

const OPENING = new RegExp(`<(${MUST_CLOSE.replaceAll(' ', '|')})(?=[\\s/>])`, 'gi');
const CLOSING = new RegExp(`</(${MUST_CLOSE.replaceAll(' ', '|')})(?=[\\s/>]|$)`, 'gi');

/**
 * Shows the tag of such an element as it is written when none of its siblings closes it, so that one
 * forgotten tag never makes the rest of a document vanish. In place, linear.
 */
export function escapeUnclosed(siblings: readonly Nodes[]): void {
  const closedLater = new Set<string>();
  for (let at = siblings.length - 1; at >= 0; at--) {
    const node = siblings[at]!;
    if (node.type !== 'html') continue;
    const lastClosing = new Map<string, number>();
    for (const match of node.value.matchAll(CLOSING)) lastClosing.set(match[1]!.toLowerCase(), match.index);
    node.value = node.value.replace(OPENING, (tag, name: string, index: number) => {
      const key = name.toLowerCase();
      const isClosed =
        closedLater.has(key) || (lastClosing.get(key) ?? -1) > index || isSelfClosed(node.value, index);
      return isClosed ? tag : `&lt;${name}`;
    });
    for (const key of lastClosing.keys()) closedLater.add(key);
  }
}

/** Only drawings and formulas can close themselves in HTML. */
function isSelfClosed(value: string, index: number): boolean {
  return /^<(?:svg|math)\b[^<>]*\/>/i.test(value.slice(index, index + 2_000));
}
