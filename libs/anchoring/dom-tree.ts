import type { TextTree } from './plain-text.js';

/** The part of a DOM node that reading plain text needs, so that this file needs no DOM types. */
export interface DomNodeLike {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly childNodes: ArrayLike<DomNodeLike>;
  getAttribute?(name: string): string | null;
  hasAttribute?(name: string): boolean;
}

const ELEMENT = 1;
const TEXT = 3;

/** Reads the DOM of a browser. */
export const domTree: TextTree<DomNodeLike> = {
  tag: (node) => (node.nodeType === ELEMENT ? node.nodeName.toLowerCase() : null),
  text: (node) => (node.nodeType === TEXT ? node.nodeValue : null),
  children: (node) => node.childNodes,
  skipped: (node) => node.hasAttribute?.('data-no-anchor') ?? false,
  alt: (node) => node.getAttribute?.('alt') ?? '',
};
