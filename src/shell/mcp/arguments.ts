import { z } from 'zod';

/**
 * Arguments of tools. Only their shape is checked here; sizes are told to clients and judged by the use case, which
 * counts them after trimming and names everything that is wrong at once.
 */
type Described = { readonly description: string };

/** Says of a field inside an object that it is missing; of an argument itself the adapter says so. */
function orMissing(sentence: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required.' : sentence) };
}

/** A string; `maxLength` in code points. */
export function text(description: string, limits: { minLength?: number; maxLength?: number } = {}) {
  return z.string(orMissing('must be a string.')).meta({ description, ...limits });
}

/** An id of something in this project. */
export function id(description: string) {
  return z.string(orMissing('must be a string, the id as a UUID.')).meta({ description });
}

/** True or false; `fallback` is what leaving it out means, where that is one of them. */
export function yesNo(description: string, fallback?: boolean) {
  return z
    .boolean(orMissing('must be true or false.'))
    .meta(fallback === undefined ? { description } : { description, default: fallback });
}

/** A whole number; a value outside `minimum` and `maximum` is for the use case to clamp or to refuse. */
export function whole(
  description: string,
  bounds: { minimum?: number; maximum?: number; default?: number } = {},
) {
  return z
    .number(orMissing('must be a whole number.'))
    .refine(Number.isInteger, { error: 'must be a whole number.' })
    .meta({ description, type: 'integer', ...bounds });
}

/** One of a few words; another word is for the use case, which names those that it takes. */
export function oneOf(description: string, words: readonly string[]) {
  return z.string(orMissing(`must be one of: ${words.join(', ')}.`)).meta({ description, enum: [...words] });
}

export function list<Item extends z.ZodType>(
  items: Item,
  limits: Described & { minItems?: number; maxItems?: number },
) {
  return z.array(items, orMissing('must be a list.')).meta(limits);
}

/** The two arguments of every list that comes in pages (`platform.md` 2): both are clamped, never refused. */
export function paging(perPage: number) {
  return {
    page: whole('From 1', { default: 1 }).optional(),
    perPage: whole('Up to 100', { default: perPage }).optional(),
  };
}
