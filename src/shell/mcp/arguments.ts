import { z } from 'zod';

/**
 * Arguments of tools. Only their shape is checked here; sizes are told to clients and judged by the use case, which
 * counts them after trimming and names everything that is wrong at once.
 */
type Described = { readonly description: string };

/** A string; `maxLength` in code points. */
export function text(description: string, limits: { minLength?: number; maxLength?: number } = {}) {
  return z.string({ error: 'must be a string' }).meta({ description, ...limits });
}

/** An id of something in this project. */
export function id(description: string) {
  return z.string({ error: 'must be a string, the id as a UUID' }).meta({ description, format: 'uuid' });
}

export function yesNo(description: string, fallback: boolean) {
  return z.boolean({ error: 'must be true or false' }).meta({ description, default: fallback });
}

/** A whole number; a value outside `minimum` and `maximum` is for the use case to clamp or to refuse. */
export function whole(
  description: string,
  bounds: { minimum?: number; maximum?: number; default?: number } = {},
) {
  return z
    .number({ error: 'must be a whole number' })
    .refine(Number.isInteger, { error: 'must be a whole number' })
    .meta({ description, type: 'integer', ...bounds });
}

/** One of a few words; another word is for the use case, which names those that it takes. */
export function oneOf(description: string, words: readonly string[]) {
  return z.string({ error: `must be one of: ${words.join(', ')}` }).meta({ description, enum: [...words] });
}

export function list<Item extends z.ZodType>(
  items: Item,
  limits: Described & { minItems?: number; maxItems?: number },
) {
  return z.array(items, { error: 'must be a list' }).meta(limits);
}
