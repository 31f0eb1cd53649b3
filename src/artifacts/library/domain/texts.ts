import type { Problems } from '#libs/kernel/errors.js';
import { cleanText } from '#libs/kernel/text.js';

export const NAME_MAX = 120;
export const DESCRIPTION_MAX = 1_000;
export const NOTES_MAX = 2_000;

export const readName = (problems: Problems, argument: string, value: string): string =>
  cleanText(problems, argument, value, { max: NAME_MAX, required: true, oneLine: true });

export const readDescription = (problems: Problems, argument: string, value: string): string =>
  cleanText(problems, argument, value, { max: DESCRIPTION_MAX });

/** A name cut to what an artifact may have, between characters. */
export function cutName(name: string): string {
  return [...name].slice(0, NAME_MAX).join('').trim();
}
