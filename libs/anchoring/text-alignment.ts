import { alignSequences } from './sequence-alignment.js';
import { cutWords, type WordedText, WordNumbers } from './words.js';

/** Which word of the new text each word of the old one became; -1 for none. */
export interface TextAlignment {
  readonly before: WordedText;
  readonly after: WordedText;
  readonly toAfter: Int32Array;
}

/** Blocks are paired one by one below this many candidate pairs in a stretch; beyond, by words alone. */
const MOST_BLOCK_PAIRS = 20_000;

/** Share of common words from which two blocks count as one block that was edited. */
const SIMILAR = 0.35;

/** The same for a block at a place out of order. */
const SURELY_SIMILAR = 0.6;

/** Words of a block that is recognised out of order although it was edited. */
const LONG_BLOCK = 10;

/** A word that more blocks than this hold tells nothing. */
const MOST_HOLDERS = 8;

/** Words in a row that must agree before words outside paired blocks are believed. */
const SHORTEST_STRAY_RUN = 4;

/** Words that a block needs before it is recognised at a place out of order. */
const SHORTEST_MOVED_BLOCK = 3;

/**
 * Aligns two plain texts once for any number of anchors: equal blocks in order, equal blocks that
 * moved, then edited blocks of each stretch between them with their words, and last the words of
 * blocks that were split or joined. About linear for texts that share most of their blocks.
 */
export function alignTexts(beforeText: string, afterText: string): TextAlignment {
  const numbers = new WordNumbers();
  const before = cutWords(beforeText, numbers);
  const after = cutWords(afterText, numbers);
  const alignment = new BlockAlignment(before, after);
  alignment.run();
  return { before, after, toAfter: alignment.toAfter };
}

class BlockAlignment {
  readonly toAfter: Int32Array;
  private readonly fromAfter: Int32Array;
  private readonly blockToAfter: Int32Array;
  private readonly blockFromAfter: Int32Array;

  constructor(
    private readonly before: WordedText,
    private readonly after: WordedText,
  ) {
    this.toAfter = new Int32Array(before.ids.length).fill(-1);
    this.fromAfter = new Int32Array(after.ids.length).fill(-1);
    this.blockToAfter = new Int32Array(Math.max(0, before.blocks.length - 1)).fill(-1);
    this.blockFromAfter = new Int32Array(Math.max(0, after.blocks.length - 1)).fill(-1);
  }

  run(): void {
    const keys = new Map<string, number>();
    const beforeKeys = blockKeys(this.before, keys);
    const afterKeys = blockKeys(this.after, keys);
    // Only blocks that stand once lead: which of several equal lines is which, their neighbours tell.
    alignSequences(beforeKeys, afterKeys, (i, j) => this.pairBlocks(i, j), { fullTable: 0 });
    for (const gap of this.gaps()) {
      if (this.isLarge(gap)) this.pairEqual(gap, beforeKeys, afterKeys);
    }
    const gaps = this.gaps();
    this.pairMoved(beforeKeys, afterKeys);
    for (const gap of gaps) this.pairEdited(gap);
    this.pairMovedAndEdited();
    for (const gap of gaps) this.pairStrayWords(gap);
  }

  /** Stretches between the blocks that are aligned in order. */
  private gaps(): Gap[] {
    const gaps: Gap[] = [];
    let fromA = 0;
    let fromB = 0;
    const close = (toA: number, toB: number): void => {
      if (toA > fromA && toB > fromB) gaps.push({ fromA, toA, fromB, toB });
    };
    for (let i = 0; i < this.blockToAfter.length; i++) {
      const j = this.blockToAfter[i]!;
      if (j < 0) continue;
      close(i, j);
      fromA = i + 1;
      fromB = j + 1;
    }
    close(this.blockToAfter.length, this.blockFromAfter.length);
    return gaps;
  }

  private pairBlocks(i: number, j: number): void {
    this.blockToAfter[i] = j;
    this.blockFromAfter[j] = i;
    const length = this.before.blocks[i + 1]! - this.before.blocks[i]!;
    for (let word = 0; word < length; word++) {
      this.pairWords(this.before.blocks[i]! + word, this.after.blocks[j]! + word);
    }
  }

  private pairWords(i: number, j: number): void {
    this.toAfter[i] = j;
    this.fromAfter[j] = i;
  }

  private isLarge(gap: Gap): boolean {
    return (gap.toA - gap.fromA) * (gap.toB - gap.fromB) > MOST_BLOCK_PAIRS;
  }

  private pairEqual(gap: Gap, beforeKeys: Int32Array, afterKeys: Int32Array): void {
    alignSequences(beforeKeys, afterKeys, (i, j) => this.pairBlocks(i, j), {
      aFrom: gap.fromA,
      aTo: gap.toA,
      bFrom: gap.fromB,
      bTo: gap.toB,
    });
  }

  private pairMoved(beforeKeys: Int32Array, afterKeys: Int32Array): void {
    const left = soleFree(beforeKeys, this.blockToAfter);
    const right = soleFree(afterKeys, this.blockFromAfter);
    for (const [key, i] of left) {
      const j = right.get(key);
      if (i < 0 || j === undefined || j < 0) continue;
      if (this.before.blocks[i + 1]! - this.before.blocks[i]! >= SHORTEST_MOVED_BLOCK) this.pairBlocks(i, j);
    }
  }

  /** Pairs the edited blocks of a stretch, in order, so that the most words agree. */
  private pairEdited(gap: Gap): void {
    const left = freeBlocks(this.blockToAfter, gap.fromA, gap.toA);
    const right = freeBlocks(this.blockFromAfter, gap.fromB, gap.toB);
    if (left.length === 0 || right.length === 0) return;
    if (left.length * right.length > MOST_BLOCK_PAIRS) return;
    const bags = right.map((j) => bagOf(this.after, j));
    const width = right.length + 1;
    const table = new Float64Array((left.length + 1) * width);
    const gains = new Float64Array(left.length * right.length);
    for (let x = left.length - 1; x >= 0; x--) {
      for (let y = right.length - 1; y >= 0; y--) {
        const gain = this.gain(left[x]!, right[y]!, bags[y]!);
        gains[x * right.length + y] = gain;
        table[x * width + y] = Math.max(
          table[(x + 1) * width + y]!,
          table[x * width + y + 1]!,
          gain > 0 ? gain + table[(x + 1) * width + y + 1]! : 0,
        );
      }
    }
    let x = 0;
    let y = 0;
    while (x < left.length && y < right.length) {
      const gain = gains[x * right.length + y]!;
      if (gain > 0 && table[x * width + y] === gain + table[(x + 1) * width + y + 1]!) {
        this.alignWordsOf(left[x]!, right[y]!);
        x += 1;
        y += 1;
      } else if (table[x * width + y] === table[(x + 1) * width + y]) x += 1;
      else y += 1;
    }
  }

  /** Common words of two blocks, weighed by how alike the blocks are; 0 when they are not. */
  private gain(i: number, j: number, bag: ReadonlyMap<number, number>): number {
    const likeness = this.likeness(i, j, bag);
    const size =
      this.before.blocks[i + 1]! - this.before.blocks[i]! + this.after.blocks[j + 1]! - this.after.blocks[j]!;
    return likeness >= SIMILAR ? likeness * likeness * size : 0;
  }

  /** Share of the words of two blocks that they have in common, order aside. */
  private likeness(i: number, j: number, bag: ReadonlyMap<number, number>): number {
    const from = this.before.blocks[i]!;
    const to = this.before.blocks[i + 1]!;
    const size = this.after.blocks[j + 1]! - this.after.blocks[j]!;
    let common = 0;
    const used = new Map<number, number>();
    for (let word = from; word < to; word++) {
      const id = this.before.ids[word]!;
      const count = (used.get(id) ?? 0) + 1;
      used.set(id, count);
      if (count <= (bag.get(id) ?? 0)) common += 1;
    }
    return (2 * common) / (to - from + size);
  }

  private alignWordsOf(i: number, j: number): void {
    this.blockToAfter[i] = j;
    this.blockFromAfter[j] = i;
    alignSequences(this.before.ids, this.after.ids, (a, b) => this.pairWords(a, b), {
      aFrom: this.before.blocks[i]!,
      aTo: this.before.blocks[i + 1]!,
      bFrom: this.after.blocks[j]!,
      bTo: this.after.blocks[j + 1]!,
    });
  }

  /** Long blocks that moved and were edited on the way, recognised by words that are rare among the free ones. */
  private pairMovedAndEdited(): void {
    const right = freeBlocks(this.blockFromAfter, 0, this.blockFromAfter.length).filter((j) =>
      isLong(this.after, j),
    );
    if (right.length === 0) return;
    const holders = new Map<number, number[]>();
    for (const j of right) {
      for (const id of bagOf(this.after, j).keys()) {
        const blocks = holders.get(id);
        if (blocks === undefined) holders.set(id, [j]);
        else if (blocks.length <= MOST_HOLDERS) blocks.push(j);
      }
    }
    for (const i of freeBlocks(this.blockToAfter, 0, this.blockToAfter.length)) {
      if (!isLong(this.before, i)) continue;
      const votes = new Map<number, number>();
      for (const id of bagOf(this.before, i).keys()) {
        const blocks = holders.get(id) ?? [];
        if (blocks.length <= MOST_HOLDERS) for (const j of blocks) votes.set(j, (votes.get(j) ?? 0) + 1);
      }
      let best = -1;
      for (const [j, count] of votes)
        if (this.blockFromAfter[j]! < 0 && count > (votes.get(best) ?? 0)) best = j;
      if (best >= 0 && this.likeness(i, best, bagOf(this.after, best)) >= SURELY_SIMILAR)
        this.alignWordsOf(i, best);
    }
  }

  /** Words of a stretch that no block pair holds: blocks that were split, joined or rewritten. */
  private pairStrayWords(gap: Gap): void {
    const left = freeWords(this.toAfter, this.before.blocks[gap.fromA]!, this.before.blocks[gap.toA]!);
    const right = freeWords(this.fromAfter, this.after.blocks[gap.fromB]!, this.after.blocks[gap.toB]!);
    if (left.length === 0 || right.length === 0) return;
    const pairs: [number, number][] = [];
    alignSequences(
      left.map((i) => this.before.ids[i]!),
      right.map((j) => this.after.ids[j]!),
      (x, y) => pairs.push([left[x]!, right[y]!]),
    );
    pairs.sort((a, b) => a[0] - b[0]);
    let from = 0;
    for (let at = 1; at <= pairs.length; at++) {
      const runs =
        at < pairs.length &&
        pairs[at]![0] === pairs[at - 1]![0] + 1 &&
        pairs[at]![1] === pairs[at - 1]![1] + 1;
      if (runs) continue;
      if (at - from >= SHORTEST_STRAY_RUN) for (let k = from; k < at; k++) this.pairWords(...pairs[k]!);
      from = at;
    }
  }
}

interface Gap {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

function blockKeys(worded: WordedText, keys: Map<string, number>): Int32Array {
  const result = new Int32Array(Math.max(0, worded.blocks.length - 1));
  for (let block = 0; block < result.length; block++) {
    const key = worded.ids.subarray(worded.blocks[block]!, worded.blocks[block + 1]!).join(' ');
    let id = keys.get(key);
    if (id === undefined) {
      id = keys.size;
      keys.set(key, id);
    }
    result[block] = id;
  }
  return result;
}

/** Keys of free blocks that stand alone among the free ones; -1 where there are several. */
function soleFree(keys: Int32Array, paired: Int32Array): Map<number, number> {
  const sole = new Map<number, number>();
  for (let block = 0; block < keys.length; block++) {
    if (paired[block]! >= 0) continue;
    sole.set(keys[block]!, sole.has(keys[block]!) ? -1 : block);
  }
  return sole;
}

function isLong(worded: WordedText, block: number): boolean {
  return worded.blocks[block + 1]! - worded.blocks[block]! >= LONG_BLOCK;
}

function freeBlocks(paired: Int32Array, from: number, to: number): number[] {
  const free: number[] = [];
  for (let block = from; block < to; block++) if (paired[block]! < 0) free.push(block);
  return free;
}

function freeWords(paired: Int32Array, from: number, to: number): Int32Array {
  const free: number[] = [];
  for (let word = from; word < to; word++) if (paired[word]! < 0) free.push(word);
  return Int32Array.from(free);
}

function bagOf(worded: WordedText, block: number): Map<number, number> {
  const bag = new Map<number, number>();
  for (let word = worded.blocks[block]!; word < worded.blocks[block + 1]!; word++) {
    bag.set(worded.ids[word]!, (bag.get(worded.ids[word]!) ?? 0) + 1);
  }
  return bag;
}
