import type { FootnoteDefinition, FootnoteReference, Nodes, Root, RootContent } from 'mdast';
import type { Marks } from './marks.js';

/**
 * Numbers footnotes by their first mention and moves the mentioned ones to a marked list at the end
 * of the text. Marks and back links are minted later and carry no anchor.
 */
export function collectFootnotes(root: Root, marks: Marks): void {
  const definitions = new Map<string, FootnoteDefinition>();
  const references: FootnoteReference[] = [];
  gather(root, definitions, references);
  if (definitions.size === 0) return;
  const numbers = new Map<string, number>();
  const items: RootContent[] = [];
  const mentions = new Map<string, number>();
  // Notes may mention notes, so the list of mentions grows while it is read.
  for (let at = 0; at < references.length; at++) {
    const reference = references[at]!;
    const definition = definitions.get(reference.identifier);
    if (definition === undefined) continue;
    let number = numbers.get(reference.identifier);
    if (number === undefined) {
      number = numbers.size + 1;
      numbers.set(reference.identifier, number);
      items.push({
        type: 'listItem',
        spread: true,
        children: definition.children,
        data: { hProperties: marks.of('footnote', number) },
      } as RootContent);
      for (const child of definition.children) gather(child, new Map(), references);
    }
    const mention = (mentions.get(reference.identifier) ?? 0) + 1;
    mentions.set(reference.identifier, mention);
    Object.assign(reference, {
      type: 'footnoteMark',
      children: [],
      data: { hName: 'sup', hProperties: marks.of('footnote-ref', `${number}-${mention}`) },
    });
  }
  if (items.length === 0) return;
  root.children.push({
    type: 'footnoteList',
    children: [{ type: 'list', ordered: true, spread: true, children: items }],
    data: { hName: 'div', hProperties: marks.of('footnotes') },
  } as unknown as RootContent);
}

/** Collects in text order and takes the definitions out of the tree. */
function gather(
  node: Nodes,
  definitions: Map<string, FootnoteDefinition>,
  references: FootnoteReference[],
): void {
  if (node.type === 'footnoteReference') references.push(node);
  if (!('children' in node)) return;
  for (const child of node.children) {
    if (child.type === 'footnoteDefinition') {
      if (!definitions.has(child.identifier)) definitions.set(child.identifier, child);
    } else {
      gather(child, definitions, references);
    }
  }
  if (node.children.some((child) => child.type === 'footnoteDefinition')) {
    (node as { children: RootContent[] }).children = node.children.filter(
      (child) => child.type !== 'footnoteDefinition',
    ) as RootContent[];
  }
}
