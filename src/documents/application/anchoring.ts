import type { Anchor } from '#libs/anchoring/anchor.js';
import { makeAnchor } from '#libs/anchoring/make-anchor.js';
import { DomainError } from '#libs/kernel/errors.js';
import { QUOTE_CHARACTERS } from '../domain/limits.js';

/** What a page sends of a selection: its words, and where they begin in the plain text in UTF-16 code units. */
export interface SelectedPassage {
  readonly quote: string;
  readonly start: number;
}

/** The anchor of a selection. @throws DomainError `no_anchor`, `too_long`, `blank`. */
export function anchorIn(plainText: string, passage: SelectedPassage): Anchor {
  const { anchor, refusal } = makeAnchor(plainText, passage.quote, passage.start);
  if (anchor) return anchor;
  switch (refusal) {
    case 'blank':
      throw new DomainError('invalid', 'blank', 'Select some text first.', { argument: 'anchor' });
    case 'too-long':
      throw new DomainError('invalid', 'too_long', `Select at most ${QUOTE_CHARACTERS} characters.`, {
        argument: 'anchor',
      });
    default:
      throw new DomainError('invalid', 'no_anchor', 'The selected text is not in this version.', {
        argument: 'anchor',
      });
  }
}
