import type { RenderedDocument } from '../../domain/rendered-document.js';

export interface RenderOptions {
  /** `text` writes questions and options out, for places where nobody can answer them; default `controls`. */
  readonly decisions?: 'controls' | 'text';
}

/** Turns Markdown of agents and people into safe HTML and the plain text that anchors are measured in. */
export abstract class DocumentRenderer {
  /**
   * Renders the text of a version. `markdown` must have been through `cleanMarkdown`.
   * Text over 64 KB renders in a worker thread, at most eight wait.
   *
   * @throws InvalidInput on `markdown` when it is nested deeper than 100 or takes over 10 seconds
   * @throws DomainError `render_queue_full` (kind `rate-limited`) when eight are waiting already
   */
  abstract render(markdown: string, options?: RenderOptions): Promise<RenderedDocument>;

  /** HTML of a comment, reply, note, version description or finding, in the smaller dialect. Never throws. */
  abstract renderComment(markdown: string): string;
}
