import { diffArrays } from 'diff';
import type { Element, ElementContent } from 'hast';
import type { Signatures } from './block-tree.js';
import type { Deadline } from './deadline.js';

type Change = 'same' | 'added' | 'removed';

/** A word, or an element that is taken whole, with the inline elements around it. */
interface Token {
  readonly path: readonly Element[];
  readonly node: ElementContent;
  readonly key: number;
  readonly isSpace: boolean;
}

const TOKEN = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;

/** Beyond this many words on both sides a leaf is shown as removed and added whole. */
const MOST_TOKENS = 6_000;

/** Inline content with removed and added words marked in it. Old ids and offsets are left out. */
export function mergeWords(
  before: readonly ElementContent[],
  after: readonly ElementContent[],
  signatures: Signatures,
  deadline: Deadline,
): ElementContent[] {
  deadline.check();
  const left = tokensOf(before, [], signatures);
  const right = tokensOf(after, [], signatures);
  const groups =
    left.length + right.length > MOST_TOKENS ? wholesale(left, right) : groupsOf(left, right, deadline);
  return groups.flatMap(({ change, tokens }) => {
    const content = rebuild(tokens);
    return change === 'same' ? content : [marked(change, content)];
  });
}

/** Wraps content as removed or added, with words for those who hear the page. */
export function marked(change: 'added' | 'removed', content: ElementContent[]): Element {
  const label: Element = {
    type: 'element',
    tagName: 'span',
    properties: { className: ['visually-hidden'], dataNoAnchor: '' },
    children: [{ type: 'text', value: change === 'added' ? 'Added: ' : 'Removed: ' }],
  };
  return {
    type: 'element',
    tagName: change === 'added' ? 'ins' : 'del',
    properties:
      change === 'added' ? { className: ['diff-added'] } : { className: ['diff-removed'], dataNoAnchor: '' },
    children: [label, ...content],
  };
}

interface Group {
  readonly change: Change;
  readonly tokens: Token[];
}

function groupsOf(left: readonly Token[], right: readonly Token[], deadline: Deadline): Group[] {
  const parts = diffArrays(
    left.map((token) => token.key),
    right.map((token) => token.key),
    { timeout: deadline.left },
  );
  if (parts === undefined) return wholesale(left, right);
  const raw: Group[] = [];
  let i = 0;
  let j = 0;
  for (const part of parts) {
    const size = part.value.length;
    const change = part.removed ? 'removed' : part.added ? 'added' : 'same';
    raw.push({ change, tokens: change === 'removed' ? left.slice(i, i + size) : right.slice(j, j + size) });
    if (change !== 'added') i += size;
    if (change !== 'removed') j += size;
  }
  return smooth(raw);
}

/** A space alone between two changes belongs to both, so that a phrase reads as one change. */
function smooth(groups: readonly Group[]): Group[] {
  const result: Group[] = [];
  let removed: Token[] = [];
  let added: Token[] = [];
  const flush = (): void => {
    if (removed.length > 0) result.push({ change: 'removed', tokens: removed });
    if (added.length > 0) result.push({ change: 'added', tokens: added });
    removed = [];
    added = [];
  };
  groups.forEach((group, index) => {
    if (group.change === 'removed') removed.push(...group.tokens);
    else if (group.change === 'added') added.push(...group.tokens);
    else {
      const joins = removed.length > 0 && added.length > 0 && index + 1 < groups.length;
      if (joins && group.tokens.every((token) => token.isSpace)) {
        removed.push(...group.tokens);
        added.push(...group.tokens);
      } else {
        flush();
        result.push(group);
      }
    }
  });
  flush();
  return result;
}

function wholesale(left: readonly Token[], right: readonly Token[]): Group[] {
  const groups: Group[] = [];
  if (left.length > 0) groups.push({ change: 'removed', tokens: [...left] });
  if (right.length > 0) groups.push({ change: 'added', tokens: [...right] });
  return groups;
}

function tokensOf(
  nodes: readonly ElementContent[],
  path: readonly Element[],
  signatures: Signatures,
): Token[] {
  const tokens: Token[] = [];
  const around = path.map((element) => signatures.head(element)).join('');
  for (const node of nodes) {
    if (node.type === 'text') {
      for (const [value] of node.value.matchAll(TOKEN)) {
        const isSpace = value.trim() === '';
        const key = signatures.number(`w${around}|${isSpace && !value.includes('\n') ? ' ' : value}`);
        tokens.push({ path, node: { type: 'text', value }, key, isSpace });
      }
    } else if (node.type === 'element') {
      if (isWhole(node)) {
        tokens.push({
          path,
          node,
          key: signatures.number(`e${around}|${signatures.of(node)}`),
          isSpace: false,
        });
      } else {
        tokens.push(...tokensOf(node.children, [...path, node], signatures));
      }
    }
  }
  return tokens;
}

function isWhole(element: Element): boolean {
  return element.children.length === 0 || element.properties.dataNoAnchor !== undefined;
}

/** Nests tokens in their inline elements again; neighbours share what they shared before. */
function rebuild(tokens: readonly Token[]): ElementContent[] {
  const result: ElementContent[] = [];
  const open: { readonly source: Element; readonly copy: Element }[] = [];
  for (const token of tokens) {
    let shared = 0;
    while (shared < open.length && open[shared]!.source === token.path[shared]) shared += 1;
    open.length = shared;
    for (const source of token.path.slice(shared)) {
      const copy: Element = { ...source, properties: { ...source.properties }, children: [] };
      (open.at(-1)?.copy.children ?? result).push(copy);
      open.push({ source, copy });
    }
    const target = open.at(-1)?.copy.children ?? result;
    const last = target.at(-1);
    if (token.node.type === 'text' && last?.type === 'text') last.value += token.node.value;
    else target.push(structuredClone(token.node));
  }
  return result;
}
