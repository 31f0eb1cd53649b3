import { diffArrays } from 'diff';
import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type {
  ComparedText,
  Comparison,
  ComparisonLine,
  ComparisonRow,
  ComparisonView,
  MarkdownComparison,
  RenderedComparison,
  SideBySideComparison,
} from '../../application/ports/version-comparer.js';
import { utf8Length } from '../../domain/markdown-text.js';
import { type BlockPair, pairBlocks } from './block-pairs.js';
import { type Block, leafCountOf, readBlocks, Signatures } from './block-tree.js';
import { Deadline, tooLargeToCompare } from './deadline.js';
import { BlockMerge, forget, inert, nodesOf, wholly } from './merge-blocks.js';
import { mergeWords } from './word-merge.js';

const MOST_BLOCKS_BY_WORD = 5_000;
const MOST_BYTES_BY_WORD = 200 * 1024;

/** @throws DomainError `too_large_to_compare` after 3 seconds */
export function compareTexts(view: ComparisonView, before: ComparedText, after: ComparedText): Comparison {
  const deadline = new Deadline();
  if (view === 'markdown') return compareLines(before.markdown, after.markdown, deadline);
  const signatures = new Signatures();
  const left = readBlocks(before.html, signatures);
  const right = readBlocks(after.html, signatures);
  deadline.check();
  const comparesWords =
    Math.max(leafCountOf(left), leafCountOf(right)) <= MOST_BLOCKS_BY_WORD &&
    Math.max(utf8Length(before.markdown), utf8Length(after.markdown)) <= MOST_BYTES_BY_WORD;
  return view === 'rendered'
    ? compareRendered(left, right, signatures, deadline, comparesWords)
    : compareSideBySide(left, right, signatures, deadline, comparesWords);
}

function compareRendered(
  before: readonly Block[],
  after: readonly Block[],
  signatures: Signatures,
  deadline: Deadline,
  comparesWords: boolean,
): RenderedComparison {
  const merge = new BlockMerge(signatures, deadline, comparesWords);
  const children = merge.merge(before, after);
  deadline.check();
  return { view: 'rendered', changes: merge.changes, html: htmlOf(children) };
}

function compareSideBySide(
  before: readonly Block[],
  after: readonly Block[],
  signatures: Signatures,
  deadline: Deadline,
  comparesWords: boolean,
): SideBySideComparison {
  const rows = pairBlocks(before.flatMap(entries), after.flatMap(entries), deadline).map(
    (pair): ComparisonRow => {
      const changed = pair.before?.signature !== pair.after?.signature;
      return {
        left:
          pair.before === null
            ? null
            : sideOf(pair, 'removed', comparesWords && changed, signatures, deadline),
        right:
          pair.after === null ? null : sideOf(pair, 'added', comparesWords && changed, signatures, deadline),
        changed,
      };
    },
  );
  return { view: 'side-by-side', changes: rows.filter((row) => row.changed).length, rows };
}

/** Entries of a list stand in rows of their own, each in a list of one. */
function entries(block: Block): Block[] {
  const list = block.element;
  if (list === null || (list.tagName !== 'ul' && list.tagName !== 'ol')) return [block];
  const first = Number(list.properties.start ?? 1);
  return block.blocks.map((entry, index) => ({
    element: {
      ...list,
      properties:
        list.tagName === 'ol' ? { ...list.properties, start: first + index } : { ...list.properties },
      children: nodesOf(entry),
    },
    blocks: [entry],
    inline: [],
    // The number in front may differ; the entry is the same all the same.
    signature: entry.signature,
    leafCount: entry.leafCount,
  }));
}

function sideOf(
  pair: BlockPair,
  change: 'added' | 'removed',
  marksWords: boolean,
  signatures: Signatures,
  deadline: Deadline,
): string {
  const own = change === 'removed' ? pair.before! : pair.after!;
  const other = change === 'removed' ? pair.after : pair.before;
  let nodes: ElementContent[];
  if (!marksWords) nodes = nodesOf(own);
  else if (other === null) nodes = wholly(own, change);
  else nodes = oneSided(own, other, change, signatures, deadline);
  const copies = inert(nodes);
  if (change === 'removed') forget(copies);
  return htmlOf(copies);
}

/** One side of a changed block with only its own changes marked. */
function oneSided(
  own: Block,
  other: Block,
  change: 'added' | 'removed',
  signatures: Signatures,
  deadline: Deadline,
): ElementContent[] {
  if (own.signature === other.signature) return nodesOf(own);
  if (own.blocks.length === 0 && other.blocks.length === 0) {
    const [before, after] = change === 'removed' ? [own, other] : [other, own];
    const merged = mergeWords(before.inline, after.inline, signatures, deadline);
    const unwanted = change === 'removed' ? 'diff-added' : 'diff-removed';
    const content = merged.filter(
      (node) => node.type !== 'element' || !String(node.properties.className ?? '').includes(unwanted),
    );
    return own.element === null
      ? content
      : [{ ...own.element, properties: { ...own.element.properties }, children: content }];
  }
  if (own.element === null || own.blocks.length === 0 || other.blocks.length === 0)
    return wholly(own, change);
  const [before, after] = change === 'removed' ? [own.blocks, other.blocks] : [other.blocks, own.blocks];
  const children = pairBlocks(before, after, deadline).flatMap((pair) => {
    const mine = change === 'removed' ? pair.before : pair.after;
    const theirs = change === 'removed' ? pair.after : pair.before;
    if (mine === null) return [];
    return theirs === null ? wholly(mine, change) : oneSided(mine, theirs, change, signatures, deadline);
  });
  return [{ ...own.element, properties: { ...own.element.properties }, children }];
}

function compareLines(before: string, after: string, deadline: Deadline): MarkdownComparison {
  const parts = diffArrays(linesOf(before), linesOf(after), { timeout: deadline.left });
  if (parts === undefined) throw tooLargeToCompare();
  const lines: ComparisonLine[] = [];
  let left = 0;
  let right = 0;
  let changes = 0;
  let wasChanged = false;
  for (const part of parts) {
    const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
    if (kind !== 'same' && !wasChanged) changes += 1;
    wasChanged = kind !== 'same';
    for (const text of part.value) {
      lines.push({
        kind,
        text,
        left: kind === 'added' ? null : ++left,
        right: kind === 'removed' ? null : ++right,
      });
    }
  }
  return { view: 'markdown', changes, lines };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function htmlOf(nodes: ElementContent[]): string {
  return toHtml({ type: 'root', children: nodes });
}
