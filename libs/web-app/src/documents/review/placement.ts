/*
 * Where the cards of threads stand in the margin: level with their passage, without overlap. The active
 * card keeps its place and the others make room.
 */

/** A card as it wants to stand; pixels from the top of the margin. */
export interface Wish {
  readonly id: string;
  /** Top of its passage; null follows the card before it. */
  readonly wanted: number | null;
  readonly height: number;
}

export interface Placed {
  readonly id: string;
  readonly top: number;
  /** How far the passage lies from where the card stands; negative is above. */
  readonly tether: number;
}

/** Places cards in the order given. `bottom` is where the last one ends. */
export function placeCards(
  wishes: readonly Wish[],
  activeId: string | null,
  gap = 12,
): { cards: Placed[]; bottom: number } {
  const tops = new Array<number>(wishes.length).fill(0);
  let floor = 0;
  wishes.forEach((wish, index) => {
    tops[index] = Math.max(floor, wish.wanted ?? floor);
    floor = tops[index]! + wish.height + gap;
  });
  const active = wishes.findIndex(({ id }) => id === activeId);
  if (active >= 0 && wishes[active]!.wanted !== null) giveRoom(wishes, tops, active, gap);
  const cards = wishes.map(({ id, wanted }, index) => ({
    id,
    top: tops[index]!,
    tether: wanted === null ? 0 : wanted - tops[index]!,
  }));
  const bottom = wishes.reduce((max, wish, index) => Math.max(max, tops[index]! + wish.height), 0);
  return { cards, bottom };
}

function giveRoom(wishes: readonly Wish[], tops: number[], active: number, gap: number): void {
  tops[active] = Math.max(0, wishes[active]!.wanted!);
  for (let index = active - 1; index >= 0; index--) {
    const limit = tops[index + 1]! - wishes[index]!.height - gap;
    if (tops[index]! <= limit) break;
    tops[index] = limit;
  }
  // No card may rise above the margin: then the active one gives way, as little as it must.
  const overflow = Math.max(0, -(tops[0] ?? 0));
  if (overflow > 0) {
    let bottom = 0;
    for (let index = 0; index <= active; index++) {
      tops[index] = Math.max(bottom, tops[index]!);
      bottom = tops[index]! + wishes[index]!.height + gap;
    }
  }
  for (let index = active + 1; index < wishes.length; index++) {
    const least = tops[index - 1]! + wishes[index - 1]!.height + gap;
    tops[index] = Math.max(least, wishes[index]!.wanted ?? least);
  }
}
