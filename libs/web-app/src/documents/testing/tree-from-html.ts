import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import type { TreeNode } from '../anchoring/text-map';

/** A tree with the shape of the DOM, made from HTML without a browser. */
export class TestNode implements TreeNode {
  readonly childNodes: TestNode[] = [];
  parentNode: TestNode | null = null;
  data?: string;

  constructor(
    readonly nodeType: number,
    readonly nodeName: string,
    private readonly attributes: Record<string, string> = {},
  ) {}

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  /** All elements with `data-start`, in document order. */
  *blocks(): Generator<TestNode> {
    for (const child of this.childNodes) {
      if (child.nodeType !== 1) continue;
      if (child.getAttribute('data-start') !== null) yield child;
      yield* child.blocks();
    }
  }

  /** The first text node that holds these words, and where they begin in it. */
  find(words: string): { node: TestNode; at: number } {
    for (const child of this.childNodes) {
      if (child.nodeType === 3 && child.data?.includes(words))
        return { node: child, at: child.data.indexOf(words) };
      if (child.nodeType === 1) {
        try {
          return child.find(words);
        } catch {
          // Not in this branch.
        }
      }
    }
    throw new Error(`No text node holds "${words}".`);
  }

  first(name: string): TestNode {
    for (const child of this.childNodes) {
      if (child.nodeName === name) return child;
      try {
        return child.first(name);
      } catch {
        // Not in this branch.
      }
    }
    throw new Error(`No ${name}.`);
  }
}

export function treeFromHtml(html: string): TestNode {
  const root = new TestNode(1, 'ARTICLE');
  for (const child of parseFragment(html).childNodes) add(root, child);
  return root;
}

function add(parent: TestNode, source: DefaultTreeAdapterTypes.Node): void {
  if (source.nodeName === '#text') {
    const text = new TestNode(3, '#text');
    text.data = (source as DefaultTreeAdapterTypes.TextNode).value;
    append(parent, text);
    return;
  }
  if (!('tagName' in source)) return;
  const attributes = Object.fromEntries(source.attrs.map(({ name, value }) => [name, value]));
  const element = new TestNode(1, source.tagName.toUpperCase(), attributes);
  append(parent, element);
  for (const child of source.childNodes) add(element, child);
}

function append(parent: TestNode, child: TestNode): void {
  child.parentNode = parent;
  parent.childNodes.push(child);
}
