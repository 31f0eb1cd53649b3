import { randomBytes } from 'node:crypto';
import type { Element, Properties } from 'hast';

/** What our block rules found and the minting step turns into controls. */
export type MarkKind =
  | 'annotation'
  | 'callout'
  | 'decision'
  | 'footnote'
  | 'footnote-ref'
  | 'footnotes'
  | 'option'
  | 'options'
  | 'question'
  | 'task';

/**
 * Carries what the block rules found through parsing of raw HTML and sanitising. A mark holds a
 * secret made for this one rendering, so no text of a document can forge one.
 */
export class Marks {
  private readonly secret = randomBytes(12).toString('hex');

  /** The one shape of `data-mark` that passes the sanitiser. */
  readonly pattern = new RegExp(`^${this.secret}:[a-z-]+:[a-z0-9-]*$`);

  of(kind: MarkKind, argument: string | number = ''): Properties {
    return { dataMark: `${this.secret}:${kind}:${argument}` };
  }

  /** Kind and argument of a marked element; the mark is gone afterwards. */
  take(element: Element): { kind: MarkKind; argument: string } | null {
    const value = element.properties.dataMark;
    if (value === undefined) return null;
    delete element.properties.dataMark;
    if (typeof value !== 'string' || !this.pattern.test(value)) return null;
    const [, kind, argument] = value.split(':');
    return { kind: kind as MarkKind, argument: argument ?? '' };
  }
}
