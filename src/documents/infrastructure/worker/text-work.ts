import type { Anchor } from '#libs/anchoring/anchor.js';
import type { RenderOptions } from '../../application/ports/document-renderer.js';
import type { RelocatedPassage } from '../../application/ports/passage-relocator.js';
import type { ComparedText, Comparison, ComparisonView } from '../../application/ports/version-comparer.js';
import type { RenderedDocument } from '../../domain/rendered-document.js';
import { compareTexts } from '../compare/compare-texts.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { relocatePassages } from '../passages/relocate-passages.js';

/** Work on a large text that a worker thread does. */
export type TextWork =
  | { readonly kind: 'render'; readonly markdown: string; readonly options?: RenderOptions }
  | {
      readonly kind: 'compare';
      readonly view: ComparisonView;
      readonly before: ComparedText;
      readonly after: ComparedText;
    }
  | {
      readonly kind: 'relocate';
      readonly before: string;
      readonly after: string;
      readonly anchors: readonly Anchor[];
    };

export type TextWorkResult<W extends TextWork> = W extends { kind: 'render' }
  ? RenderedDocument
  : W extends { kind: 'compare' }
    ? Comparison
    : (RelocatedPassage | null)[];

/** Does the work on the calling thread. */
export function doTextWork<W extends TextWork>(work: W): TextWorkResult<W> {
  return resultOf(work) as TextWorkResult<W>;
}

function resultOf(work: TextWork) {
  switch (work.kind) {
    case 'render':
      return renderMarkdown(work.markdown, work.options);
    case 'compare':
      return compareTexts(work.view, work.before, work.after);
    case 'relocate':
      return relocatePassages(work.before, work.after, work.anchors);
  }
}
