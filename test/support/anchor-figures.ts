import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffArrays } from 'diff';
import { anchorOf } from '#libs/anchoring/make-anchor.js';
import { relocate } from '#libs/anchoring/relocate.js';

/** Counts over passages of real revisions, by the truth of the samples' README. */
export interface AnchorFigures {
  /** Passages whose words stayed together to at least 80 %. */
  readonly expected: number;
  /** Of those, found at the right place. */
  readonly found: number;
  /** Of all scored passages, placed anywhere. */
  readonly placed: number;
  /** Placed at another place than the truth says, or placed although under 40 % of the words stayed. */
  readonly wrong: number;
  /** The wrong ones, for a look: sample, passage, and what was taken for it. */
  readonly mistakes: readonly string[];
  readonly misses: readonly string[];
}

interface Block {
  readonly key: string;
  readonly words: readonly number[];
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Revision pairs of the samples folder, rendered to plain text by `plainTextOf`. */
export function sampleRevisions(
  folder: string,
  plainTextOf: (markdown: string) => string,
): { name: string; before: string; after: string }[] {
  const revisions = join(folder, 'revisions');
  return readdirSync(revisions)
    .sort()
    .map((name) => ({
      name,
      before: plainTextOf(readFileSync(join(revisions, name, 'before.md'), 'utf8')),
      after: plainTextOf(readFileSync(join(revisions, name, 'after.md'), 'utf8')),
    }));
}

/** Scores `relocate` on passages of 3 to 40 words, `perSample` of them in each revision, always the same ones. */
export function anchorFigures(
  revisions: readonly { name: string; before: string; after: string }[],
  perSample: number,
): AnchorFigures {
  const total = {
    expected: 0,
    found: 0,
    placed: 0,
    wrong: 0,
    mistakes: [] as string[],
    misses: [] as string[],
  };
  for (const revision of revisions) score(revision, perSample, total);
  return total;
}

function score(
  { name, before, after }: { name: string; before: string; after: string },
  perSample: number,
  total: {
    expected: number;
    found: number;
    placed: number;
    wrong: number;
    mistakes: string[];
    misses: string[];
  },
): void {
  const left = wordsOf(before);
  const right = wordsOf(after);
  const truth = alignedWords(before, after, left, right);
  const random = sequence(Number.parseInt(name, 10) || 1);
  const passages = Array.from({ length: perSample }, () => {
    const length = Math.min(3 + Math.floor(random() * 38), left.length);
    const from = Math.floor(random() * (left.length - length + 1));
    return { from, to: from + length };
  });
  const anchors = passages.map(({ from, to }) => anchorOf(before, left[from]!.start, left[to - 1]!.end));
  const placements = relocate(before, after, anchors);
  passages.forEach(({ from, to }, index) => {
    const place = together(truth.slice(from, to));
    const share = place === null ? 0 : place.count / (to - from);
    if (share >= 0.4 && share < 0.8) return;
    const placement = placements[index]!;
    const isExpected = share >= 0.8;
    const wanted = place === null ? null : { start: right[place.first]!.start, end: right[place.last]!.end };
    const isRight = isExpected && placement !== null && overlap(placement, wanted!) >= 0.5;
    if (isExpected) total.expected += 1;
    if (isRight) total.found += 1;
    if (placement !== null) total.placed += 1;
    const quote = JSON.stringify(anchors[index]!.quote);
    if (placement !== null && !isRight) {
      total.wrong += 1;
      total.mistakes.push(
        `${name}: ${quote} → ${JSON.stringify(after.slice(placement.start, placement.end))} (${placement.kind}, ${share.toFixed(2)})`,
      );
    }
    if (isExpected && placement === null)
      total.misses.push(
        `${name}: ${quote} (${share.toFixed(2)}) wanted ${JSON.stringify(after.slice(wanted!.start, wanted!.end))}`,
      );
  });
}

/**
 * For each word of the old text the word of the new one, -1 for none: equal blocks in order, then the
 * words between them, each by the longest common subsequence (Myers), then blocks that moved.
 */
function alignedWords(
  before: string,
  after: string,
  left: readonly Word[],
  right: readonly Word[],
): number[] {
  const truth = new Array<number>(left.length).fill(-1);
  const leftBlocks = blocksOf(before, left);
  const rightBlocks = blocksOf(after, right);
  const parts = diffArrays(
    leftBlocks.map((block) => block.key),
    rightBlocks.map((block) => block.key),
  );
  let i = 0;
  let j = 0;
  let pendingLeft = { from: 0, to: 0 };
  let pendingRight = { from: 0, to: 0 };
  const flush = (): void => {
    alignStretch(
      leftBlocks.slice(pendingLeft.from, pendingLeft.to).flatMap((block) => block.words),
      rightBlocks.slice(pendingRight.from, pendingRight.to).flatMap((block) => block.words),
    );
    pendingLeft = { from: i, to: i };
    pendingRight = { from: j, to: j };
  };
  const alignStretch = (a: readonly number[], b: readonly number[]): void => {
    let x = 0;
    let y = 0;
    for (const part of diffArrays(
      a.map((word) => left[word]!.text),
      b.map((word) => right[word]!.text),
    )) {
      if (part.added) y += part.value.length;
      else if (part.removed) x += part.value.length;
      else for (let k = 0; k < part.value.length; k++) truth[a[x++]!] = b[y++]!;
    }
  };
  for (const part of parts) {
    if (part.removed) {
      i += part.value.length;
      pendingLeft.to = i;
    } else if (part.added) {
      j += part.value.length;
      pendingRight.to = j;
    } else {
      flush();
      for (let k = 0; k < part.value.length; k++) {
        const a = leftBlocks[i++]!.words;
        const b = rightBlocks[j++]!.words;
        a.forEach((word, at) => {
          truth[word] = b[at]!;
        });
      }
      pendingLeft = { from: i, to: i };
      pendingRight = { from: j, to: j };
    }
  }
  flush();
  alignMoved(leftBlocks, rightBlocks, truth, (a, b) => alignStretch(a.words, b.words));
  return truth;
}

/** A block of which nothing is aligned in order, but which stands elsewhere with most of its words, has moved. */
function alignMoved(
  left: readonly Block[],
  right: readonly Block[],
  truth: readonly number[],
  align: (a: Block, b: Block) => void,
): void {
  const aligned = new Set(truth);
  const free = right.filter(
    (block) => block.words.filter((word) => aligned.has(word)).length <= block.words.length / 2,
  );
  for (const block of left) {
    if (block.words.filter((word) => truth[word]! >= 0).length > block.words.length / 2) continue;
    let best: Block | null = null;
    let most = 0.6;
    for (const other of free) {
      const likeness = likenessOf(block, other);
      if (likeness > most) {
        most = likeness;
        best = other;
      }
    }
    if (best !== null) align(block, best);
  }
}

function likenessOf(a: Block, b: Block): number {
  const bag = new Map<string, number>();
  for (const word of b.key.split(' ')) bag.set(word, (bag.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a.key.split(' ')) {
    const count = bag.get(word) ?? 0;
    if (count > 0) common += 1;
    bag.set(word, count - 1);
  }
  return (2 * common) / (a.words.length + b.words.length);
}

/** The place where most of the words stand close together. */
function together(targets: readonly number[]): { first: number; last: number; count: number } | null {
  const sorted = targets.filter((target) => target >= 0).sort((a, b) => a - b);
  let best: { first: number; last: number; count: number } | null = null;
  let from = 0;
  for (let to = 0; to < sorted.length; to++) {
    while (sorted[to]! - sorted[from]! >= targets.length * 1.5 + 2) from += 1;
    if (best === null || to - from + 1 > best.count)
      best = { first: sorted[from]!, last: sorted[to]!, count: to - from + 1 };
  }
  return best;
}

function overlap(a: { start: number; end: number }, b: { start: number; end: number }): number {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return Math.max(0, common) / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function blocksOf(text: string, words: readonly Word[]): Block[] {
  const blocks: { key: string; words: number[] }[] = [];
  let end = -1;
  words.forEach((word, index) => {
    if (word.start > end) {
      const feed = text.indexOf('\n', word.start);
      end = feed < 0 ? text.length : feed;
      blocks.push({ key: '', words: [] });
    }
    blocks.at(-1)!.words.push(index);
  });
  return blocks.map((block) => ({ ...block, key: block.words.map((word) => words[word]!.text).join(' ') }));
}

/** The same numbers in every run (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
