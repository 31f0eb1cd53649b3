import { type Colour, PALETTE } from '#libs/kernel/palette.js';

/** Whether a text names a colour of the palette. */
export function isColour(value: string): value is Colour {
  return (PALETTE as readonly string[]).includes(value);
}

/** A colour that nothing of `used` has; when all are taken, the one that `random` (0 ≤ n < 1) points at. */
export function freshColour(used: readonly string[], random: number): Colour {
  return PALETTE.find((colour) => !used.includes(colour)) ?? PALETTE[Math.floor(random * PALETTE.length)]!;
}
