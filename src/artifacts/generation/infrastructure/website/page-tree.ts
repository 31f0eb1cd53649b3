import type { Element, ElementContent, Root, RootContent } from 'hast';

type Parent = Root | Element;

/** All elements of a tree in order, those inside templates too. */
export function elementsOf(tree: Parent, into: Element[] = []): Element[] {
  for (const child of tree.children) {
    if (child.type !== 'element') continue;
    into.push(child);
    elementsOf(child, into);
    if (child.content) elementsOf(child.content, into);
  }
  return into;
}

/** Text of a tree as it stands, without what is never shown. */
export function textOfTree(tree: Parent): string {
  return tree.children
    .map((child) => {
      if (child.type === 'text') return child.value;
      return child.type === 'element' && !/^(style|template|title)$/.test(child.tagName)
        ? textOfTree(child)
        : '';
    })
    .join('');
}

export function elementNamed(tree: Parent, name: string): Element | undefined {
  return elementsOf(tree).find((element) => element.tagName === name);
}

/** Takes elements out, wherever they are. */
export function without(tree: Parent, gone: ReadonlySet<Element>): void {
  const keep = (child: RootContent | ElementContent) => child.type !== 'element' || !gone.has(child);
  (tree as { children: (RootContent | ElementContent)[] }).children = tree.children.filter(keep);
  for (const child of tree.children) {
    if (child.type !== 'element') continue;
    without(child, gone);
    if (child.content) without(child.content, gone);
  }
}
