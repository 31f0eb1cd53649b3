import { diffArrays } from 'diff';
import { type Block, textOfBlock } from './block-tree.js';
import { type Deadline, tooLargeToCompare } from './deadline.js';

/** A block of either side, or the two that are one block before and after. */
export interface BlockPair {
  readonly before: Block | null;
  readonly after: Block | null;
}

/** Share of common words from which two blocks are one that was edited. */
const SIMILAR = 0.35;

/** Pairs of a stretch that are weighed; a larger stretch is shown as removed and added. */
const MOST_PAIRS = 10_000;

/** Aligns siblings: equal ones by the longest common subsequence, then edited ones between them. */
export function pairBlocks(
  before: readonly Block[],
  after: readonly Block[],
  deadline: Deadline,
): BlockPair[] {
  const parts = diffArrays(
    before.map((block) => block.signature),
    after.map((block) => block.signature),
    { timeout: deadline.left },
  );
  if (parts === undefined) throw tooLargeToCompare();
  const pairs: BlockPair[] = [];
  let left: Block[] = [];
  let right: Block[] = [];
  let i = 0;
  let j = 0;
  for (const part of parts) {
    if (part.removed) for (let k = 0; k < part.value.length; k++) left.push(before[i++]!);
    else if (part.added) for (let k = 0; k < part.value.length; k++) right.push(after[j++]!);
    else {
      pairs.push(...pairEdited(left, right, deadline));
      left = [];
      right = [];
      for (let k = 0; k < part.value.length; k++) pairs.push({ before: before[i++]!, after: after[j++]! });
    }
  }
  pairs.push(...pairEdited(left, right, deadline));
  return pairs;
}

/** Pairs edited blocks in order so that the most words agree; the rest stays alone, removed ones first. */
function pairEdited(left: readonly Block[], right: readonly Block[], deadline: Deadline): BlockPair[] {
  const pairs: BlockPair[] = [];
  let x = 0;
  let y = 0;
  if (left.length > 0 && right.length > 0 && left.length * right.length <= MOST_PAIRS) {
    const width = right.length + 1;
    const { gains, table } = weigh(left, right, deadline);
    while (x < left.length && y < right.length) {
      const gain = gains[x * right.length + y]!;
      if (gain > 0 && table[x * width + y] === gain + table[(x + 1) * width + y + 1]!) {
        pairs.push({ before: left[x++]!, after: right[y++]! });
      } else if (table[x * width + y] === table[(x + 1) * width + y]) {
        pairs.push({ before: left[x++]!, after: null });
      } else {
        pairs.push({ before: null, after: right[y++]! });
      }
    }
  }
  while (x < left.length) pairs.push({ before: left[x++]!, after: null });
  while (y < right.length) pairs.push({ before: null, after: right[y++]! });
  return pairs;
}

function weigh(left: readonly Block[], right: readonly Block[], deadline: Deadline) {
  const leftWords = left.map(wordsOf);
  const rightWords = right.map(wordsOf);
  const width = right.length + 1;
  const gains = new Float64Array(left.length * right.length);
  const table = new Float64Array((left.length + 1) * width);
  for (let x = left.length - 1; x >= 0; x--) {
    deadline.check();
    for (let y = right.length - 1; y >= 0; y--) {
      const gain = mayPair(left[x]!, right[y]!) ? gainOf(leftWords[x]!, rightWords[y]!) : 0;
      gains[x * right.length + y] = gain;
      table[x * width + y] = Math.max(
        table[(x + 1) * width + y]!,
        table[x * width + y + 1]!,
        gain > 0 ? gain + table[(x + 1) * width + y + 1]! : 0,
      );
    }
  }
  return { gains, table };
}

/** Blocks of another kind are never one block. */
function mayPair(before: Block, after: Block): boolean {
  const left = before.element;
  const right = after.element;
  if (left === null || right === null) return left === right;
  if (/^h[1-6]$/.test(left.tagName) && /^h[1-6]$/.test(right.tagName)) return true;
  const sameBox = String(left.properties.className ?? '') === String(right.properties.className ?? '');
  return left.tagName === right.tagName && (sameBox || left.tagName === 'li');
}

interface Words {
  readonly bag: ReadonlyMap<string, number>;
  readonly count: number;
}

function wordsOf(block: Block): Words {
  const bag = new Map<string, number>();
  let count = 0;
  for (const [word] of textOfBlock(block).matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
    bag.set(word, (bag.get(word) ?? 0) + 1);
    count += 1;
  }
  return { bag, count };
}

function gainOf(left: Words, right: Words): number {
  let common = 0;
  for (const [word, count] of left.bag) common += Math.min(count, right.bag.get(word) ?? 0);
  const likeness = left.count + right.count === 0 ? 1 : (2 * common) / (left.count + right.count);
  return likeness >= SIMILAR ? 0.01 + likeness * common : 0;
}
