import { toAscii } from '#libs/kernel/ascii.js';
import type { Problems } from '#libs/kernel/errors.js';
import { codePoints } from '#libs/kernel/text.js';
import { LABEL_CHARACTERS } from './limits.js';

export const BACKLOG_SLUG = 'backlog';

/** Slug of a label: ASCII, lower case, runs of letters and digits joined by `-`, at most 100; empty when nothing is left. */
export function slugOf(label: string): string {
  return (
    toAscii(label)
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, LABEL_CHARACTERS)
      .replace(/^-+|-+$/g, '') ?? ''
  );
}

/** A label as it is stored, and its slug. `taken` are the slugs of the other columns. */
export function readLabel(
  problems: Problems,
  value: string,
  taken: readonly string[],
): { readonly label: string; readonly slug: string } {
  const label = value.trim();
  const slug = slugOf(label);
  if (label === '') problems.add('label', 'must not be blank.');
  else if (codePoints(label) > LABEL_CHARACTERS)
    problems.add('label', `at most ${LABEL_CHARACTERS} characters.`);
  else if (/[\p{Cc}\p{Surrogate}\u2028\u2029]/u.test(label)) problems.add('label', 'must be one line.');
  else if (slug === '') problems.add('label', 'must hold a letter or a digit.');
  else if (slug === BACKLOG_SLUG)
    problems.add('label', 'The slug "backlog" belongs to the Backlog. Choose another name.');
  else if (taken.includes(slug))
    problems.add('label', `Another column of this board has the slug "${slug}". Choose another name.`);
  return { label, slug };
}
