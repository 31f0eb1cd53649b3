import { toAscii } from '#libs/kernel/ascii.js';
import { SLUG_MAX } from './project-limits.js';

/** The slug that a name asks for, before others of the owner are looked at: `cafe-ete` for "Café Été!". */
export function slugBase(name: string): string {
  const base = toAscii(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, SLUG_MAX)
    .replace(/-+$/, '');
  return base === '' ? 'project' : base;
}

/** The first of `base`, `base-2`, `base-3`, … that is not taken; the base is cut so that each fits the limit. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  for (let number = 2; ; number += 1) {
    const candidate = suffixed(base, number);
    if (!taken.has(candidate)) return candidate;
  }
}

/** Whether `slug` is `base` itself or `base` with a number, as `freeSlug` would make it. */
export function isSlugOf(slug: string, base: string): boolean {
  if (slug === base) return true;
  const number = /-([1-9]\d*)$/.exec(slug)?.[1];
  return number !== undefined && Number(number) >= 2 && slug === suffixed(base, Number(number));
}

function suffixed(base: string, number: number): string {
  const tail = `-${number}`;
  return base.slice(0, SLUG_MAX - tail.length).replace(/-+$/, '') + tail;
}
