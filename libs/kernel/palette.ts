/** Colours that people and templates give to columns and types of cards, in the order in which they are handed out. */
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
