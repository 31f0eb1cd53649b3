import type { Nodes } from 'hast';
import type { TextTree } from '#libs/anchoring/plain-text.js';

const NONE: readonly Nodes[] = [];

/** Reads the syntax tree of HTML. */
export const hastTree: TextTree<Nodes> = {
  tag: (node) => (node.type === 'element' ? node.tagName : null),
  text: (node) => (node.type === 'text' ? node.value : null),
  children: (node) => ('children' in node ? node.children : NONE),
  skipped: (node) =>
    node.type === 'element' &&
    node.properties.dataNoAnchor !== undefined &&
    node.properties.dataNoAnchor !== null &&
    node.properties.dataNoAnchor !== false,
  alt: (node) => (node.type === 'element' ? String(node.properties.alt ?? '') : ''),
};
