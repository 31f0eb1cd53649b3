import type { PiePayload } from './payload.js';

/** Shares of the slices in per cent, and their sum; sums that no number can hold are cut. */
export function pieShares(slices: PiePayload['slices']): {
  readonly shares: readonly number[];
  readonly total: number;
} {
  const largest = slices.reduce((most, { value }) => Math.max(most, value), 0);
  const parts = slices.map(({ value }) => value / largest);
  const whole = parts.reduce((sum, part) => sum + part, 0);
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  return {
    shares: parts.map((part) => (part / whole) * 100),
    total: Math.min(total, Number.MAX_VALUE),
  };
}
