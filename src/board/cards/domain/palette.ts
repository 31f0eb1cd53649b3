/** Colours of columns and types, in the order of the palette. */
export const PALETTE = [
  'slate',
  'red',
  'orange',
  'amber',
  'lime',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'pink',
] as const;

export type Colour = (typeof PALETTE)[number];

export function isColour(value: string): value is Colour {
  return (PALETTE as readonly string[]).includes(value);
}

/** A colour that nothing of `used` has; when all are taken, the one that `random` (0 ≤ n < 1) points at. */
export function freshColour(used: readonly string[], random: number): Colour {
  return PALETTE.find((colour) => !used.includes(colour)) ?? PALETTE[Math.floor(random * PALETTE.length)]!;
}
