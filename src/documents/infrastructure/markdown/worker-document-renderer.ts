import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DocumentRenderer, type RenderOptions } from '../../application/ports/document-renderer.js';
import { utf8Length } from '../../domain/markdown-text.js';
import type { RenderedDocument } from '../../domain/rendered-document.js';
import { TextWorkerThread } from '../worker/text-worker-thread.js';
import { renderCommentMarkdown } from './comment-dialect.js';
import { isCostly } from './costly-text.js';
import { renderMarkdown, tooSlowOrNested } from './render-markdown.js';

/** From this size on, in UTF-8 bytes, a text renders in the worker thread. */
const LARGE = 64 * 1024;

const LIMIT_MS = 10_000;

/** Small texts that some parsers take long for: deep nesting and long runs of opening signs. */
const SUSPICIOUS = /(?:[>*_`[<!&-][ \t]*){200}|^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){50}/m;

/** Small texts with more signs or lines than this go to the worker thread too. */
const MOST_SIGNS = 4_000;
const MOST_LINES = 3_000;

/** Renders small texts at once and large or suspicious ones in a worker thread. */
@Injectable()
export class WorkerDocumentRenderer extends DocumentRenderer implements OnModuleDestroy {
  private readonly thread: TextWorkerThread | null;

  constructor() {
    super();
    const entry = TextWorkerThread.builtEntry();
    // Only tests on the sources run without a build; there everything renders on the calling thread.
    this.thread = entry === null ? null : new TextWorkerThread(entry);
  }

  override async render(markdown: string, options: RenderOptions = {}): Promise<RenderedDocument> {
    if (this.thread === null || !needsThread(markdown)) return renderMarkdown(markdown, options);
    return this.thread.run({ kind: 'render', markdown, options }, LIMIT_MS, tooSlowOrNested);
  }

  override renderComment(markdown: string): string {
    return renderCommentMarkdown(markdown);
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.close();
  }
}

function needsThread(markdown: string): boolean {
  if (markdown.length >= LARGE || utf8Length(markdown) > LARGE) return true;
  return SUSPICIOUS.test(markdown) || isCostly(markdown, MOST_SIGNS, MOST_LINES);
}
