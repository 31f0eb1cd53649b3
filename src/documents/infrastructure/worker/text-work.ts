import type { ComparedText, Comparison, ComparisonView } from '../../application/ports/version-comparer.js';
import type { RenderedDocument } from '../../domain/rendered-document.js';
import { compareTexts } from '../compare/compare-texts.js';
import { renderMarkdown } from '../markdown/render-markdown.js';

/** Work on a large text that a worker thread does. */
export type TextWork =
  | { readonly kind: 'render'; readonly markdown: string }
  | {
      readonly kind: 'compare';
      readonly view: ComparisonView;
      readonly before: ComparedText;
      readonly after: ComparedText;
    };

export type TextWorkResult<W extends TextWork> = W extends { kind: 'render' } ? RenderedDocument : Comparison;

/** Does the work on the calling thread. */
export function doTextWork<W extends TextWork>(work: W): TextWorkResult<W> {
  return (
    work.kind === 'render' ? renderMarkdown(work.markdown) : compareTexts(work.view, work.before, work.after)
  ) as TextWorkResult<W>;
}
