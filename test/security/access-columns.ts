/** Everybody who may come to a door. Each is a column of `docs/access.md`. */
export const COLUMNS = [
  'anonymous',
  'expired',
  'wrong scope',
  'other project',
  'viewer',
  'member',
  'maintainer',
  'owner',
  'admin',
  'suspended',
  'flag off',
] as const;
export type Column = (typeof COLUMNS)[number];
