/** Cells of the table below which the longest common subsequence is computed in full. */
const FULL_TABLE = 250_000;

/** A token may occur this often on either side and still lead the search in a large region. */
const RAREST = 1;

export interface AlignmentBounds {
  readonly aFrom?: number;
  readonly aTo?: number;
  readonly bFrom?: number;
  readonly bTo?: number;
  /** Cells below which a region is aligned in full; 0 leaves it to numbers that occur once. */
  readonly fullTable?: number;
}

/**
 * Aligns two sequences of numbers in order: the longest common subsequence where the region is
 * small, else led by the numbers that occur once on both sides (patience, after Bram Cohen).
 * Large regions without such a number stay unaligned rather than being guessed.
 */
export function alignSequences(
  a: Int32Array,
  b: Int32Array,
  onPair: (indexInA: number, indexInB: number) => void,
  { aFrom = 0, aTo = a.length, bFrom = 0, bTo = b.length, fullTable = FULL_TABLE }: AlignmentBounds = {},
): void {
  const regions: [number, number, number, number][] = [[aFrom, aTo, bFrom, bTo]];
  while (regions.length > 0) {
    let [fromA, toA, fromB, toB] = regions.pop()!;
    while (fromA < toA && fromB < toB && a[fromA] === b[fromB]) onPair(fromA++, fromB++);
    while (fromA < toA && fromB < toB && a[toA - 1] === b[toB - 1]) onPair(--toA, --toB);
    if (fromA >= toA || fromB >= toB) continue;
    if ((toA - fromA) * (toB - fromB) <= fullTable) {
      longestCommon(a, b, fromA, toA, fromB, toB, onPair);
      continue;
    }
    const leads = increasing(rarePairs(a, b, fromA, toA, fromB, toB));
    let lastA = fromA;
    let lastB = fromB;
    for (const [inA, inB] of leads) {
      regions.push([lastA, inA, lastB, inB]);
      onPair(inA, inB);
      lastA = inA + 1;
      lastB = inB + 1;
    }
    if (leads.length > 0) regions.push([lastA, toA, lastB, toB]);
  }
}

function longestCommon(
  a: Int32Array,
  b: Int32Array,
  fromA: number,
  toA: number,
  fromB: number,
  toB: number,
  onPair: (indexInA: number, indexInB: number) => void,
): void {
  const rows = toA - fromA;
  const columns = toB - fromB;
  const width = columns + 1;
  // Longest subsequence of the two tails; a match that continues one is worth a little more, so
  // that the words of a passage are kept together.
  const table = new Int32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const skip = Math.max(table[(i + 1) * width + j]!, table[i * width + j + 1]!);
      if (a[fromA + i] === b[fromB + j]) {
        const continues = i + 1 < rows && j + 1 < columns && a[fromA + i + 1] === b[fromB + j + 1] ? 1 : 0;
        table[i * width + j] = Math.max(skip, table[(i + 1) * width + j + 1]! + 4 + continues);
      } else {
        table[i * width + j] = skip;
      }
    }
  }
  let i = 0;
  let j = 0;
  while (i < rows && j < columns) {
    const here = table[i * width + j]!;
    if (here === table[(i + 1) * width + j]) i += 1;
    else if (here === table[i * width + j + 1]) j += 1;
    else {
      onPair(fromA + i, fromB + j);
      i += 1;
      j += 1;
    }
  }
}

function rarePairs(
  a: Int32Array,
  b: Int32Array,
  fromA: number,
  toA: number,
  fromB: number,
  toB: number,
): [number, number][] {
  const inB = new Map<number, { count: number; at: number }>();
  for (let j = fromB; j < toB; j++) {
    const seen = inB.get(b[j]!);
    if (seen === undefined) inB.set(b[j]!, { count: 1, at: j });
    else seen.count += 1;
  }
  const countInA = new Map<number, number>();
  for (let i = fromA; i < toA; i++) countInA.set(a[i]!, (countInA.get(a[i]!) ?? 0) + 1);
  const pairs: [number, number][] = [];
  for (let i = fromA; i < toA; i++) {
    const other = inB.get(a[i]!);
    if (other !== undefined && other.count === RAREST && countInA.get(a[i]!) === RAREST)
      pairs.push([i, other.at]);
  }
  return pairs;
}

/** The longest chain of pairs that rises on both sides; the pairs come sorted by the first. */
function increasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length);
  for (let i = 0; i < pairs.length; i++) {
    const value = pairs[i]![1];
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    before[i] = low > 0 ? tails[low - 1]! : -1;
    tails[low] = i;
  }
  const chain: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) chain.push(pairs[at]!);
  return chain.reverse();
}
